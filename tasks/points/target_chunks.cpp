// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/target_chunks.hpp"

#include "core/geometry/neighbour_count.hpp"
#include "core/math/constants.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nearfar::detail {

namespace {

/// A block is cut when its pairs and its points, each relative to the mean over blocks, add up to more than this.
constexpr double max_means = 3;

/// Calls visit(x, y, z, first, last) for the cells of a block that hold points, as far as they lie in [first_x, last_x)
/// along x, runs along z at once that count the same neighbours; z is where a run begins.
template <class T, class Visit>
void for_each_run(NeighbourCount const& neighbours, Cells const& cells, BlockedPoints<T> const& points, int number,
                  int first_x, int last_x, Visit&& visit) {
  if (points.count(number) == 0) return;
  Block const block = block_at(cells, number);
  int first[3], last[3];
  for (int d = 0; d < 3; ++d) {
    first[d] = cells.first_cell(d, block.at[d]);
    last[d] = cells.first_cell(d, block.at[d] + 1);
  }
  int const from = std::max(first[0], first_x), to = std::min(last[0], last_x);
  if (from >= to) return;
  std::int32_t const* offset =
      points.offsets(number) + std::ptrdiff_t(from - first[0]) * (last[1] - first[1]) * (last[2] - first[2]);
  for (int x = from; x < to; ++x)
    for (int y = first[1]; y < last[1]; ++y)
      for (int z = first[2]; z < last[2];) {
        int const end = std::min(neighbours.end_of_run(z), last[2]);
        std::int32_t const* const next = offset + (end - z);
        if (*offset < *next) visit(x, y, z, *offset, *next);
        offset = next;
        z = end;
      }
}

template <class T>
NeighbourCount count_neighbours(Cells const& cells, BlockedPoints<T> const& sources, Loop const& loop) {
  NeighbourCount neighbours(cells);
  loop(std::size_t(neighbours.layers()), [&](std::size_t layer) {
    int const first = neighbours.first_of_layer(int(layer)), last = neighbours.first_of_layer(int(layer) + 1);
    for (int b = 0; b < cells.block_count(); ++b)
      for_each_run(neighbours, cells, sources, b, first, last,
                   [&](int x, int y, int z, int from, int to) { neighbours.add(x, y, z, to - from); });
    neighbours.sum_in_layer(int(layer));
  });
  loop(std::size_t(neighbours.rows()), [&](std::size_t row) { neighbours.sum_across_layers(int(row)); });
  return neighbours;
}

/// What lies in one layer of a block, or in all of it.
struct Content {
  int points = 0;
  double pairs = 0;
};

/// The targets of each block, [layer][block].
template <class T>
std::vector<Content> count_targets(NeighbourCount const& neighbours, Cells const& cells,
                                   BlockedPoints<T> const& targets, Loop const& loop) {
  auto const blocks = std::size_t(cells.block_count());
  std::vector<Content> content(std::size_t(neighbours.layers()) * blocks);
  loop(std::size_t(neighbours.layers()), [&](std::size_t layer) {
    int const first_x = neighbours.first_of_layer(int(layer)), last_x = neighbours.first_of_layer(int(layer) + 1);
    for (std::size_t b = 0; b < blocks; ++b) {
      Content sum;
      for_each_run(neighbours, cells, targets, int(b), first_x, last_x, [&](int x, int y, int z, int first, int last) {
        sum.points += last - first;
        sum.pairs += (last - first) * neighbours.at(x, y, z);
      });
      content[layer * blocks + b] = sum;
    }
  });
  return content;
}

/// What a target and a pair add to the load of a block, whose mean is 2.
struct Load {
  double per_point, per_pair;
  double of(Content const& c) const { return c.points * per_point + c.pairs * per_pair; }
};

/// Cuts a block into chunks of about the same load. Only layers in which a cut lies are gone through again.
template <class T>
class CutBlock {
 public:
  CutBlock(NeighbourCount const& neighbours, Cells const& cells, BlockedPoints<T> const& targets, int block)
      : neighbours_(neighbours), cells_(cells), targets_(targets), chunk_{block, {0, 0}, 0} {}

