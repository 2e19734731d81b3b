// SPDX-License-Identifier: BSD-3-Clause
// usage: hunt [FIRST [COUNT [MOST]]]
// Solves so many problems (1, 1000) of so many sources at most (2500), one after the other, and judges them by exact
// sums, or by an Ewald sum that is far more accurate. One that misses its tolerance, and whose report does not say so,
// is printed; the status is then 1.
#include "tests/accuracy/hunt/problem.hpp"

#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

using namespace nearfar;
using hunt::Problem;

namespace {

struct Answer {
  std::vector<double> rows;
  double told = 0;  // by the solve's report
};

template <class T, class Plan>
Answer answer(Plan plan, System const& s) {
  auto const cast = [](std::vector<double> const& v) { return std::vector<T>(v.begin(), v.end()); };
  auto const x = cast(s.sources), y = cast(s.targets), f = cast(s.strengths);
  auto const points = s.targets == s.sources ? plan.set_points(x) : plan.set_points(x, y);
  std::vector<T> u(points.targets() * std::size_t(result_components(s.kernel, s.gradient())));
  double const told = plan.submit(points, f, u).report().sampled_error;
  return {{u.begin(), u.end()}, told};
}

template <class T>
Answer ewald(Runtime const& runtime, System const& s, double tolerance, Split split, bool announced) {
  EwaldOptions o{.kernel = s.kernel, .gradient = s.gradient(), .periodicity = s.periodicity, .box = s.box};
  o.tolerance = tolerance;
  o.split = split;
  if (announced) o.count = s.sources.size() / 3;
  return answer<T>(BasicEwald<T>(runtime, o), s);
}

template <class T>
Answer fmm(Runtime const& runtime, Problem const& p) {
  System const& s = p.system;
  FmmOptions o{.kernel = s.kernel, .gradient = s.gradient(), .periodicity = s.periodicity};
  o.tolerance = p.tolerance;
  if (s.periodicity != Periodicity::none) o.box = s.box;
  if (p.announced) o.count = s.sources.size() / 3;
  return answer<T>(BasicFmm<T>(runtime, o), s);
}

template <class T>
Answer solve(Runtime const& runtime, Problem const& p) {
  return p.fmm ? fmm<T>(runtime, p) : ewald<T>(runtime, p.system, p.tolerance, p.split, p.announced);
}

/// Exact where that takes no longer than the rest.
Answer reference(Runtime const& runtime, System const& s) {
  double const pairs = double(s.sources.size() / 3) * double(s.targets.size() / 3);
  double const most = s.periodicity == Periodicity::none ? 1e7 : s.periodicity == Periodicity::xyz ? 2e4 : 400;
  if (pairs <= most) return {whole_reference(s), 0};
  return ewald<double>(runtime, s, 1e-12, Split::pswf, false);
}

/// The worse of what has a unit of its own; infinite where the exact sum is zero and the answer is not.
double error_of(System const& s, std::vector<double> const& u, std::vector<double> const& exact) {
  std::size_t const width = s.kernel == Kernel::laplace ? 4 : 3;
  long double wrong[2] = {}, size[2] = {};
  for (std::size_t i = 0; i < u.size(); ++i) {
    std::size_t const column = width == 4 && i % 4 > 0;
    wrong[column] += std::pow((long double)(u[i]) - exact[i], 2);
    size[column] += std::pow((long double)(exact[i]), 2);
  }
  auto const relative = [&](int c) { return wrong[c] == 0 ? 0.0 : double(std::sqrt(wrong[c] / size[c])); };
  return std::max(relative(0), relative(1));
}

/// What is told is an estimate; and of what is mostly error it says no more than that.
constexpr double as_told = 1.05, nothing_right = 0.5;

enum class Verdict { met, told, missed, unjudged, refused };

Verdict judge(Runtime const& runtime, std::uint64_t number, Problem const& p, double& share) {
  try {
    Answer const a = p.single ? solve<float>(runtime, p) : solve<double>(runtime, p);
    Answer const exact = reference(runtime, p.system);
    double const error = error_of(p.system, a.rows, exact.rows);
    share = error / p.tolerance;
    if (share <= 1) return Verdict::met;
    if (error <= as_told * a.told || a.told >= nothing_right) return Verdict::told;
    if (exact.told > 0.05 * p.tolerance) return Verdict::unjudged;
    std::printf("MISSED by %.3g, told %.3g of the tolerance: %s\n", share, a.told / p.tolerance,
                describe(number, p).c_str());
    return Verdict::missed;
  } catch (Error const& e) {
    if (e.fault() == Fault::bug) throw;
    std::printf("refused: %s: %s\n", describe(number, p).c_str(), e.what());
    return Verdict::refused;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::uint64_t const first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1,
                      count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
  int const most = argc > 3 ? std::atoi(argv[3]) : 2500;
  bool const verbose = std::getenv("NEARFAR_HUNT_VERBOSE") != nullptr;
  Runtime const runtime({.scheduler = "lws", .gpus = 0});
  std::map<Verdict, int> verdicts;
  double worst = 0;
  for (std::uint64_t number = first; number < first + count; ++number) {
    Problem const p = hunt::problem(number, most);
    double share = 0;
    if (verbose) std::printf("%s\n", describe(number, p).c_str());
    Verdict const verdict = judge(runtime, number, p, share);
    ++verdicts[verdict];
    if (verdict == Verdict::met) worst = std::max(worst, share);
  }
  std::printf(
      "%llu problems: %d within the tolerance (at most %.2f of it), %d told to miss it, %d missed it untold, %d "
      "without a "
      "judge, %d refused\n",
      static_cast<unsigned long long>(count), verdicts[Verdict::met], worst, verdicts[Verdict::told],
      verdicts[Verdict::missed], verdicts[Verdict::unjudged], verdicts[Verdict::refused]);
  return verdicts[Verdict::missed] > 0 ? 1 : 0;
}
