// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/gather/gather.hpp"
#include "codelets/pic/scatter/scatter.hpp"
#include "codelets/pic/sort/sort.hpp"
#include "codelets/pic/totals/totals.hpp"
#include "core/poisson/options.hpp"
#include "tests/codelets/local_buffers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

namespace nearfar::test {

/// Particles of one block everywhere in a box, some of them on its faces and many in one cell.
template <class T>
struct PicBlock {
  std::vector<T> phase, charge, sorted, field;
  std::vector<std::int32_t> order;

  PicBlock(int count, PicGrid const& grid, unsigned seed)
      : phase(std::size_t(6 * count)), charge(std::size_t(count)), sorted(std::size_t(4 * count), T(NAN)),
        field(std::size_t(3 * count), T(NAN)), order(std::size_t(grid.planes() + 1 + count), -1) {
    std::mt19937 random(seed);
    auto const uniform = [&] { return random() / 4294967296.0; };
    for (int i = 0; i < count; ++i) {
      for (int d = 0; d < 3; ++d) {
        double const edge = grid.cells.size[d] / grid.cells.cells_per_length[d];
        double const place = i % 7 == 0 ? 0 : i % 7 == 1 ? 1 : i % 7 < 4 ? 0.4 + 0.05 * uniform() : uniform();
        phase[std::size_t(d * count + i)] = T((d == i % 3 || i % 7 > 1 ? place : uniform()) * edge);
        phase[std::size_t((3 + d) * count + i)] = T(uniform() - 0.5);
      }
      charge[std::size_t(i)] = T(uniform() - 0.3);
    }
  }
  int count() const { return int(charge.size()); }
};

/// Two slabs of a grid, and what the loop's stages find on it.
template <class T>
struct PicCase {
  PicGrid grid;
  std::vector<PicBlock<T>> blocks;
  std::vector<std::vector<T>> density, field;  ///< of each slab

  PicCase(std::array<bool, 3> const& periodic) {
    PoissonOptions const o{.grid = {6, 9, 7}, .box = {1, 1.5, 0.8}, .periodic = periodic};
    PoissonGrid const poisson = make_poisson_grid(o);
    grid.layout = plain_layout(poisson.edge, poisson.size, poisson.open(), poisson.size);
    grid.layout.slabs = 2;
    grid.layout.row_length += 1;
    for (std::size_t d = 0; d < 3; ++d) {
      grid.axes[d] = poisson.axes[d];
      grid.cells.size[d] = o.grid[d];
      grid.cells.cells_per_length[d] = o.grid[d] / o.box[d];
      grid.cells.periodic[d] = periodic[d];
    }
    blocks.emplace_back(3000, grid, 1u);
    blocks.emplace_back(517, grid, 2u);
    std::mt19937 random(3);
    for (int s = 0; s < grid.layout.slabs; ++s) {
      auto const numbers = std::size_t(grid.layout.planes(s) * grid.layout.plane_size());
      density.emplace_back(numbers, T(NAN));
      field.emplace_back(3 * numbers);
      for (T& f : field.back()) f = T(random() / 2147483648.0 - 1);
    }
  }

  template <class Run>
  void sort(Run const& run) {
    for (auto& b : blocks) {
      LocalBuffers buffers;
      buffers.access().add(b.phase).access().add(b.charge).access().add(b.sorted).access().add(b.order);
      run(buffers.view(), SortArgs{grid});
    }
  }
  template <class Run>
  void scatter(Run const& run) {
    for (int s = 0; s < grid.layout.slabs; ++s) {
      LocalBuffers buffers;
      buffers.access();
      for (auto& b : blocks) buffers.add(b.sorted);
      buffers.access();
      for (auto& b : blocks) buffers.add(b.order);
      buffers.access().add(density[std::size_t(s)]);
      run(buffers.view(), ScatterArgs{grid, s});
    }
  }
  template <class Run>
  void gather(Run const& run) {
    for (auto& b : blocks) {
      LocalBuffers buffers;
      buffers.access();
      for (auto& f : field) buffers.add(f);
      buffers.access().add(b.sorted).access().add(b.order).access().add(b.field);
      run(buffers.view(), GatherArgs{grid});
    }
  }
  /// The sums of the blocks; the first component of the field stands for the potential.
  template <class Run>
  std::vector<std::vector<double>> measure(Run const& run, Motion const& motion) {
    std::vector<std::vector<double>> sums(blocks.size(), std::vector<double>(pic_sums, NAN));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      LocalBuffers buffers;
      buffers.access().add(blocks[i].phase).access().add(blocks[i].charge).access();
      for (auto& f : field) buffers.add(f.data(), f.size() / 3);
      buffers.access().add(sums[i]);
      run(buffers.view(), MeasureArgs{grid, motion});
    }
    return sums;
  }
  /// The numbers of a PicTotals.
  template <class Run>
  std::vector<double> tally(Run const& run, std::vector<std::vector<double>> sums) {
    std::vector<double> totals(8, NAN);
    LocalBuffers buffers;
    buffers.access();
    for (auto& s : sums) buffers.add(s);
    buffers.access();
    for (auto& d : density) buffers.add(d);
    buffers.access().add(totals);
    run(buffers.view(), TallyArgs{0.25, 0.125});
    return totals;
  }
};

