// SPDX-License-Identifier: BSD-3-Clause
// Each stage of Ewald's far part alone on the GPU, against the portable bodies.
#include "codelets/common/codelet.hpp"
#include "codelets/spectral/fft/fft.hpp"
#include "codelets/spectral/fft/plans.hpp"
#include "codelets/spectral/scale/scale.hpp"
#include "core/ewald/far/far_grid.hpp"
#include "core/ewald/far/far_operator.hpp"
#include "core/ewald/far/influence_operator.hpp"
#include "core/spectral/mode_table.hpp"
#include "tests/codelets/random_numbers.hpp"
#include "tests/codelets/spectral/grid_cases.hpp"
#include "tests/tasks/engine/gpu/on_device.hpp"

#include <nearfar/runtime.hpp>

#include <complex>

using namespace nearfar;
using namespace nearfar::test;

namespace {

template <class T>
double relative(AlignedVector<T> const& a, AlignedVector<T> const& b) {
  Difference difference;
  for (std::size_t i = 0; i < a.size(); ++i) difference.add(double(a[i]), double(b[i]));
  return difference.relative();
}

#if defined(NEARFAR_WITH_GPU_FFT)
SpectralLayout layout_of(Periodicity periodicity, int slabs, int columns, int halo = 0,
                         std::array<int, 3> const& grid = {30, 36, 28}) {
  EwaldOptions o;
  o.periodicity = periodicity;
  o.box = {1, 1.1, 0.9};
  EwaldPlanning p;
  p.box = o.box;
  p.cutoff = 0.2;
  p.split_parameter = 12;
  p.grid = grid;
  p.window_points = 6;
  p.slabs = slabs;
  p.columns = columns;
  p.halo_planes = halo;
  return make_grid(o, p).layout;
}

/// fft, scale and ifft of random slabs, each with what the portable body of the one before has left.
template <class Operator>
void check_transform(SpectralLayout const& l, Operator const& apply, double tolerance) {
  using T = typename Operator::Number;
  using Complex = std::complex<T>;
  constexpr int in = Operator::in, out = Operator::out, most = in > out ? in : out;
  CAPTURE(l.free);
  CAPTURE(l.slabs);
  prepare_plans<T>(l);
  auto multipliers = random_numbers<T>(Operator::numbers * ModeTable<T>::size(l), 7);
  AlignedVector<Complex> plane_scratch(std::size_t(PlaneScratch(l).size)),
      column_scratch(std::size_t(most * nearfar::column_scratch(l)));
  std::vector<AlignedVector<T>> slabs;
  std::vector<std::vector<AlignedVector<T>>> tiles;  // [slab][group], real and imaginary
  for (int s = 0; s < l.slabs; ++s) {
    slabs.push_back(random_numbers<T>(most * l.planes(s) * l.plane_size(), unsigned(s)));
    tiles.emplace_back();
    for (int g = 0; g < l.columns; ++g)
      tiles.back().emplace_back(std::size_t(2 * most * l.planes(s) * l.columns_in(g)), T(0));
    auto others = tiles.back();
    for (bool device : {false, true}) {
      LocalBuffers b;
      b.access().add(slabs.back()).access().add(plane_scratch).access();
      for (auto& tile : device ? others : tiles.back()) b.add(tile);
      PlaneArgs const args{l, s, in};
      if (device) run_on_device<Fft<T>>(b.view(), args);
      else Fft<T>::portable(b.view(), args);
    }
    for (std::size_t g = 0; g < others.size(); ++g) CHECK(relative(others[g], tiles.back()[g]) < tolerance);
  }
  auto others = tiles;
  for (bool device : {false, true})
    for (int g = 0; g < l.columns; ++g) {
      LocalBuffers b;
      b.access().add(multipliers).access().add(column_scratch).access();
      for (auto& of_slab : device ? others : tiles) b.add(of_slab[std::size_t(g)]);
      ScaleArgs<Operator> const args{l, g, apply};
      if (device) run_on_device<Scale<Operator>>(b.view(), args);
      else Scale<Operator>::portable(b.view(), args);
    }
  for (int s = 0; s < l.slabs; ++s) {
    for (int g = 0; g < l.columns; ++g) {
      // Beyond the components that go out there is what the transforms have left.
      auto const numbers = std::size_t(2 * out * l.planes(s) * l.columns_in(g));
      auto a = others[std::size_t(s)][std::size_t(g)], c = tiles[std::size_t(s)][std::size_t(g)];
      a.resize(numbers);
      c.resize(numbers);
      CHECK(relative(a, c) < tolerance);
    }
    AlignedVector<T> back[2];
    for (int which : {0, 1}) {
      auto copies = tiles[std::size_t(s)];
      back[which].assign(std::size_t(out * l.planes(s) * l.plane_size()), T(5));
      LocalBuffers b;
      b.access();
      for (auto& tile : copies) b.add(tile);
      b.access().add(plane_scratch).access().add(back[which]);
      PlaneArgs const args{l, s, out};
      if (which == 1) run_on_device<Ifft<T>>(b.view(), args);
      else Ifft<T>::portable(b.view(), args);
    }
    // Rows behind the ghosts are nobody's.
    Difference difference;
    for (int m = 0; m < out * l.planes(s); ++m)
      for (int y = 0; y < l.size[1] + l.ghosts; ++y)
        for (int z = 0; z < l.row_length; ++z) {
          auto const i = std::size_t(m * l.plane_size() + y * l.row_length + z);
          difference.add(double(back[1][i]), double(back[0][i]));
        }
    CHECK(difference.relative() < tolerance);
  }
}
#endif

/// Calls check(body) with all ways in which GPUs run a stage.
template <class S, class Check>
void for_each_way(Check const& check) {
  for (auto const& variant : stage_of<S>().gpu_variants()) {
    auto const way = typed_as<GpuVariant<typename S::Args>>(variant);
    CAPTURE(name(way.implementation));
    bool const by_turns = way.implementation == source_ordered || way.implementation == hybrid;
    check([&](Buffers const& b, typename S::Args const& args) { run_body_on_device<S>(b, args, way.body, !by_turns); });
  }
}

}  // namespace

