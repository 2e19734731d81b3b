// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/parameters.hpp"

#include "core/ewald/split/profile.hpp"
#include "core/kernels/pairs/near_precision.hpp"
#include "tests/core/ewald/reference_ewald.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/oracle/random_points.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace nearfar;

namespace {

struct Measured {
  double far;    ///< error of the far part, relative to the far field without self terms, as the model means it
  double whole;  ///< error of near + far, relative to the whole
};

/// The worse of potential and gradient.
double relative(std::vector<double> const& result, std::vector<double> const& exact, std::vector<double> const& unit,
                int width) {
  double error[2] = {}, size[2] = {};
  for (std::size_t i = 0; i < result.size(); ++i) {
    int const column = width == 4 && i % 4 > 0;
    error[column] += std::pow(result[i] - exact[i], 2);
    size[column] += std::pow(unit[i], 2);
  }
  return std::sqrt(std::max(error[0] / size[0], width == 4 ? error[1] / size[1] : 0));
}

template <class T>
Measured measure(EwaldOptions const& options, EwaldPlanning const& p, std::vector<double> points, unsigned seed) {
  std::size_t const count = points.size() / 3;
  auto strengths = random_strengths(options.kernel, count, seed + 1);
  for (auto* values : {&points, &strengths})
    for (double& v : *values) v = double(T(v));
  int const width = result_components(options.kernel, options.outputs), in = strength_components(options.kernel);
  Profile const profile(options.split, p.split_parameter, p.cutoff);
  auto const whole = oracle::ewald(options.kernel, options.outputs.has(Output::gradient), options.box, points, points,
                                   strengths, 1e-14, 0, oracle::ZeroMode::zero_mean_flow);
  auto const far = reference::far_part<T>(options, p, points, points, strengths);
  auto const near = reference::near_part<T>(options, p, points, points, strengths);
  double const factor = options.kernel == Kernel::laplace ? 1 : options.kernel == Kernel::stresslet ? 0 : 2;
  double const self = factor * double(profile.first(0));
  auto exact = oracle::near_part(
      options.kernel, options.outputs.has(Output::gradient), options.box, points, points, strengths, p.cutoff,
      [&](long double r) { return profile.value(r); }, [&](long double r) { return profile.first(r); },
      [&](long double r) { return profile.second(r); });
  std::vector<double> sum(whole.size()), unit(whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    sum[i] = near[i] + far[i];
    exact[i] = whole[i] - exact[i];
    int const column = int(i % width);
    unit[i] = exact[i] - (column < in ? self * strengths[i / width * in + column] : 0);
  }
  return {relative(far, exact, unit, width), relative(sum, whole, whole, width)};
}

template <class T>
Measured measure(EwaldOptions const& options, EwaldPlanning const& p, std::size_t count, unsigned seed) {
  return measure<T>(options, p, random_points(count, options.box, seed), seed);
}

EwaldOptions problem(Kernel kernel, Outputs outputs = {}, Split split = Split::pswf) {
  EwaldOptions options;
  options.kernel = kernel;
  options.outputs = outputs;
  options.split = split;
  options.tolerance = 1e-10;  // of the fits: these cases judge grid, band and window
  return options;
}

EwaldPlanning plan(double cutoff, double split_parameter, std::array<int, 3> grid, int window_points, double shape) {
  EwaldPlanning p;
  p.cutoff = cutoff;
  p.split_parameter = split_parameter;
  p.grid = grid;
  p.window_points = window_points;
  p.window_shape = shape;
  return p;
}

/// A set of points has its own error: few of them stray further from the mean.
void check_estimate(EwaldOptions options, EwaldPlanning const& p, std::size_t count) {
  options.count = count;
  double const estimate = estimate_far_error(options, p);
  Measured const measured = measure<double>(options, p, count, 7);
  double const ratio = measured.far / estimate;
  CAPTURE(name(options.kernel).data());
  CAPTURE(name(options.outputs));
  CAPTURE(p.split_parameter);
  CAPTURE(p.grid[0]);
  CAPTURE(p.window_points);
  CAPTURE(p.window_shape);
  CAPTURE(estimate);
  CAPTURE(count);
  CHECK(ratio < (count < 100 ? 1.5 : 1.1));
  // The estimate also covers lattices: for a potential, whose far part smooths random errors most, that is a digit
  // more.
  bool const potential = options.kernel == Kernel::laplace && !options.outputs.has(Output::gradient);
  CHECK(ratio > (count < 100 ? 0.1 : 0.3) * (potential ? 0.25 : 1));
}

}  // namespace

