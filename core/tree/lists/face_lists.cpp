// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/lists/face_lists.hpp"

#include "core/tree/gather_tables.hpp"
#include "core/tree/vectors.hpp"

namespace nearfar {

namespace {

/// By how many cells a place that may be outside of the root is shifted.
int image_of(std::int32_t at, int level) {
  int const places = 1 << level;
  return at >= 0 ? at / places : -((places - 1 - at) / places);
}

/// M2L.
Gather face_runs(Gather const& all, TreeShape const& shape, int level,
                 std::vector<std::array<std::int32_t, 3>> const& places, int axis) {
  RunTable const table(all.words.data());
  std::vector<Run> runs;
  std::vector<Interaction> kept;
  for (int i = 0; i < table.runs(); ++i) {
    Run const& run = table.run(i);
    int way[3];
    vector_of(run.key, shape.separation, way);
    Run face{run.key, std::int32_t(kept.size()), 0};
    for (int k = run.first; k < run.first + run.count; ++k) {
      Interaction const& interaction = table.interaction(k);
      int const shift = image_of(places[std::size_t(interaction.target)][std::size_t(axis)] - way[axis], level);
      for (int n = 0; n < shift; ++n) kept.push_back(interaction);
    }
    face.count = std::int32_t(kept.size()) - face.first;
    if (face.count > 0) runs.push_back(face);
  }
  Gather gather{{std::int32_t(runs.size()), std::int32_t(kept.size()), 0, 0}, all.blocks, double(kept.size())};
  for (Run const& run : runs) append(gather.words, run);
  for (Interaction const& interaction : kept) append(gather.words, interaction);
  return gather;
}

/// P2P, M2P and P2L: those items whose image(item) along the axis is above 0.
template <class Item, class Image>
Gather face_items(Gather const& all, Image const& image) {
  PairTable<Item> const table(all.words.data());
  std::vector<Range> ranges;
  std::vector<Item> kept;
  for (int t = 0; t < table.targets(); ++t) {
    Range const range = table.range(t);
    Range face{std::int32_t(kept.size()), 0};
    for (int i = range.first; i < range.first + range.count; ++i)
      for (int n = 0; n < image(table.item(i)); ++n) kept.push_back(table.item(i));
    face.count = std::int32_t(kept.size()) - face.first;
    ranges.push_back(face);
  }
  Gather gather{{std::int32_t(ranges.size()), std::int32_t(kept.size()), 0, 0}, all.blocks, double(kept.size())};
  for (Range const& range : ranges) append(gather.words, range);
  for (Item const& item : kept) append(gather.words, item);
  return gather;
}

/// The table for P2P also says how GPUs cut leaves.
void append_cuts_of(Gather& gather, std::vector<std::int32_t> const& targets) {
  PairTable<PointRun> const table(gather.words.data());
  auto const* const leaf = reinterpret_cast<Leaf const*>(targets.data());
  std::vector<double> of_target, seen;
  gather.work = 0;
  for (int t = 0; t < table.targets(); ++t) {
    Range const range = table.range(t);
    seen.push_back(0);
    for (int i = range.first; i < range.first + range.count; ++i)
      seen.back() += table.item(i).last - table.item(i).first;
    of_target.push_back(leaf[t].last - leaf[t].first);
    gather.work += seen.back() * of_target.back();
  }
  append_cuts(gather, of_target, seen);
}

}  // namespace

FaceLists face_lists(BlockLists const& all, TreeShape const& shape, int level,
                     std::vector<std::array<std::int32_t, 3>> const& places, std::vector<std::int32_t> const* targets,
                     int axis) {
  auto const of_run = [axis](PointRun const& run) { return run.image[axis]; };
  auto const of_box = [axis](FarBox const& box) { return image_of(box.at[axis], box.level); };
  FaceLists face;
  face.m2l = face_runs(all.m2l, shape, level, places, axis);
  face.p2p = face_items<PointRun>(all.p2p, of_run);
  face.m2p = face_items<FarBox>(all.m2p, of_box);
  face.p2l = face_items<PointRun>(all.p2l, of_run);
  if (targets != nullptr) append_cuts_of(face.p2p, *targets);
  return face;
}

}  // namespace nearfar
