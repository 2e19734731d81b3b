// SPDX-License-Identifier: BSD-3-Clause
// Each stage of Ewald's far part alone on the GPU, against the portable bodies, and whole solves against CPUs.
#include "codelets/spectral/fft/fft.hpp"
#include "codelets/spectral/fft/plans.hpp"
#include "codelets/spectral/scale/scale.hpp"
#include "core/ewald/far/far_grid.hpp"
#include "core/ewald/far/far_operator.hpp"
#include "core/ewald/far/influence_operator.hpp"
#include "core/spectral/mode_table.hpp"
#include "tasks/particles/staged_rows.hpp"
#include "tests/codelets/spectral/grid_cases.hpp"
#include "tests/tasks/engine/gpu/on_device.hpp"
#include "tests/tasks/problem.hpp"

#include <nearfar/runtime.hpp>

#include <algorithm>
#include <complex>
#include <cstdio>

using namespace nearfar;
using namespace nearfar::test;

namespace {

bool no_gpu() { return DeviceMemory::devices() == 0; }  // another test case says that it is skipped

template <class T>
AlignedVector<T> random_numbers(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  AlignedVector<T> numbers(static_cast<std::size_t>(count));
  for (T& number : numbers) number = T(random() / 2147483648.0 - 1);
  return numbers;
}

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

template <class T>
std::vector<T> whole_solve(int gpus, EwaldOptions const& options, EwaldPlanning& parameters, bool twice = false) {
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = gpus});
  BasicEwald<T> plan(runtime, options);
  Problem<T> p(20000, strength_components(options.kernel));
  for (T& x : p.x) x = T(0.7) * (x + T(0.1));  // inside, where a direction does not repeat
  auto const points = plan.set_points(p.x);
  std::vector<T> u(points.targets() * std::size_t(result_components(options.kernel, options.outputs))), v(u.size());
  auto first = plan.submit(points, std::span<T const>(p.f), std::span<T>(u));
  if (twice) {
    auto second = plan.submit(points, std::span<T const>(p.f), std::span<T>(v));
    second.wait();
    first.wait();
    CHECK(u == v);  // two in flight, and the same bits
  }
  first.wait();
  parameters = plan.parameters();
  return u;
}

/// With the same parameters, whatever a GPU would make of the plan. Its cells are others, from whose faces the grid is
/// counted too, so that each has its own errors within the tolerance.
template <class T>
void check_whole(EwaldOptions options) {
  EwaldPlanning parameters;
  auto const cpu = whole_solve<T>(0, options, parameters);
  options.split_parameter = parameters.split_parameter;
  options.grid = parameters.grid;
  options.window_points = parameters.window_points;
  auto const gpu = whole_solve<T>(1, options, parameters, true);
  CHECK(parameters.on_gpus);
  Difference difference;
  for (std::size_t i = 0; i < cpu.size(); ++i) difference.add(double(gpu[i]), double(cpu[i]));
  CHECK(difference.relative() < 2 * options.tolerance);
}

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

TEST_CASE("whole solves on a GPU by each implementation are those of CPUs, and it is told that it ran") {
  if (no_gpu()) return;
  Problem<double> const p(20000, 9);  // fewer run on CPUs
  for (Implementation const implementation : implementations()) {
    if (implementation == Implementation::any || !suits_gpus(implementation)) continue;
    CAPTURE(name(implementation));
    EwaldOptions options{.kernel = Kernel::stokes, .box = {1, 1.2, 0.9}, .tolerance = 1e-11, .cutoff = 0.2};
    options.implementation = implementation;
    std::vector<double> u[2];
    std::string ran;
    for (int const gpus : {0, 1}) {
      Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = gpus});
      Ewald plan(runtime, options);
      auto const points = plan.set_points(p.x);
      options.split_parameter = plan.parameters().split_parameter;
      options.grid = plan.parameters().grid;
      options.window_points = plan.parameters().window_points;
      auto& result = u[gpus];
      result.resize(p.x.size());
      auto solve = plan.submit(points, p.f, result);
      for (auto const& use : implementations_used(solve))
        if (use.worker != "cpu") ran += use.implementation + ";";
    }
    CHECK((ran.find(name(implementation)) != ran.npos || implementation == Implementation::tuned));
    Difference difference;
    for (std::size_t i = 0; i < u[0].size(); ++i) difference.add(u[1][i], u[0][i]);
    CHECK(difference.relative() < 2 * options.tolerance);
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