TEST_CASE("p2g and g2p: the GPU against the portable bodies") {
  if (no_gpu()) return;
  Runtime const runtime({.gpus = 0});
  for (auto const& c : grid_cases) {
    check_spread<double, plain>(c, 1, 1e-12, run_on_device<P2G<double, plain>>);
    check_spread<double, plain>(c, 3, 1e-12, run_on_device<P2G<double, plain>>);
    check_spread<double, layers>(c, 6, 1e-12, run_on_device<P2G<double, layers>>);
    check_spread<double, layers>(c, 9, 1e-12, run_on_device<P2G<double, layers>>);
    check_spread<float, plain>(c, 3, 1e-5, run_on_device<P2G<float, plain>>);
    check_spread<float, layers>(c, 9, 1e-5, run_on_device<P2G<float, layers>>);
    check_spread<double, dipoles>(c, 4, 1e-12, run_on_device<P2G<double, dipoles>>);
    check_gather<double, Stokeslet>(c, 1e-12, run_on_device<G2P<double, Stokeslet::Gather>>);
    check_gather<double, Laplace>(c, 1e-12, run_on_device<G2P<double, Laplace::Gather>>);
    check_gather<double, LaplaceGradient>(c, 1e-12, run_on_device<G2P<double, LaplaceGradient::Gather>>);
    check_gather<double, LaplaceHessian>(c, 1e-12, run_on_device<G2P<double, LaplaceHessian::Gather>>);
    check_gather<float, Stokeslet>(c, 1e-5, run_on_device<G2P<float, Stokeslet::Gather>>);
  }
}

TEST_CASE("p2g and g2p: all ways of GPUs against the portable bodies") {
  if (no_gpu()) return;
  Runtime const runtime({.gpus = 0});
  for (auto const& c : grid_cases) {
    for_each_way<P2G<double, plain>>([&](auto const& body) { check_spread<double, plain>(c, 3, 1e-12, body); });
    for_each_way<P2G<double, layers>>([&](auto const& body) { check_spread<double, layers>(c, 9, 1e-12, body); });
    for_each_way<P2G<float, plain>>([&](auto const& body) { check_spread<float, plain>(c, 1, 1e-5, body); });
    for_each_way<G2P<double, Stokeslet::Gather>>([&](auto const& b) { check_gather<double, Stokeslet>(c, 1e-12, b); });
    for_each_way<G2P<double, LaplaceGradient::Gather>>(
        [&](auto const& body) { check_gather<double, LaplaceGradient>(c, 1e-12, body); });
  }
}

#if defined(NEARFAR_WITH_GPU_FFT)
TEST_CASE("fft, scale and ifft: the GPU against the portable bodies") {
  if (no_gpu()) return;
  Runtime const runtime({.gpus = 0});
  for (auto const periodicity : {Periodicity::xyz, Periodicity::xy, Periodicity::x, Periodicity::none})
    for (auto const& l : {layout_of(periodicity, 1, 1), layout_of(periodicity, 3, 4), layout_of(periodicity, 6, 2, 4),
                          layout_of(periodicity, 1, 1, 0, {48, 54, 42})}) {
      check_transform(l, FarOperator<double, DoubleLayerFar>{{0.3, 0.2, 0.1, 0.4}}, 1e-12);
      check_transform(l, FarOperator<double, LaplaceFar>{{0.3}}, 1e-12);
      check_transform(l, FarOperator<float, StokesletFar>{{0.3f, 0.2f, 0.1f}}, 1e-5);
      check_transform(l, InfluenceOperator<double, DoubleLayerFar>{}, 1e-12);
      check_transform(l, InfluenceOperator<float, StokesletFar>{}, 1e-5);
    }
}
#endif