inline Motion pic_motion() {
  Motion m;
  m.step = 0.3;
  m.charge_per_mass = -1.5;
  for (int d = 0; d < 3; ++d) {
    m.electric[d] = 0.1 * d;
    m.gradient[d] = 0.2 - 0.1 * d;
    m.centre[d] = 0.4;
    m.magnetic[d] = 0.7 + d;
  }
  m.edge[0] = 1, m.edge[1] = 1.5, m.edge[2] = 0.8;
  m.periodic[1] = true;
  return m;
}

template <class V>
void check_close(V const& a, V const& b, double tolerance) {
  double error = 0, size = 0;
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += std::pow(double(a[i]) - double(b[i]), 2);
    size += std::pow(double(b[i]), 2);
  }
  CHECK(std::sqrt(error) <= tolerance * std::sqrt(size));
}

/// All stages between push and kick, by runners of one kind, against the portable bodies: `by.template run<Stage>`.
template <class T, class By>
void check_pic_stages(By const& by, double tolerance) {
  for (auto const& periodic : {std::array{false, false, false}, std::array{true, false, false},
                               std::array{true, false, true}, std::array{true, true, true}}) {
    PicCase<T> expected(periodic), found(periodic);
    expected.sort(Sort<T>::portable);
    found.sort([&](auto const&... a) { by.template run<Sort<T>>(a...); });
    for (std::size_t b = 0; b < found.blocks.size(); ++b) {
      auto const &one = found.blocks[b], &other = expected.blocks[b];
      int const planes = found.grid.planes();
      CHECK(std::equal(one.order.begin(), one.order.begin() + planes + 1, other.order.begin()));
      auto const* const place = one.order.data() + planes + 1;
      auto const cell = [&](int i) {
        std::array<int, 4> key{};
        for (int d = 0; d < 3; ++d) key[std::size_t(d)] = found.grid.cloud(one.sorted.data() + 4 * i, d).low;
        key[3] = place[i];  // those of a cell stay in their order
        return key;
      };
      for (int i = 0; i < one.count(); ++i) {
        if (i > 0) CHECK(cell(i - 1) < cell(i));
        for (int d = 0; d < 3; ++d)
          CHECK(one.sorted[std::size_t(4 * i + d)] == one.phase[std::size_t(d * one.count() + place[i])]);
        CHECK(one.sorted[std::size_t(4 * i + 3)] == one.charge[std::size_t(place[i])]);
      }
    }
    expected.scatter(Scatter<T>::portable);
    found.scatter([&](auto const&... a) { by.template run<Scatter<T>>(a...); });
    expected.gather(Gather<T>::portable);
    found.gather([&](auto const&... a) { by.template run<Gather<T>>(a...); });
    for (std::size_t s = 0; s < found.density.size(); ++s)
      check_close(found.density[s], expected.density[s], tolerance);
    for (std::size_t b = 0; b < found.blocks.size(); ++b)
      check_close(found.blocks[b].field, expected.blocks[b].field, tolerance);
    auto const sums = expected.measure(Measure<T>::portable, pic_motion());
    auto const others = found.measure([&](auto const&... a) { by.template run<Measure<T>>(a...); }, pic_motion());
    for (std::size_t b = 0; b < sums.size(); ++b) check_close(others[b], sums[b], tolerance);
    check_close(found.tally([&](auto const&... a) { by.template run<Tally<T>>(a...); }, sums),
                expected.tally(Tally<T>::portable, sums), tolerance);
  }
}

}  // namespace nearfar::test
