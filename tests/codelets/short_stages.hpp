// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/cell/cell.hpp"
#include "codelets/near/reduce/reduce.hpp"
#include "codelets/points/energy/energy.hpp"
#include "codelets/points/moment/moment.hpp"
#include "codelets/points/units/units.hpp"
#include "core/kernels/description/strength_unit.hpp"
#include "core/tree/tables.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/codelets/row_shapes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace nearfar::test {

template <class T>
std::vector<T> random_row(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> numbers(count);
  for (T& number : numbers) number = T(random() / 2147483648.0 - 1);
  return numbers;
}

/// The largest difference by the largest number.
template <class T>
double worst_difference(std::vector<T> const& got, std::vector<T> const& wanted) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    double const difference = std::fabs(double(got[i]) - double(wanted[i]));
    error = std::isnan(difference) ? INFINITY : std::max(error, difference);
    size = std::max(size, std::fabs(double(wanted[i])));
  }
  return size > 0 ? error / size : error;
}

// Stages that are short, by Means::run<Stage>(buffers, args), against the portable bodies.

/// Charges of several leaves, with arrays that are longer than there are points.
template <class Means, class T>
void check_cell_moments(int points, CellMomentArgs const& args) {
  CAPTURE(points);
  std::vector<Leaf> leaves{{{0, 0, 0}, 0, points / 3}, {{1, 0, 0}, points / 3, points}};
  auto const stride = std::size_t(points) + 7;
  auto position = random_row<T>(3 * stride, 1),
       strength = random_row<T>(std::size_t(args.vectors * (args.charges + args.dipoles)) * stride, 2);
  std::vector<double> wanted(std::size_t(args.vectors * cell_moments), NAN), got(wanted);
  for (auto* out : {&wanted, &got}) {
    LocalBuffers b;
    b.access().add(leaves).access().add(position).access().add(strength).access().add(*out);
    if (out == &wanted) CellMoment<T>::portable(b.view(), args);
    else Means::template run<CellMoment<T>>(b.view(), args);
  }
  CHECK(worst_difference(got, wanted) < 1e-13);
}

template <class Means>
void check_cell_sums(int blocks, int vectors) {
  CAPTURE(blocks);
  std::vector<std::vector<double>> moments;
  for (int i = 0; i < blocks; ++i)
    moments.push_back(random_row<double>(std::size_t(vectors * cell_moments), unsigned(i)));
  std::vector<StrengthUnit> units(static_cast<std::size_t>(vectors));
  std::vector<double> wanted(std::size_t(vectors * cell_moments), NAN), got(wanted);
  for (auto* out : {&wanted, &got}) {
    LocalBuffers b;
    b.access();
    for (auto& block : moments) b.add(block);
    b.access().add(units).access().add(*out);
    if (out == &wanted) CellSum::portable(b.view(), {vectors});
    else Means::template run<CellSum>(b.view(), {vectors});
  }
  CHECK(got == wanted);  // one order
}

template <class Means, class T, int G>
void check_cell_field(int points, int vectors) {
  CAPTURE(points);
  std::vector<Leaf> leaves{{{0, 0, 0}, 0, points}};
  auto const stride = std::size_t(points) + 5;
  auto moments = random_row<double>(std::size_t(vectors * cell_moments), 1);
  auto position = random_row<T>(3 * stride, 2);
  std::vector<T> wanted(std::size_t(vectors * LaplaceSums::Evaluation<G>::results) * stride, T(3)), got(wanted);
  CellFieldArgs const args{vectors, -2.8, 1.5, {1, 0.9, 0.8}};
  for (auto* out : {&wanted, &got}) {
    LocalBuffers b;
    b.access().add(moments).access().add(leaves).access().add(position).access().add(*out);
    if (out == &wanted) CellField<T, G>::portable(b.view(), args);
    else Means::template run<CellField<T, G>>(b.view(), args);
  }
  CHECK(worst_difference(got, wanted) < (sizeof(T) == 8 ? 1e-14 : 1e-6));
}

/// Ranges of which some have nothing but zeros.
template <class Means>
void check_units(int ranges, int strengths, int vectors) {
  CAPTURE(ranges);
  CAPTURE(strengths);
  int const groups = unit_shape(strengths).strengths.groups;
  std::vector<std::vector<double>> largest;
  for (int i = 0; i < ranges; ++i) {
    largest.push_back(random_row<double>(std::size_t(groups * vectors), unsigned(i)));
    for (std::size_t g = 0; g < largest.back().size(); ++g)
      largest.back()[g] = i % 3 == 2 || g == 1 ? 0 : std::ldexp(std::fabs(largest.back()[g]), 40 * int(g) - 300);
  }
  std::vector<StrengthUnit> wanted(static_cast<std::size_t>(vectors)), got(wanted);
  for (auto* out : {&wanted, &got}) {
    LocalBuffers b;
    b.access();
    for (auto& range : largest) b.add(range);
    b.access().add(*out);
    if (out == &wanted) Units::portable(b.view(), {unit_shape(strengths), vectors, -3});
    else Means::template run<Units>(b.view(), {unit_shape(strengths), vectors, -3});
  }
  CHECK(std::memcmp(got.data(), wanted.data(), wanted.size() * sizeof(StrengthUnit)) == 0);
}