TEST_CASE("whole solves on a GPU are those of CPUs") {
  if (no_gpu()) return;
  struct Case {
    Kernel kernel;
    Outputs outputs;
    Periodicity periodicity;
  };
  for (auto const& c : {Case{Kernel::stokeslet, {}, Periodicity::xyz}, Case{Kernel::stresslet, {}, Periodicity::xyz},
                        Case{Kernel::stokes, {}, Periodicity::xyz}, Case{Kernel::rotlet, {}, Periodicity::xy},
                        Case{Kernel::rotlet, {}, Periodicity::none},
                        Case{Kernel::laplace, Output::potential | Output::gradient, Periodicity::xyz},
                        Case{Kernel::laplace, {}, Periodicity::xy}, Case{Kernel::stokes, {}, Periodicity::x},
                        Case{Kernel::stokeslet, {}, Periodicity::none}, Case{Kernel::stokes, {}, Periodicity::none},
                        Case{Kernel::stokes, {}, Periodicity::xy}}) {
    CAPTURE(name(c.kernel));
    EwaldOptions options{.kernel = c.kernel,
                         .outputs = c.outputs,
                         .periodicity = c.periodicity,
                         .box = {1, 1.2, 0.9},
                         .tolerance = 1e-11,
                         .cutoff = 0.2};
    check_whole<double>(options);
    if (c.periodicity == Periodicity::none) options.influence = Influence::table;
    check_whole<double>(options);
    options.tolerance = 1e-6;
    options.near_precision = NearPrecision::single;
    check_whole<double>(options);
    options.tolerance = 1e-5;
    options.far_precision = FarPrecision::single;
    check_whole<double>(options);
    check_whole<float>(options);
  }
}

TEST_CASE("strengths and results in the memory of the GPU are those of the host, to the bit") {
  if (no_gpu()) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  Ewald plan(runtime, {.kernel = Kernel::stokes, .tolerance = 1e-5});
  Problem<double> const p(20000, 9);
  auto const points = plan.set_points(p.x);
  std::vector<double> host(3 * points.targets()), there(host.size());
  plan.submit(points, p.f, host).wait();
  DeviceMemory memory(sizeof(double) * (p.f.size() + host.size()));
  memory.upload(0, p.f.data(), sizeof(double) * p.f.size());
  std::size_t const result = sizeof(double) * p.f.size();
  plan.submit(points, std::span(reinterpret_cast<double const*>(memory.data()), p.f.size()),
              std::span(reinterpret_cast<double*>(memory.data() + result), there.size()))
      .wait();
  memory.download(result, there.data(), sizeof(double) * there.size());
  CHECK(host == there);
}

TEST_CASE(
    "what CPU workers sort for a GPU, and bring from it, are the same bits, and so is a plan's order of targets") {
  if (no_gpu()) return;
  Problem<double> const p(1200000, 1), at(30000, 1);
  for (bool same : {true, false}) {
    std::vector<double> results[2];
    for (int cpus : {2, 9}) {
      Runtime const runtime({.scheduler = "overlap", .cpus = cpus, .gpus = 1});
      detail::StagedRows<double>::least_bytes = 0;
      CHECK(detail::StagedRows<double>::pay(1) == (cpus == 9));
      Ewald plan(runtime, {.kernel = Kernel::laplace,
                           .outputs = Output::potential | Output::gradient,
                           .box = {1.2, 1.2, 1.2},
                           .tolerance = 1e-3});
      auto const points = same ? plan.set_points(p.x) : plan.set_points(p.x, at.x);
      auto& u = results[cpus == 9];
      u.resize(4 * points.targets());
      Solve solves[2];
      std::vector<double> other(u.size());
      solves[0] = plan.submit(points, p.f, u);
      solves[1] = plan.submit(points, p.f, other);
      for (auto& solve : solves) CHECK(solve.report().tasks <= 40);
      CHECK(u == other);
    }
    CHECK(results[0] == results[1]);
  }
}

