// SPDX-License-Identifier: BSD-3-Clause
// Any small problem for Ewald and the multipole method: an Error, or a sum whose relative l2 error is within the
// tolerance, or within what the plan says of itself.
#include "tests/accuracy/measure.hpp"
#include "tests/fuzz/input_file.hpp"

#include <nearfar/nearfar.hpp>

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace nearfar;

namespace {

struct Asked {
  bool fmm = false;
  System system;
  double tolerance = 1e-6;
};

/// Coordinates are multiples of 2^-16 of the box, so that any two points are as far apart.
std::vector<double> points(FuzzedDataProvider& data, std::size_t count, oracle::Box const& box, double scale) {
  std::vector<double> x;
  for (std::size_t i = 0; i < 3 * count; ++i)
    x.push_back(scale * box[i % 3] * data.ConsumeIntegral<std::uint16_t>() / 65536);
  return x;
}

Asked asked_by(FuzzedDataProvider& data) {
  Asked asked;
  System& s = asked.system;
  s.kernel = data.PickValueInArray({Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace});
  asked.fmm = data.ConsumeBool();
  s.periodicity = data.PickValueInArray({Periodicity::none, Periodicity::xyz, Periodicity::x, Periodicity::xy});
  if (asked.fmm && (s.kernel != Kernel::laplace || s.periodicity != Periodicity::xyz))
    s.periodicity = Periodicity::none;
  asked.tolerance = std::pow(10.0, -data.ConsumeIntegralInRange(1, 9));
  for (double& edge : s.box) edge = data.ConsumeIntegralInRange(8, 15) / 8.0;
  double const scale = std::ldexp(1.0, -data.ConsumeIntegralInRange(0, 6));  // all in a corner
  s.sources = points(data, data.ConsumeIntegralInRange<std::size_t>(1, 40), s.box, scale);
  s.targets = data.ConsumeBool() ? s.sources : points(data, data.ConsumeIntegralInRange<std::size_t>(1, 40), s.box, 1);
  std::size_t const row = std::size_t(strength_components(s.kernel));
  for (std::size_t i = 0; i < s.sources.size() / 3 * row; ++i)
    s.strengths.push_back(data.ConsumeIntegral<std::int8_t>() / 64.0);
  return asked;
}

/// A plan's result, and what it and the solve say of the error.
template <class Plan>
std::vector<double> solve(Plan plan, System const& s, double& estimate) {
  auto const points = s.targets == s.sources ? plan.set_points(s.sources) : plan.set_points(s.sources, s.targets);
  std::vector<double> u(points.targets() * std::size_t(result_components(s.kernel, s.outputs())));
  estimate = std::max(plan.submit(points, s.strengths, u).report().sampled_error, plan.estimated_error());
  return u;
}

std::vector<double> solve(Runtime const& runtime, Asked const& asked, double& estimate) {
  System const& s = asked.system;
  if (asked.fmm) {
    FmmOptions options{.kernel = s.kernel, .outputs = s.outputs(), .periodicity = s.periodicity};
    options.tolerance = asked.tolerance;
    if (s.periodicity != Periodicity::none) options.box = s.box;
    return solve(Fmm(runtime, options), s, estimate);
  }
  EwaldOptions options{.kernel = s.kernel, .outputs = s.outputs(), .periodicity = s.periodicity, .box = s.box};
  options.tolerance = asked.tolerance;
  return solve(Ewald(runtime, options), s, estimate);
}

void judge(Asked const& asked, std::vector<double> const& u, double estimate) {
  System const& s = asked.system;
  auto const exact = whole_reference(s);
  double const allowed = std::max(asked.tolerance, estimate);
  int const width = result_components(s.kernel, s.outputs());
  for (int first : {0, 1}) {
    if (first == 1 && width != 4) continue;
    double const error = oracle::relative_error(u, exact, width, first, width == 4 ? (first == 0 ? 1 : 3) : 3);
    if (!(error > allowed) || !std::isfinite(error)) continue;  // NaN or infinite where the exact sum is zero
    std::fprintf(stderr, "%s, kernel %s, periodic %s, %zu sources, %zu targets, tolerance %g, estimate %g: error %g\n",
                 asked.fmm ? "FMM" : "Ewald", std::string(name(s.kernel)).c_str(),
                 std::string(name(s.periodicity)).c_str(), s.sources.size() / 3, s.targets.size() / 3, asked.tolerance,
                 estimate, error);
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t size) {
  static Runtime const runtime({.scheduler = "lws", .cpus = 1, .gpus = 0});
  FuzzedDataProvider data(bytes, size);
  Asked const asked = asked_by(data);
  fuzz::told([&] {
    double estimate = 0;
    auto const u = solve(runtime, asked, estimate);
    for (double const value : u) fuzz::expect(std::isfinite(value));
    judge(asked, u, estimate);
  });
  return 0;
}
