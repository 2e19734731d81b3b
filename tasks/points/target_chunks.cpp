// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/target_chunks.hpp"

#include "core/geometry/neighbour_count.hpp"
#include "core/math/constants.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

namespace {

/// A block is cut when its pairs and its points, each relative to the mean over blocks, add up to more than this.
constexpr double max_means = 3;

/// Calls visit(x, y, z, first, last) for the cells of a block that hold points, runs along z at once that count the
/// same neighbours; z is where a run begins.
template <class T, class Visit>
void for_each_run(NeighbourCount const& neighbours, Cells const& cells, BlockedPoints<T> const& points, int number,
                  Visit&& visit) {
  if (points.count(number) == 0) return;
  Block const block = block_at(cells, number);
  int first[3], last[3];
  for (int d = 0; d < 3; ++d) {
    first[d] = cells.first_cell(d, block.at[d]);
    last[d] = cells.first_cell(d, block.at[d] + 1);
  }
  std::int32_t const* offset = points.offsets(number);
  for (int x = first[0]; x < last[0]; ++x)
    for (int y = first[1]; y < last[1]; ++y)
      for (int z = first[2]; z < last[2];) {
        int const end = std::min(neighbours.end_of_run(z), last[2]);
        std::int32_t const* const next = offset + (end - z);
        if (*offset < *next) visit(x, y, z, *offset, *next);
        offset = next;
        z = end;
      }
}

}  // namespace

template <class T>
std::vector<TargetChunk> cut_chunks(Cells const& cells, BlockedPoints<T> const& sources,
                                    BlockedPoints<T> const& targets, int many, int pieces) {
  int const blocks = cells.block_count();
  NeighbourCount neighbours(cells);
  for (int b = 0; b < blocks; ++b)
    for_each_run(neighbours, cells, sources, b,
                 [&](int x, int y, int z, int first, int last) { neighbours.add(x, y, z, last - first); });
  neighbours.sum_up();

  std::vector<double> pairs(std::size_t(blocks), 0);
  double all = 0;
  for (int b = 0; b < blocks; ++b) {
    double& sum = pairs[std::size_t(b)];
    for_each_run(neighbours, cells, targets, b,
                 [&](int x, int y, int z, int first, int last) { sum += (last - first) * neighbours.at(x, y, z); });
    all += sum;
  }

  std::vector<TargetChunk> chunks;
  double const per_point = blocks / double(targets.size()), per_pair = all > 0 ? blocks / all : 0;
  for (int b = 0; b < blocks; ++b) {
    int const points = targets.count(b);
    if (points == 0) continue;
    double const load = points * per_point + pairs[std::size_t(b)] * per_pair;
    int const least = points >= many ? pieces : 1,
              count = std::min(points, std::max(least, static_cast<int>(std::ceil(load / max_means))));
    if (count <= 1) {
      chunks.push_back({b, {0, points}, pairs[std::size_t(b)]});
      continue;
    }
    TargetChunk chunk{b, {0, 0}, 0};
    double done = 0;  // load of the points so far
    int made = 0;
    for_each_run(neighbours, cells, targets, b, [&](int x, int y, int z, int first, int last) {
      double const near = neighbours.at(x, y, z), each = per_point + near * per_pair;
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
  }
  return chunks;
}

std::vector<TargetChunk> one_chunk(Cells const& cells, std::size_t sources, std::size_t targets) {
  double const box = cells.volume(), ball = 4 * pi<double> / 3 * cells.cutoff * cells.cutoff * cells.cutoff;
  return {{0, {0, int(targets)}, double(targets) * double(sources) * std::min(1.0, ball / box)}};
}

template std::vector<TargetChunk> cut_chunks(Cells const&, BlockedPoints<double> const&, BlockedPoints<double> const&,
                                             int, int);
template std::vector<TargetChunk> cut_chunks(Cells const&, BlockedPoints<float> const&, BlockedPoints<float> const&,
                                             int, int);

}  // namespace nearfar::detail