/// Some sources in the middle, one of which is infinite.
template <class Means, class T>
void check_largest(int sources, int strengths, int vectors) {
  CAPTURE(sources);
  CAPTURE(strengths);
  auto rows = random_row<T>(std::size_t((sources + 9) * strengths * vectors), unsigned(sources));
  if (sources > 4) rows[std::size_t(8 * strengths * vectors)] = std::numeric_limits<T>::infinity();
  auto const columns = std::size_t(unit_shape(strengths).strengths.groups * vectors);
  std::vector<double> wanted(columns, NAN), got(columns, NAN);
  LargestArgs const args{unit_shape(strengths).strengths, vectors, 5, 5 + sources};
  for (auto* out : {&wanted, &got}) {
    LocalBuffers b;
    b.access().add(rows).access().add(*out);
    if (out == &wanted) Largest<T>::portable(b.view(), args);
    else Means::template run<Largest<T>>(b.view(), args);
  }
  CHECK(got == wanted);
}

/// Dipoles of which some belong to combined sources, with arrays that are longer than there are points.
template <class Means, class T>
void check_moments(int points, bool with_forces) {
  CAPTURE(points);
  std::vector<std::int32_t> offset{0, points / 2, points};
  auto const stride = std::size_t(points) + 3;
  MomentArgs const args{.forces = with_forces ? 3 : 0};
  auto position = random_row<T>(3 * stride, 1), strength = random_row<T>(std::size_t(args.forces + 6) * stride, 2);
  std::vector<double> wanted(moment_size, NAN), got(wanted);
  for (auto* out : {&wanted, &got}) {
    LocalBuffers b;
    b.access().add(position).access().add(offset).access().add(strength).access().add(*out);
    if (out == &wanted) Moment<T>::portable(b.view(), args);
    else Means::template run<Moment<T>>(b.view(), args);
  }
  CHECK(worst_difference(got, wanted) < 1e-12);
}

template <class Means>
void check_moment_sum(int blocks) {
  CAPTURE(blocks);
  std::vector<std::vector<double>> moments;
  for (int i = 0; i < blocks; ++i) moments.push_back(random_row<double>(moment_size, unsigned(i)));
  std::vector<double> wanted(moment_size, NAN), got(wanted);
  for (auto* out : {&wanted, &got}) {
    LocalBuffers b;
    b.access();
    for (auto& block : moments) b.add(block);
    b.access().add(*out);
    if (out == &wanted) MomentSum::portable(b.view(), {-2.5});
    else Means::template run<MomentSum>(b.view(), {-2.5});
  }
  CHECK(got == wanted);  // one order
}

/// A chunk of charges, of dipoles, or of both, with a part in rows and one by component, as P2P and G2P leave them.
template <class Means, class T, class Far>
void check_energies(int points, EnergyStrengths at, bool virial) {
  CAPTURE(points);
  CAPTURE(at.charge);
  CAPTURE(at.moment);
  int const first = 5, row = 12, components = 10;
  auto const stride = std::size_t(first + points) + 3;
  EnergyArgs const args{.chunk = {first, first + points},
                        .components = components,
                        .first_row = row,
                        .single_last = sizeof(Far) < sizeof(T),
                        .single_strengths = sizeof(Far) < sizeof(T),
                        .at = at,
                        .virial = virial,
                        .near = true,
                        .centre = {0.5, 0.4, 0.3}};
  auto near = random_row<T>(std::size_t(points * row), 1), position = random_row<T>(3 * stride, 2),
       near_position = random_row<T>(3 * stride, 5);
  auto far = random_row<Far>(components * (std::size_t(points) + 1), 3), strength = random_row<Far>(4 * stride, 4);
  std::vector<double> wanted(energy_sums, NAN), got(wanted);
  for (auto* out : {&wanted, &got}) {
    LocalBuffers b;
    b.access().add(near).add(far).access().add(strength).access().add(position).access().add(near_position);
    b.access().add(*out);
    if (out == &wanted) Energy<T>::portable(b.view(), args);
    else Means::template run<Energy<T>>(b.view(), args);
  }
  CHECK(worst_difference(got, wanted) < 1e-12);
}

