// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/gather_tables.hpp"

#include <array>

namespace nearfar {

void SourceBlocks::close() {
  std::sort(blocks_.begin(), blocks_.end());
  blocks_.erase(std::unique(blocks_.begin(), blocks_.end()), blocks_.end());
  if (blocks_.empty()) return;
  place_.resize(std::size_t(blocks_.back() - blocks_.front() + 1));
  for (std::size_t i = 0; i < blocks_.size(); ++i) place_[std::size_t(blocks_[i] - blocks_.front())] = std::int32_t(i);
}

namespace {

void append_parent_pairs(std::vector<std::int32_t>& words, ParentPairFinder const& finder, SourceBlocks const& sources,
                         std::vector<Run> const& runs, std::vector<std::int32_t> const& loose) {
  words[2] = std::int32_t(finder.runs().size());
  words[3] = std::int32_t(finder.parent_pairs().size());
  for (ParentPairRun const& run : finder.runs()) append(words, run);
  for (ParentPairs pairs : finder.parent_pairs()) {
    for (int i = 0; i < 8; ++i)
      if (pairs.local[i] >= 0) pairs.buffer[i] = sources.place(pairs.buffer[i]);
    append(words, pairs);
  }
  for (Run const& r : runs) words.push_back(loose[std::size_t(r.key)]);
}

}  // namespace

Gather run_table(std::vector<std::vector<Wanted>> const& parts, int keys, Loop const& workers,
                 ParentPairFinder const* finder) {
  std::size_t size = 0;
  for (auto const& part : parts) size += part.size();
  Loop const loop = loop_over_items(workers, size);
  auto const paired = [&](Wanted const& w) { return finder != nullptr && finder->keeps(w.pair); };
  // How many of each key there are in each part, loose ones and those of parent pairs; then where the next one goes.
  using Counts = std::array<std::vector<std::int32_t>, 2>;
  std::vector<Counts> next(parts.size());
  std::vector<SourceBlocks> found(parts.size());
  loop(parts.size(), [&](std::size_t p) {
    for (auto& counts : next[p]) counts.assign(std::size_t(keys), 0);
    for (Wanted const& w : parts[p]) {
      ++next[p][paired(w)][std::size_t(w.key)];
      found[p].add(w.from.block);
    }
    found[p].close();
  });
  SourceBlocks sources;
  for (SourceBlocks const& blocks : found) sources.add(blocks);
  sources.close();
  std::vector<Run> runs;
  std::vector<std::int32_t> loose(std::size_t(keys), 0);
  std::int32_t all = 0;
  for (std::size_t k = 0; k < std::size_t(keys); ++k) {
    std::int32_t const first = all;
    for (bool pairs : {false, true}) {
      for (Counts& counts : next) {
        std::int32_t const here = counts[pairs][k];
        counts[pairs][k] = all;
        all += here;
      }
      if (!pairs) loose[k] = all - first;
    }
    if (all > first) runs.push_back({std::int32_t(k), first, all - first});
  }
  Gather gather;
  std::size_t const first_interaction = RunTable::head + 3 * runs.size();
  gather.words.resize(first_interaction + 3 * std::size_t(all));
  gather.words[0] = std::int32_t(runs.size());
  gather.words[1] = all;
  std::copy(runs.begin(), runs.end(), reinterpret_cast<Run*>(gather.words.data() + RunTable::head));
  auto* const interaction = reinterpret_cast<Interaction*>(gather.words.data() + first_interaction);
  loop(parts.size(), [&](std::size_t p) {
    for (Wanted const& w : parts[p])
      interaction[next[p][paired(w)][std::size_t(w.key)]++] = {w.target, sources.place(w.from.block), w.from.local};
  });
  if (finder != nullptr && !finder->runs().empty()) append_parent_pairs(gather.words, *finder, sources, runs, loose);
  gather.blocks = sources.take();
  gather.work = double(all);
  return gather;
}

}  // namespace nearfar