TEST_CASE("estimate: what the band leaves out, against a plain evaluation") {
  EwaldOptions const stokes = problem(Kernel::stokeslet), laplace = problem(Kernel::laplace),
                     gradient = problem(Kernel::laplace, Output::potential | Output::gradient),
                     stresslet = problem(Kernel::stresslet), gauss = problem(Kernel::stokeslet, {}, Split::gaussian);
  for (std::size_t count : {20, 200}) {
    check_estimate(stresslet, plan(0.3, 15, {16, 16, 16}, 16, 27), count);
    check_estimate(stresslet, plan(0.3, 10, {12, 12, 12}, 12, 22), count);
    check_estimate(stokes, plan(0.3, 15, {16, 16, 16}, 16, 27), count);
    check_estimate(stokes, plan(0.3, 10, {12, 12, 12}, 12, 22), count);
    check_estimate(laplace, plan(0.3, 12, {14, 14, 14}, 14, 24), count);
    check_estimate(gradient, plan(0.3, 15, {16, 16, 16}, 16, 27), count);
    check_estimate(gauss, plan(0.4, 4.5, {20, 20, 20}, 16, 28), count);
  }
}

TEST_CASE("estimate: what the window aliases, against a plain evaluation") {
  EwaldOptions const stokes = problem(Kernel::stokeslet), laplace = problem(Kernel::laplace),
                     gradient = problem(Kernel::laplace, Output::potential | Output::gradient),
                     stresslet = problem(Kernel::stresslet), gauss = problem(Kernel::stokeslet, {}, Split::gaussian);
  EwaldOptions oblong = stokes, pswf_window = stokes, gaussian_window = stokes;
  oblong.box = {1, 1.2, 0.9};
  pswf_window.window = Window::pswf;
  gaussian_window.window = Window::gaussian;
  for (std::size_t count : {20, 200}) {
    check_estimate(stokes, plan(0.4, 24, {20, 20, 20}, 6, 12), count);
    for (double beta : {10.0, 15.0, 22.0}) check_estimate(stresslet, plan(0.4, 24, {20, 20, 20}, 8, beta), count);
    check_estimate(stresslet, plan(0.4, 24, {28, 28, 28}, 8, 19), count);
    check_estimate(stokes, plan(0.4, 24, {20, 20, 20}, 10, 18), count);
    check_estimate(stokes, plan(0.4, 24, {28, 28, 28}, 8, 19), count);  // finer than the band needs
    check_estimate(stokes, plan(0.4, 24, {20, 20, 20}, 7, 13), count);  // an odd width
    check_estimate(laplace, plan(0.4, 24, {20, 20, 20}, 8, 15), count);
    for (double beta : {10.0, 15.0, 22.0}) check_estimate(gradient, plan(0.4, 24, {20, 20, 20}, 8, beta), count);
    check_estimate(oblong, plan(0.4, 20, {18, 20, 16}, 8, 15), count);
    check_estimate(gauss, plan(0.4, 3.5, {24, 24, 24}, 8, 17), count);
    check_estimate(pswf_window, plan(0.4, 24, {20, 20, 20}, 8, 15), count);
    check_estimate(gaussian_window, plan(0.4, 24, {24, 24, 24}, 10, 14), count);
  }
}

