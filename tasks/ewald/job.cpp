// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/job.hpp"

#include "codelets/points/moment/moment.hpp"
#include "core/geometry/mutual.hpp"

namespace nearfar::detail {

template <class A, class T>
std::vector<SolveData> block_data(char const* name, BlockedPoints<T> const& points, BlockOwners const& owner,
                                  int components) {
  std::vector<SolveData> data;
  for (int b = 0; b < owner.blocks; ++b)
    data.push_back(SolveData::temporary<A>(name, points.stride(b) * components, owner(b)));
  return data;
}

template <class T>
std::vector<SolveData> chunk_data(char const* name, PointSet<T> const& points, BlockOwners const& owner,
                                  int components) {
  std::vector<SolveData> data;
  if (components == 0) return data;
  for (TargetChunk const& chunk : points.chunks())
    data.push_back(SolveData::temporary<T>(name, BlockedPoints<T>::stride_for(chunk.points.count()) * components,
                                           owner(chunk.block)));
  return data;
}

template <class T>
std::vector<std::vector<MutualContribution>> mutual_data(Cells const& cells, PointSet<T> const& points,
                                                         BlockOwners const& owner, int row) {
  std::vector<std::vector<MutualContribution>> contributions;
  if (row == 0) return contributions;
  for (TargetChunk const& chunk : points.chunks()) {
    Block const block = block_at(cells, chunk.block);
    Neighbours const around = neighbours(cells, block);
    auto& found = contributions.emplace_back();
    for (int n = 0; n < around.count(); ++n) {
      int const other = around.block(cells, n);
      if (sums_for_both(cells, block, block_at(cells, other)))
        found.push_back(
            {other, SolveData::temporary<T>("contribution", points.targets().stride(other) * row, owner(chunk.block))});
    }
  }
  return contributions;
}

std::vector<SolveData> moment_data(BlockOwners const& owner, bool wanted) {
  std::vector<SolveData> data;
  for (int b = 0; wanted && b < owner.blocks; ++b)
    data.push_back(SolveData::temporary<double>("moment", moment_size, owner(b)));
  return data;
}

#define NEARFAR_INSTANTIATE(T)                                                                                  \
  template std::vector<SolveData> block_data<T>(char const*, BlockedPoints<T> const&, BlockOwners const&, int); \
  template std::vector<SolveData> chunk_data(char const*, PointSet<T> const&, BlockOwners const&, int);         \
  template std::vector<std::vector<MutualContribution>> mutual_data(Cells const&, PointSet<T> const&,           \
                                                                    BlockOwners const&, int);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)
template std::vector<SolveData> block_data<float>(char const*, BlockedPoints<double> const&, BlockOwners const&, int);

}  // namespace nearfar::detail
