// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/arena.hpp"
#include "tasks/engine/solve/submit.hpp"
#include "tasks/spectral/transform.hpp"

#include <nearfar/runtime.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace nearfar::test {

/// How a field is cut.
struct FieldCut {
  int slabs = 1, groups = 1;
};

/// A field and what becomes of it in one solve: [component][x][y][z] in and out, whatever the layout says of slabs.
template <class Operator>
auto solve_field(Runtime const& runtime, SpectralLayout layout, FieldCut const& cut, Operator const& apply,
                 std::vector<typename Operator::Number> const& table,
                 std::vector<typename Operator::Number> const& field) {
  using T = typename Operator::Number;
  layout.slabs = std::min(cut.slabs, layout.size[0]);
  layout.columns = std::min(cut.groups, layout.column_count());
  std::size_t const points = std::size_t(layout.size[0]) * std::size_t(layout.size[1]) * std::size_t(layout.size[2]);
  auto place = [&](int m, int x, int y, int z) {
    return std::size_t(m) * points +
           (std::size_t(x) * std::size_t(layout.size[1]) + std::size_t(y)) * std::size_t(layout.size[2]) +
           std::size_t(z);
  };
  // Calls visit(place in the slab, place in the field) for a slab's values.
  auto for_slab = [&](int s, int components, auto visit) {
    for (int m = 0; m < components; ++m)
      for (int p = 0; p < layout.planes(s); ++p)
        for (int y = 0; y < layout.size[1]; ++y)
          for (int z = 0; z < layout.size[2]; ++z)
            visit(std::size_t((m * layout.planes(s) + p) * layout.plane_size() + y * layout.row_length + z),
                  place(m, layout.first_plane(s) + p, y, z));
  };

  detail::SpectralTransform<T> const transform(layout, Scale<Operator>::components);
  detail::Tiles const tiles = transform.make_tiles();
  std::vector<detail::Arena<T>> memory;
  std::vector<detail::SolveData> in, out;
  for (int s = 0; s < layout.slabs; ++s)
    for (auto* slabs : {&in, &out}) {
      int const components = slabs == &in ? Operator::in : Operator::out;
      memory.emplace_back(std::size_t(components) * std::size_t(layout.planes(s) * layout.plane_size()));
      T* const slab = memory.back().data();
      std::fill_n(slab, memory.back().size(), T(NAN));  // what is behind the rows must not matter
      if (slabs == &in) for_slab(s, Operator::in, [&](std::size_t i, std::size_t j) { slab[i] = field[j]; });
      slabs->push_back(detail::SolveData::over("slab", slab, std::int64_t(memory.back().size())));
    }
  detail::Data const multipliers = detail::Data::constant("table", table.data(), std::int64_t(table.size()));

  Solve solve = detail::submit_solve(runtime.shared(), {}, {}, [&](detail::Graph& graph) {
    transform.insert(graph, apply, multipliers, {in.begin(), in.end()}, tiles, {out.begin(), out.end()});
    in.clear();
    out.clear();
  });
  solve.wait();
  std::vector<T> result(Operator::out * points);
  for (int s = 0; s < layout.slabs; ++s)
    for_slab(s, Operator::out,
             [&](std::size_t i, std::size_t j) { result[j] = memory[std::size_t(2 * s + 1)].data()[i]; });
  return result;
}

/// Relative l2 error.
template <class T>
double error_of(std::vector<T> const& found, std::vector<double> const& exact) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error += std::pow(double(found[i]) - exact[i], 2);
    size += exact[i] * exact[i];
  }
  return std::sqrt(error / size);
}

inline constexpr FieldCut cuts[] = {{1, 1}, {2, 3}, {3, 2}, {7, 7}};

}  // namespace nearfar::test