/// Sums of chunks and of groups of columns, of which there are none without a virial of pairs.
template <class Means>
void check_energy_sum(int chunks, int free) {
  CAPTURE(chunks);
  CAPTURE(free);
  std::vector<std::vector<double>> of_chunks, of_images, of_modes;
  for (int i = 0; i < chunks; ++i) of_chunks.push_back(random_row<double>(energy_sums, unsigned(i)));
  for (int i = 0; free < 3 && i < 5; ++i) of_modes.push_back(random_row<double>(7, unsigned(100 + i)));
  for (int i = 0; free < 3 && i < chunks; ++i) of_images.push_back(random_row<double>(9, unsigned(200 + i)));
  std::vector<StrengthUnit> unit(1);
  unit[0].strength[0] = 3;
  unit[0].result[0] = -5;
  std::vector<double> wanted(energy_and_virial, NAN), got(wanted);
  EnergySumArgs const args{{2, 1, 0}, false, true, free};
  for (auto* out : {&wanted, &got}) {
    LocalBuffers b;
    b.access();
    for (auto& sums : of_chunks) b.add(sums);
    b.access();
    for (auto& sums : of_images) b.add(sums);
    b.access();
    for (auto& sums : of_modes) b.add(sums);
    b.access().add(unit).access().add(*out);
    if (out == &wanted) EnergySum::portable(b.view(), args);
    else Means::template run<EnergySum>(b.view(), args);
  }
  CHECK(got == wanted);  // one order
}

/// The chunk of a block, from `first` on, with what all blocks around it found; cells with no points and with some.
template <class Means, class T>
void check_reduce(bool periodic, int block, int first, int row) {
  Cells cells;
  int const count[3] = {10, 9, 2}, blocks[3] = {4, 3, 1};
  for (int d = 0; d < 3; ++d) {
    cells.count[d] = count[d];
    cells.blocks[d] = blocks[d];
    cells.periodic[d] = periodic;
  }
  cells.cutoff = 0.1;
  ReduceArgs args{cells, block_at(cells, block), {}, row, {}};
  std::vector<std::int32_t> offset{0};
  for (int c = 0; c < cells.cells_in(0, args.block.at[0]) * cells.cells_in(1, args.block.at[1]) * 2; ++c)
    offset.push_back(offset.back() + (c % 5 == 0 ? 0 : 3 * (c % 4)));
  int const points = offset.back();
  args.chunk = {std::min(first, points), points - (points - std::min(first, points)) / 4};
  std::vector<std::vector<T>> contributions;
  for (int b = 0; b < cells.block_count(); ++b) {
    if (b == block) continue;
    args.from[contributions.size()] = block_at(cells, b);
    contributions.push_back(random_row<T>(std::size_t(points * row), unsigned(b)));
  }
  auto wanted = random_row<T>(std::size_t(args.chunk.count() * row), 99), got = wanted;
  for (auto* near : {&wanted, &got}) {
    LocalBuffers b;
    b.access().add(offset).access();
    for (auto& rows : contributions) b.add(rows);
    b.access().add(*near);
    if (near == &wanted) Reduce<T>::portable(b.view(), args);
    else Means::template run<Reduce<T>>(b.view(), args);
  }
  CHECK(got == wanted);  // one order
}

template <class Means>
void check_short_stages() {
  for (int points : {0, 1, 2, 129, 1001, 20000})
    for (int vectors : {1, 3}) {
      check_cell_moments<Means, double>(points, {vectors});
      check_cell_moments<Means, float>(points, {vectors});
      check_cell_moments<Means, double>(points, {vectors, 0, 3});
      check_cell_moments<Means, double>(points, {vectors, 1, 3});
      check_cell_field<Means, double, 2>(points, vectors);
      check_cell_field<Means, double, 1>(points, vectors);
      check_cell_field<Means, double, 0>(points, vectors);
      check_cell_field<Means, float, 1>(points, vectors);
      check_cell_field<Means, float, 0>(points, vectors);
    }
  for (int blocks : {1, 2, 7, 500}) {
    for (int vectors : {1, 30}) check_cell_sums<Means>(blocks, vectors);
    check_moment_sum<Means>(blocks);
  }
  for (int points : {0, 1, 255, 1001, 20000})
    for (bool with_forces : {false, true}) {
      check_moments<Means, double>(points, with_forces);
      check_moments<Means, float>(points, with_forces);
    }
  for (int chunks : {1, 7, 500})
    for (int free : {0, 1, 2, 3}) check_energy_sum<Means>(chunks, free);
  for (int points : {0, 1, 129, 20000})
    for (EnergyStrengths const at : {EnergyStrengths{0, -1}, {-1, 0}, {0, 1}}) {
      check_energies<Means, double, double>(points, at, true);
      check_energies<Means, double, float>(points, at, true);
      check_energies<Means, float, float>(points, at, at.charge < 0);
    }
  for (int sources : {0, 1, 257, 300000})
    for (int strengths : {1, 3, 6, 9})
      for (int vectors : {1, 2}) {
        check_largest<Means, double>(sources, strengths, vectors);
        check_largest<Means, float>(sources, strengths, vectors);
      }
  for (int ranges : {1, 2, 5, max_strength_ranges})
    for (int strengths : {1, 3, 6, 9})
      for (int vectors : {1, 2, 40}) check_units<Means>(ranges, strengths, vectors);
  for (bool periodic : {true, false})
    for (int block : {0, 4, 11})
      for (int first : {0, 7, 1000}) {
        check_reduce<Means, double>(periodic, block, first, 3);
        check_reduce<Means, float>(periodic, block, first, 4);
      }
}

}  // namespace nearfar::test