// scripts/gpu runs it by name.
TEST_CASE("time of whole solves, strengths and results in the memory of the GPU" * doctest::skip()) {
  struct Case {
    std::size_t points;
    EwaldOptions options;
  };
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  std::printf("%-11s %8s %7s %6s | %9s %6s %6s | seconds, submit, tasks\n", "kernel", "points", "periods", "error",
              "cutoff", "grid", "window");
  for (auto const& c :
       {Case{4000000, {.kernel = Kernel::stokes, .tolerance = 1e-6}},
        Case{4000000, {.kernel = Kernel::stokes, .tolerance = 1e-9}},
        Case{4000000, {.kernel = Kernel::stokes, .periodicity = Periodicity::x, .tolerance = 2e-6}},
        Case{1000000, {.kernel = Kernel::stokeslet, .tolerance = 1e-6}},
        Case{4000000, {.kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .tolerance = 1e-6}},
        Case{100000, {.kernel = Kernel::stokeslet, .tolerance = 1e-6}},
        Case{10000, {.kernel = Kernel::stokeslet, .tolerance = 1e-6}}}) {
    Ewald plan(runtime, c.options);
    int const in = strength_components(c.options.kernel), out = result_components(c.options.kernel, c.options.outputs);
    Problem<double> p(c.points, in);
    for (double& x : p.x) x = (x + 0.1) / 1.2;
    auto const points = plan.set_points(p.x);
    DeviceMemory memory(sizeof(double) * c.points * std::size_t(in + out));
    memory.upload(0, p.f.data(), sizeof(double) * p.f.size());
    std::span const strengths(reinterpret_cast<double const*>(memory.data()), p.f.size());
    std::span const result(reinterpret_cast<double*>(memory.data()) + p.f.size(), c.points * std::size_t(out));
    std::vector<double> seconds;
    SolveReport report;
    for (int i = 0; i < 8; ++i) {
      report = plan.submit(points, strengths, result).report();
      if (i > 1) seconds.push_back(report.seconds);
    }
    std::sort(seconds.begin(), seconds.end());
    auto const q = plan.parameters();
    std::printf("%-11s %8zu %7s %6.0e | %9.4f %6d %6d | %.5f %.5f %d\n", std::string(name(c.options.kernel)).c_str(),
                c.points, std::string(name(c.options.periodicity)).c_str(), c.options.tolerance, q.cutoff, q.grid[0],
                q.window_points, seconds[seconds.size() / 2], report.submit_seconds, report.tasks);
    for (auto const& stage : report.stages) std::printf("  %s %.5f", stage.stage.c_str(), stage.seconds);
    std::printf("\n");
  }
}

TEST_CASE("a strength that is no number is found on the GPU") {
  if (no_gpu()) return;
  for (int cpus : {1, 9}) {  // by the caller's rows, and by copies of them
    Runtime const runtime({.scheduler = "overlap", .cpus = cpus, .gpus = 1});
    Ewald plan(runtime, {.box = {1, 1.2, 0.9}, .tolerance = 1e-4});
    Problem<double> p(20000, 3);
    auto const points = plan.set_points(p.x);
    std::vector<double> u(3 * points.targets());
    auto bad = p.f;
    bad[3 * 777 + 1] = std::nan("");
    CHECK_THROWS_WITH_AS(plan.submit(points, bad, u).wait(), doctest::Contains("strength 1 of source 777"), Error);
    bad = p.f;
    for (double& f : bad) f *= 1e307;
    CHECK_THROWS_WITH_AS(plan.submit(points, bad, u).wait(), doctest::Contains("precision ends at"), Error);
    plan.submit(points, p.f, u).wait();
    CHECK(std::isfinite(u[5]));
  }
}