  /// `layers`: of this block, `stride` apart.
  std::vector<TargetChunk> operator()(Content const* layers, std::size_t stride, Load const& load_of, int least) && {
    Content all;
    for (int l = 0; l < neighbours_.layers(); ++l) all = sum(all, layers[std::size_t(l) * stride]);
    if (all.points == 0) return {};
    load_of_ = load_of;
    load_ = load_of.of(all);
    count_ = std::min(all.points, std::max(least, static_cast<int>(std::ceil(load_ / max_means))));
    for (int l = 0; l < neighbours_.layers(); ++l) {
      Content const& layer = layers[std::size_t(l) * stride];
      if (made_ + 1 >= count_ || done_ + load_of.of(layer) < next_cut()) pass(layer);
      else
        for_each_run(neighbours_, cells_, targets_, chunk_.block, neighbours_.first_of_layer(l),
                     neighbours_.first_of_layer(l + 1),
                     [&](int x, int y, int z, int first, int last) { cut(neighbours_.at(x, y, z), first, last); });
    }
    chunk_.points.last = all.points;
    chunks_.push_back(chunk_);
    return std::move(chunks_);
  }

 private:
  static Content sum(Content const& a, Content const& b) { return {a.points + b.points, a.pairs + b.pairs}; }

  double next_cut() const { return load_ * (made_ + 1) / count_; }

  void pass(Content const& content) {
    chunk_.pairs += content.pairs;
    done_ += load_of_.of(content);
  }

  /// A run of targets with so many sources near each.
  void cut(double near, int first, int last) {
    double const each = load_of_.per_point + near * load_of_.per_pair;
    while (made_ + 1 < count_) {
      int const at = first + static_cast<int>(std::ceil((next_cut() - done_) / each));
      if (at >= last) break;
      if (at > chunk_.points.first) {
        pass({at - first, (at - first) * near});
        chunk_.points.last = at;
        chunks_.push_back(chunk_);
        chunk_ = {chunk_.block, {at, at}, 0};
        first = at;
      }
      ++made_;
    }
    pass({last - first, (last - first) * near});
  }

  NeighbourCount const& neighbours_;
  Cells const& cells_;
  BlockedPoints<T> const& targets_;
  Load load_of_{};
  double load_ = 0, done_ = 0;  // of the block, and of its points so far
  int count_ = 0, made_ = 0;    // chunks
  TargetChunk chunk_;
  std::vector<TargetChunk> chunks_;
};

}  // namespace

template <class T>
std::vector<TargetChunk> cut_chunks(Cells const& cells, BlockedPoints<T> const& sources,
                                    BlockedPoints<T> const& targets, Loop const& loop, int many, int pieces) {
  auto const blocks = std::size_t(cells.block_count());
  NeighbourCount const neighbours = count_neighbours(cells, sources, loop);
  std::vector<Content> const content = count_targets(neighbours, cells, targets, loop);
  double const pairs = std::accumulate(content.begin(), content.end(), 0.0,
                                       [](double sum, Content const& layer) { return sum + layer.pairs; });
  Load const load{double(blocks) / double(targets.size()), pairs > 0 ? double(blocks) / pairs : 0};
  std::vector<TargetChunk> chunks;
  for (std::size_t b = 0; b < blocks; ++b) {
    int const least = targets.count(int(b)) >= many ? pieces : 1;
    auto const of = CutBlock(neighbours, cells, targets, int(b))(&content[b], blocks, load, least);
    chunks.insert(chunks.end(), of.begin(), of.end());
  }
  return chunks;
}

std::vector<TargetChunk> one_chunk(Cells const& cells, std::size_t sources, std::size_t targets) {
  double const box = cells.volume(), ball = 4 * pi<double> / 3 * cells.cutoff * cells.cutoff * cells.cutoff;
  return {{0, {0, int(targets)}, double(targets) * double(sources) * std::min(1.0, ball / box)}};
}

template std::vector<TargetChunk> cut_chunks(Cells const&, BlockedPoints<double> const&, BlockedPoints<double> const&,
                                             Loop const&, int, int);
template std::vector<TargetChunk> cut_chunks(Cells const&, BlockedPoints<float> const&, BlockedPoints<float> const&,
                                             Loop const&, int, int);

}  // namespace nearfar::detail