TEST_CASE("estimate: chosen parameters keep the tolerance, near and far together") {
  for (double tolerance : {1e-3, 1e-6, 1e-9, 1e-12})
    for (EwaldOptions options :
         {problem(Kernel::stokeslet), problem(Kernel::stresslet), problem(Kernel::stokes),
          problem(Kernel::laplace, Output::potential | Output::gradient),
          problem(Kernel::stokeslet, {}, Split::gaussian), problem(Kernel::stresslet, {}, Split::gaussian)})
      for (std::size_t count : {20, 300}) {
        options.tolerance = tolerance;
        options.count = count;
        EwaldPlanning const p = choose_parameters<double>(options, count, count);
        Measured const measured = measure<double>(options, p, count, 11);
        CAPTURE(tolerance);
        CAPTURE(name(options.kernel).data());
        CAPTURE(name(options.split).data());
        CAPTURE(p.estimated_error);
        CAPTURE(count);
        CHECK(measured.far < tolerance);
        CHECK(measured.whole < tolerance);
        CHECK(measured.far < 1.2 * p.estimated_error);
        CHECK(measured.far > 0.05 * p.estimated_error);
      }
}

// All points see the aliases of a mode in phase, and whatever the window does at its edge.
TEST_CASE("estimate: points on the nodes of the grid") {
  EwaldOptions prolate = problem(Kernel::laplace, Output::potential | Output::gradient), truncated = prolate;
  prolate.window = Window::pswf;
  truncated.window = Window::gaussian;
  for (double tolerance : {1e-5, 1e-9})
    for (EwaldOptions options :
         {problem(Kernel::stokeslet), problem(Kernel::stresslet),
          problem(Kernel::laplace, Output::potential | Output::gradient),
          problem(Kernel::laplace, Output::potential | Output::gradient, Split::gaussian), prolate, truncated})
      for (std::size_t count : {100, 300}) {
        options.tolerance = tolerance;
        options.count = count;
        EwaldPlanning const p = choose_parameters<double>(options, count, count);
        auto points = random_points(count, options.box, 5);
        for (std::size_t i = 0; i < points.size(); ++i) {
          double const nodes = p.grid[i % 3] / options.box[i % 3];
          points[i] = std::floor(points[i] * nodes) / nodes;
        }
        Measured const measured = measure<double>(options, p, points, 11);
        CAPTURE(tolerance);
        CAPTURE(name(options.kernel).data());
        CAPTURE(name(options.split).data());
        CAPTURE(name(options.window).data());
        CAPTURE(count);
        CHECK(measured.far < tolerance);
        CHECK(measured.whole < tolerance);
      }
}

TEST_CASE("estimate: long boxes, whose field hangs on a few modes") {
  for (double tolerance : {1e-3, 1e-9})
    for (EwaldOptions options : {problem(Kernel::stokeslet), problem(Kernel::laplace)})
      for (auto const& box : {std::array<double, 3>{1, 1, 8}, {8, 1, 1}})
        for (std::size_t count : {30, 300}) {
          options.tolerance = tolerance;
          options.box = box;
          options.count = count;
          EwaldPlanning const p = choose_parameters<double>(options, count, count);
          Measured const measured = measure<double>(options, p, count, 7);
          CHECK(measured.far < tolerance);
          CHECK(measured.whole < tolerance);
        }
}

TEST_CASE("estimate: pairs in single precision where the tolerance allows it and it is faster, their share included") {
  auto const plan = [](EwaldOptions const& o, int gpus = 0) {
    Machine machine;
    machine.gpus = gpus;
    return choose_parameters<double>(o, 100000, 100000, {}, machine);
  };
  EwaldOptions options{.tolerance = 1e-6};
  auto const single = plan(options);
  CHECK(single.near_in_single);
  CHECK(single.estimated_error > single_near_error);
  CHECK(single.estimated_error < options.tolerance);
  options.near_precision = NearPrecision::double_;
  auto const in_double = plan(options);
  CHECK(!in_double.near_in_single);
  CHECK(std::hypot(in_double.estimated_error, single_near_error) == doctest::Approx(single.estimated_error));
  CHECK(!choose_parameters<float>({.tolerance = 1e-4}, 100000, 100000).near_in_single);
  CHECK(!plan({.tolerance = 0.9e-6}).near_in_single);
  CHECK(plan({.kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .tolerance = 1e-6})
            .near_in_single);
  EwaldOptions potential{.kernel = Kernel::laplace, .tolerance = 1e-6};
  CHECK(!plan(potential).near_in_single);
  CHECK(plan(potential, 1).near_in_single);
  potential.near_precision = NearPrecision::single;
  CHECK(plan(potential).near_in_single);
}

