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
  });
  loop(std::size_t(neighbours.layers()), [&](std::size_t layer) { neighbours.sum_in_layer(int(layer)); });
  loop(std::size_t(neighbours.rows()), [&](std::size_t row) { neighbours.sum_across_layers(int(row)); });
  return neighbours;
}

/// What a target and a pair add to the load of a block, whose mean is 2.
struct Load {
  double per_point, per_pair;
};

/// Cuts a block of so many pairs into chunks of about the same load.
template <class T>
std::vector<TargetChunk> cut_block(NeighbourCount const& neighbours, Cells const& cells,
                                   BlockedPoints<T> const& targets, int b, double pairs, Load const& load_of,
                                   int least) {
  int const points = targets.count(b);
  if (points == 0) return {};
  double const load = points * load_of.per_point + pairs * load_of.per_pair;
  int const count = std::min(points, std::max(least, static_cast<int>(std::ceil(load / max_means))));
  if (count <= 1) return {{b, {0, points}, pairs}};
  std::vector<TargetChunk> chunks;
  TargetChunk chunk{b, {0, 0}, 0};
  double done = 0;  // load of the points so far
  int made = 0;
  for_each_run(neighbours, cells, targets, b, 0, cells.count[0], [&](int x, int y, int z, int first, int last) {
    double const near = neighbours.at(x, y, z), each = load_of.per_point + near * load_of.per_pair;
    while (made + 1 < count) {
      int const cut = first + static_cast<int>(std::ceil((load * (made + 1) / count - done) / each));
      if (cut >= last) break;
      if (cut > chunk.points.first) {
        chunk.points.last = cut;
        chunk.pairs += (cut - first) * near;
        chunks.push_back(chunk);
        chunk = {b, {cut, cut}, 0};
        done += (cut - first) * each;
        first = cut;
      }
      ++made;
    }
    chunk.pairs += (last - first) * near;
    done += (last - first) * each;
  });
  chunk.points.last = points;
  chunks.push_back(chunk);
  return chunks;
}

}  // namespace

template <class T>
std::vector<TargetChunk> cut_chunks(Cells const& cells, BlockedPoints<T> const& sources,
                                    BlockedPoints<T> const& targets, Loop const& loop, int many, int pieces) {
  auto const blocks = std::size_t(cells.block_count());
  NeighbourCount const neighbours = count_neighbours(cells, sources, loop);
  std::vector<double> pairs(blocks);
  loop(blocks, [&](std::size_t b) {
    double sum = 0;
    for_each_run(neighbours, cells, targets, int(b), 0, cells.count[0],
                 [&](int x, int y, int z, int first, int last) { sum += (last - first) * neighbours.at(x, y, z); });
    pairs[b] = sum;
  });
  double const all = std::accumulate(pairs.begin(), pairs.end(), 0.0);
  Load const load{double(blocks) / double(targets.size()), all > 0 ? double(blocks) / all : 0};
  std::vector<std::vector<TargetChunk>> of_block(blocks);
  loop(blocks, [&](std::size_t b) {
    int const least = targets.count(int(b)) >= many ? pieces : 1;
    of_block[b] = cut_block(neighbours, cells, targets, int(b), pairs[b], load, least);
  });
  std::vector<TargetChunk> chunks;
  for (auto const& of : of_block) chunks.insert(chunks.end(), of.begin(), of.end());
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
