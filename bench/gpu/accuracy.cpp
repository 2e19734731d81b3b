// SPDX-License-Identifier: BSD-3-Clause
// Errors of solves on the GPU: against the direct sum in free space, against Ewald's sum on CPUs at 1e-12 elsewhere.
#include "bench/gpu/cases.hpp"

#include <cmath>
#include <cstdio>

namespace nearfar::bench {

namespace {

/// Number of targets whose exact sum is computed: the first ones.
constexpr std::size_t sample = 300;

template <class T>
double relative_error(std::vector<T> const& u, std::vector<double> const& exact) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error += std::pow(double(u[i]) - exact[i], 2);
    size += exact[i] * exact[i];
  }
  return std::sqrt(error / size);
}

/// The sums of the first targets in double precision. A point that is source and target gets nothing from itself, only
/// from its images.
std::vector<double> exact_sums(Runtime const& cpus, Kernel kernel, Outputs outputs, Periodicity periodicity,
                               std::vector<double> const& x, std::vector<double> const& f) {
  std::vector<double> exact(sample * std::size_t(result_components(kernel, outputs)));
  std::vector<double> const targets(x.begin(), x.begin() + 3 * sample);
  if (periodicity == Periodicity::none) {
    direct(cpus, kernel, outputs, x, targets, f, exact).wait();
    return exact;
  }
  Ewald plan(cpus, {.kernel = kernel, .outputs = outputs, .periodicity = periodicity, .tolerance = 1e-12});
  plan.submit(plan.set_points(x, targets), f, exact).wait();
  return exact;
}

/// One line of the table.
struct Case {
  bool multipoles, single;
  Kernel kernel;
  Outputs outputs{};
  Periodicity periodicity;
  double tolerance;
};

/// Particles rounded to the precision of the case, stored as double.
template <class T>
Particles<double> particles_of(Case const& c, std::size_t count) {
  Particles<double> p(count, strength_components(c.kernel));
  for (auto* numbers : {&p.x, &p.f})
    for (double& v : *numbers) v = double(T(v));
  return p;
}

template <class T, class Plan>
std::vector<T> solve(Plan& plan, Particles<double> const& p, int out) {
  std::vector<T> const x(p.x.begin(), p.x.end()), f(p.f.begin(), p.f.end());
  std::vector<T> u(x.size() / 3 * std::size_t(out));
  plan.submit(plan.set_points(x), f, u).wait();
  return u;
}

template <class T>
void print_row(Checks& checks, Runtime const& runtime, Case const& c, std::size_t count,
               std::vector<double> const& exact) {
  auto const p = particles_of<T>(c, count);
  int const out = result_components(c.kernel, c.outputs);
  std::vector<T> u;
  double estimated = 0;
  if (c.multipoles) {
    FmmOptions options{
        .kernel = c.kernel, .outputs = c.outputs, .periodicity = c.periodicity, .tolerance = c.tolerance};
    if (c.periodicity != Periodicity::none) options.box = {1, 1, 1};
    BasicFmm<T> plan(runtime, options);
    u = solve<T>(plan, p, out);
    estimated = plan.estimated_error();
  } else {
    BasicEwald<T> plan(
        runtime, {.kernel = c.kernel, .outputs = c.outputs, .periodicity = c.periodicity, .tolerance = c.tolerance});
    u = solve<T>(plan, p, out);
    estimated = plan.estimated_error();
  }
  double const error = relative_error(u, exact);
  std::string const what = std::string(c.multipoles ? "multipoles" : "Ewald") + " | " + title(c.kernel, c.outputs) +
                           " | " + std::string(name(c.periodicity)) + " | " + (c.single ? "single" : "double");
  std::printf("| %s | %.0e | %.1e | %.1e |\n", what.c_str(), c.tolerance, estimated, error);
  checks.expect(error <= c.tolerance, what + ": the error exceeds the tolerance");
}

}  // namespace

void print_accuracy(Settings const& settings, Checks& checks) {
  std::size_t const count = settings.quick ? 100000 : 1000000;
  using enum Kernel;
  using enum Periodicity;
  std::vector<Case> const cases{{false, false, rotlet, {}, xyz, 1e-6},
                                {true, false, rotlet, {}, none, 1e-6},
                                {false, false, stokes, {}, xyz, 1e-6},
                                {false, false, stokes, {}, xyz, 1e-9},
                                {false, false, stokes, {}, x, 2e-6},
                                {false, false, stokeslet, {}, xyz, 1e-6},
                                {false, false, stokeslet, {}, xy, 1e-6},
                                {false, false, stokeslet, {}, none, 1e-6},
                                {false, false, laplace, Output::potential | Output::gradient, xyz, 1e-6},
                                {false, false, laplace, Output::potential | Output::gradient, xyz, 1e-11},
                                {false, true, stokes, {}, xyz, 1e-4},
                                {true, false, laplace, Output::potential | Output::gradient, none, 1e-6},
                                {true, false, laplace, Output::potential | Output::gradient, none, 1e-9},
                                {true, false, stokes, {}, none, 1e-6},
                                {true, false, laplace, Output::potential | Output::gradient, xyz, 1e-6},
                                {true, true, laplace, Output::potential | Output::gradient, none, 1e-3}};
  std::printf(
      "## Errors\n\n%zu points, %zu of them targets of the exact sum: direct in free space, else Ewald's on CPUs "
      "at 1e-12.\n\n",
      count, sample);
  std::printf(
      "| method | kernel | periodic | precision | tolerance | estimated | relative l2 error |\n"
      "|---|---|---|---|---|---|---|\n");
  std::vector<std::vector<double>> exact;
  {
    Runtime const cpus({.gpus = 0});
    for (Case const& c : cases) {
      auto const p = c.single ? particles_of<float>(c, count) : particles_of<double>(c, count);
      exact.push_back(exact_sums(cpus, c.kernel, c.outputs, c.periodicity, p.x, p.f));
    }
  }
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].single) print_row<float>(checks, runtime, cases[i], count, exact[i]);
    else print_row<double>(checks, runtime, cases[i], count, exact[i]);
  }
  std::printf("\n");
}

}  // namespace nearfar::bench