TEST_CASE(
    "estimate: a far part in single precision where the tolerance allows it and it is faster, its rounding counted") {
  auto const plan = [](EwaldOptions const& o, double speed = 1.5) {
    Machine machine;
    for (WorkRow row : {WorkRow::p2g, WorkRow::fft, WorkRow::scale, WorkRow::g2p})
      machine.speed_in_single.cpu[row] = speed;
    return choose_parameters<double>(o, 100000, 100000, {}, machine);
  };
  for (double tolerance : {1e-3, 1e-5}) {
    CAPTURE(tolerance);
    EwaldOptions options{.tolerance = tolerance};
    auto const single = plan(options);
    CHECK(single.far_in_single);
    CHECK(single.estimated_error < tolerance);
    CHECK(!plan(options, 0.1).far_in_single);
    options.far_precision = FarPrecision::single;
    CHECK(plan(options, 0.1).far_in_single);
    options.far_precision = FarPrecision::double_;
    CHECK(!plan(options).far_in_single);
    // The same plan in double has less rounding, which is not nothing at the finest tolerance.
    options.count = 100000;
    EwaldPlanning in_double = single;
    in_double.far_in_single = false;
    double const rounded = estimate_far_error(options, single), exact = estimate_far_error(options, in_double);
    CHECK(rounded > exact);
    if (tolerance == 1e-5) CHECK(rounded > 1.005 * exact);
    CHECK(estimate_noise<double>(options, single).field[1] > estimate_noise<double>(options, in_double).field[1]);
  }
  CHECK(!plan({.tolerance = 0.9e-5}).far_in_single);
  // CPUs that were not measured gain by it too.
  for (Kernel kernel : {Kernel::stokeslet, Kernel::stokes, Kernel::laplace})
    CHECK(
        choose_parameters<double>({.kernel = kernel, .tolerance = 1e-4}, 100000, 100000, {}, default_machine<double>())
            .far_in_single);
  Machine with_gpu = default_machine<double>();
  with_gpu.gpus = 1;
  with_gpu.all_stages = true;
  CHECK(choose_parameters<double>({.tolerance = 1e-5}, 100000, 100000, {}, with_gpu).far_in_single);
  CHECK(!choose_parameters<float>({.tolerance = 1e-4}, 100000, 100000).far_in_single);
  CHECK(!choose_parameters<float>({.tolerance = 1e-4, .far_precision = FarPrecision::single}, 100000, 100000)
             .far_in_single);
}

// What 300,000 and 20,000 random points were found to have, by the difference of single and double for the same plan,
// relative to the far field: slopes of a smooth field are noisier the more grid points there are.
TEST_CASE("estimate: the rounding of a far part in single precision is what was measured, or up to six times that") {
  struct Measured {
    EwaldOptions options;
    std::size_t count;
    double rounding;
  };
  Outputs const gradient = Output::potential | Output::gradient, hessian = gradient | Output::hessian;
  for (auto const& [options, count, rounding] :
       {Measured{{.kernel = Kernel::laplace, .tolerance = 1e-6}, 300000, 1.9e-7},
        Measured{{.kernel = Kernel::laplace, .outputs = gradient, .tolerance = 1e-6}, 20000, 5.4e-7},
        Measured{{.kernel = Kernel::laplace, .outputs = gradient, .tolerance = 1e-6}, 300000, 7.3e-7},
        Measured{{.kernel = Kernel::laplace, .outputs = hessian, .tolerance = 1e-6}, 20000, 1.4e-6},
        Measured{{.kernel = Kernel::laplace, .outputs = hessian, .tolerance = 1e-5}, 300000, 2.3e-6},
        Measured{{.tolerance = 1e-6}, 300000, 1.7e-7},
        Measured{{.kernel = Kernel::stokes, .tolerance = 1e-6}, 300000, 3.3e-7}}) {
    EwaldOptions o = options;
    o.count = count;
    EwaldPlanning p = choose_parameters<double>(o, count, count);
    double const exact = estimate_far_error(o, p);
    p.far_in_single = true;
    double const rounded = estimate_far_error(o, p), found = std::sqrt(rounded * rounded - exact * exact);
    CAPTURE(name(o.kernel).data());
    CAPTURE(count);
    CAPTURE(found);
    CHECK(found > 1.2 * rounding);
    CHECK(found < 6 * rounding);
  }
}

