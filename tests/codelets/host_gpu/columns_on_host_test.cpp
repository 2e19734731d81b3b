// SPDX-License-Identifier: BSD-3-Clause
// The transforms along x, and what happens to the modes between them, as GPUs do it, on the host.
#include "codelets/spectral/fft/column_plan.cu"
#include "codelets/spectral/scale/column_lists.cu"
#include "codelets/spectral/scale/scale.cu"

#include "codelets/spectral/fft/plans.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/codelets/random_numbers.hpp"
#include "tests/codelets/spectral/planes.hpp"

#include <nearfar/runtime.hpp>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// x alone is free, and its zeros depend on both modes of a column.
SpectralLayout lists_of_columns() {
  SpectralLayout l = make_layout({{5, 7, 6}, 1, {12, 7, 6}, {0, 0}, 0, 2, 3});
  l.paddings = 3;
  for (int p : {1, 2}) {
    l.padding[p] = l.padding[0];
    l.padding[p].size[0] = p == 1 ? 9 : 5;
    l.padding[p].lowest_squared = p == 1 ? 30 : 120;
  }
  return l;
}

/// The same modes in a cell with other angles than right ones.
SpectralLayout skewed(SpectralLayout l) {
  constexpr double slant[3][3] = {{1.1, -0.2, 0.1}, {0, 1.05, 0.3}, {0.2, 0, 1.2}};
  l.skewed = true;
  std::copy_n(&slant[0][0], 9, &l.slant[0][0]);
  return l;
}

/// Against the portable body, the tiles of all slabs.
template <class Operator>
void check_columns(SpectralLayout const& l, double tolerance, std::size_t part_bytes, Operator const& apply = {}) {
  using T = typename Operator::Number;
  constexpr int out = Operator::out, most = Scale<Operator>::components;
  prepare_plans<T>(l);
  auto multipliers = random_numbers<T>(Operator::numbers * ModeTable<T>::size(l), 7);
  AlignedVector<std::complex<T>> scratch(std::size_t(most * column_scratch(l)));
  for (int g = 0; g < l.columns; ++g) {
    std::vector<AlignedVector<T>> tiles;
    for (int s = 0; s < l.slabs; ++s)
      tiles.push_back(random_numbers<T>(2 * most * l.planes(s) * l.columns_in(g), unsigned(10 * s + g)));
    auto others = tiles;
    ScaleArgs<Operator> const args{l, g, apply};
    std::vector<double> sums(std::size_t(sums_of<Operator>()) + 1, 7), sums_of_gpu(sums);  // one more than there are
    LocalBuffers b;
    b.access().add(multipliers).access().add(scratch).access();
    for (auto& tile : tiles) b.add(tile);
    b.access().add(sums);
    Scale<Operator>::portable(b.view(), args);
    std::vector<GpuComplex<T>*> of_gpu;
    for (auto& tile : others) of_gpu.push_back(reinterpret_cast<GpuComplex<T>*>(tile.data()));
    launch_scale<Operator, T>(args, multipliers.data(), of_gpu, nullptr, part_bytes, sums_of_gpu.data());
    for (std::size_t m = 0; m < sums.size(); ++m)
      CHECK(sums_of_gpu[m] == doctest::Approx(sums[m]).epsilon(100 * tolerance).scale(std::abs(sums[0])));
    double wrong = 0, all = 0;
    for (int s = 0; s < l.slabs; ++s)
      for (int i = 0; i < 2 * out * l.planes(s) * l.columns_in(g); ++i) {
        double const expected = tiles[std::size_t(s)][std::size_t(i)];
        wrong += std::pow(others[std::size_t(s)][std::size_t(i)] - expected, 2);
        all += expected * expected;
      }
    CHECK(wrong <= tolerance * tolerance * all);
  }
}

template <class T>
void check_all(SpectralLayout const& l, double tolerance, std::size_t part_bytes) {
  check_columns<PotentialOperator<T>>(l, tolerance, part_bytes);
  check_columns<FieldOperator<T>>(l, tolerance, part_bytes);
  check_columns<PotentialAndFieldOperator<T>>(l, tolerance, part_bytes);
  check_columns<FarOperator<T, LaplaceFar>>(l, tolerance, part_bytes, {{T(0.3)}});
  FarVirialOperator<T> with_virial{{{T(0.3)}}, {}};
  with_virial.slope.of_ghat.scale = with_virial.slope.of_w.scale = T(0.01);
  with_virial.slope.of_ghat.shape = {1, {T(2), T(0.3)}};
  with_virial.slope.of_w.shape = {1, {T(1.5), T(-0.2)}};
  check_columns<FarVirialOperator<T>>(l, tolerance, part_bytes, with_virial);
  check_columns<FarOperator<T, StokesletFar>>(l, tolerance, part_bytes, {{T(0.3), T(0.2), T(-0.1)}});
  check_columns<FarOperator<T, DoubleLayerFar>>(l, tolerance, part_bytes, {{T(0.3), T(0.2), T(-0.1), T(0.4)}});
  check_columns<InfluenceOperator<T, LaplaceFar>>(l, tolerance, part_bytes);
  check_columns<InfluenceOperator<T, StokesletFar>>(l, tolerance, part_bytes);
  check_columns<InfluenceOperator<T, DoubleLayerFar>>(l, tolerance, part_bytes);
}

}  // namespace

TEST_CASE("columns: as GPUs transform and scale them, whole and in parts") {
  Runtime const runtime({.cpus = 1, .gpus = 0});  // portable bodies run through Kokkos
  for (std::size_t const part_bytes : {std::size_t(1), std::size_t(3000), std::size_t(1) << 30}) {
    CAPTURE(part_bytes);
    for (auto const& c : cases) {
      CAPTURE(c.size[1]);
      CAPTURE(c.free);
      check_all<double>(make_layout(c), 1e-13, part_bytes);
      check_all<float>(make_layout(c), 1e-5, part_bytes);
    }
    for (SpectralLayout l : {two_sections(), lists_of_columns(), make_layout(cases[0]), skewed(lists_of_columns()),
                             skewed(make_layout(cases[0]))})
      for (double const band : {HUGE_VAL, some_band}) {
        set_sections(l, band);
        check_all<double>(l, 1e-13, part_bytes);
      }
  }
}
