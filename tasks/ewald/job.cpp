// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/job.hpp"

#include "codelets/points/moment/moment.hpp"
#include "core/geometry/mutual.hpp"

namespace nearfar::detail {

template <class A, class T>
std::vector<SolveData> block_data(char const* name, PointSet<T> const& points, int components) {
  std::vector<SolveData> data;
  for (int b = 0; b < points.sources().blocks(); ++b)
    data.push_back(
        SolveData::temporary<A>(name, points.sources().stride(b) * components, points.owners().block[std::size_t(b)]));
  return data;
}

template <class T>
std::vector<SolveData> chunk_data(char const* name, PointSet<T> const& points, int components) {
  std::vector<SolveData> data;
  if (components == 0) return data;
  for (std::size_t i = 0; i < points.chunks().size(); ++i)
    data.push_back(SolveData::temporary<T>(
        name, BlockedPoints<T>::stride_for(points.chunks()[i].points.count()) * components, points.owners().chunk[i]));
  return data;
}

template <class T>
std::vector<std::vector<MutualContribution>> mutual_data(Cells const& cells, PointSet<T> const& points, int row) {
  std::vector<std::vector<MutualContribution>> contributions;
  if (row == 0) return contributions;
  for (std::size_t i = 0; i < points.chunks().size(); ++i) {
    Block const block = block_at(cells, points.chunks()[i].block);
    Neighbours const around = neighbours(cells, block);
    auto& found = contributions.emplace_back();
    for (int n = 0; n < around.count(); ++n) {
      int const other = around.block(cells, n);
      if (sums_for_both(cells, block, block_at(cells, other)))
        found.push_back({other, SolveData::temporary<T>("contribution", points.targets().stride(other) * row,
                                                        points.owners().chunk[i])});
    }
  }
  return contributions;
}

std::vector<SolveData> moment_data(BlockOwners const& owners, bool wanted) {
  std::vector<SolveData> data;
  for (std::size_t b = 0; wanted && b < owners.block.size(); ++b)
    data.push_back(SolveData::temporary<double>("moment", moment_size, owners.block[b]));
  return data;
}

#define NEARFAR_INSTANTIATE(T)                                                         \
  template std::vector<SolveData> block_data<T>(char const*, PointSet<T> const&, int); \
  template std::vector<SolveData> chunk_data(char const*, PointSet<T> const&, int);    \
  template std::vector<std::vector<MutualContribution>> mutual_data(Cells const&, PointSet<T> const&, int);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)
template std::vector<SolveData> block_data<float>(char const*, PointSet<double> const&, int);

}  // namespace nearfar::detail