TEST_CASE("estimate: with the cutoff of a plan set by hand, as cheap a plan") {
  auto const cost = [](EwaldPlanning const& p) { return p.far_seconds + p.near_seconds; };
  for (Kernel kernel : {Kernel::stokeslet, Kernel::stokes, Kernel::laplace})
    for (double tolerance : {1e-3, 1e-6, 1e-9})
      for (Periodicity periodicity : {Periodicity::xyz, Periodicity::x, Periodicity::none}) {
        EwaldOptions options{.kernel = kernel, .periodicity = periodicity, .tolerance = tolerance};
        EwaldPlanning const free = choose_parameters<double>(options, 1000000, 1000000);
        options.cutoff = free.cutoff;
        EwaldPlanning const set = choose_parameters<double>(options, 1000000, 1000000);
        CAPTURE(name(kernel).data());
        CAPTURE(tolerance);
        CAPTURE(name(periodicity).data());
        CHECK(cost(set) < 1.03 * cost(free));
      }
}

TEST_CASE("estimate: in free space a table of the influence function, where CPUs solve") {
  auto const plan = [](EwaldOptions o, std::size_t count, int gpus = 0) {
    o.periodicity = Periodicity::none;
    Machine machine;
    machine.gpus = gpus;
    machine.all_stages = gpus > 0;
    return choose_parameters<double>(o, count, count, {}, machine);
  };
  for (double tolerance : {1e-3, 1e-6, 1e-9, 1e-12}) {
    auto const table = plan({.tolerance = tolerance}, 1000000);
    CHECK(table.influence_table);
    auto const direct = plan({.tolerance = tolerance, .influence = Influence::direct}, 1000000);
    CHECK(!direct.influence_table);
    CHECK(table.far_seconds + table.near_seconds < 0.9 * (direct.far_seconds + direct.near_seconds));
    CHECK(table.bytes < 1.35 * direct.bytes);  // it has modes beyond the band
  }
  CHECK(plan({.kernel = Kernel::laplace}, 1000000).influence_table);
  CHECK(plan({.kernel = Kernel::stokes}, 1000000).influence_table);
  CHECK(!plan({}, 1000000, 1).influence_table);  // made on CPUs, it would take longer than many solves
  CHECK(!choose_parameters<double>({.periodicity = Periodicity::x}, 1000000, 1000000).influence_table);
}

TEST_CASE("estimate: single precision") {
  for (double tolerance : {1e-3, 1e-5})
    for (EwaldOptions options : {problem(Kernel::stokeslet), problem(Kernel::stresslet), problem(Kernel::stokes),
                                 problem(Kernel::laplace, Output::potential | Output::gradient)})
      for (std::size_t count : {20, 300}) {
        options.tolerance = tolerance;
        EwaldPlanning const p = choose_parameters<float>(options, count, count);
        Measured const measured = measure<float>(options, p, count, 11);
        CHECK(measured.far < tolerance);
        CHECK(measured.whole < tolerance);
      }
  // Rounding alone: a split and a window good for 1e-9.
  for (EwaldOptions options : {problem(Kernel::stokeslet), problem(Kernel::stresslet), problem(Kernel::laplace)})
    for (int points : {12, 16})
      for (std::size_t count : {20, 300}) {
        options.tolerance = 1e-9;
        options.cutoff = 0.25;
        options.window_points = points;
        options.count = count;
        EwaldPlanning const p = choose_parameters<double>(options, count, count);
        double const ratio = measure<float>(options, p, count, 11).far / estimate_far_error<float>(options, p);
        CAPTURE(name(options.kernel).data());
        CAPTURE(points);
        CAPTURE(count);
        CHECK(ratio < 3);
        CHECK(ratio > 0.1);
      }
}
