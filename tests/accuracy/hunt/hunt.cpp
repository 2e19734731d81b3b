// SPDX-License-Identifier: BSD-3-Clause
// usage: hunt [FIRST [COUNT [MOST [single]]]]
// Problems from number 10000 on may have long boxes, far targets, offsets and parameters set by hand; from 20000 on
// they are of any kernel and set of outputs, by Ewald's method, from 30000 on in skewed cells, and from 40000 on by
// both methods, in cells of both kinds, with several vectors of strengths at once, and from 50000 on with pairs in
// single precision, targets close to sources, and points given whole periods apart. From 70000 on energies and virials
// are judged, too. Solves so many problems (1, 1000) of so many sources at most (2500), one after the other, all in
// single precision if asked to, and judges them by exact sums, or by an Ewald sum that is far more accurate. One that
// misses its tolerance, and whose report does not say so, is printed; the status is then 1.
#include "tests/accuracy/hunt/errors.hpp"

#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

using namespace nearfar;
using hunt::Answer;
using hunt::Errors;
using hunt::Problem;

namespace {

/// The points where the caller has them, as views where they are far from the origin.
template <class T, class Plan>
auto points_of(Plan& plan, Problem const& p) {
  System const& s = p.system;
  std::vector<double> x = s.sources, y = s.targets;
  for (auto* points : {&x, &y})
    for (std::size_t i = 0; i < points->size(); ++i) (*points)[i] += p.offset[i % 3];
  bool const same = s.targets == s.sources;
  if (p.as_views) {
    auto const view = [](std::vector<double> const& v) { return RowsIn::packed(v.data(), v.size() / 3, 3); };
    return same ? plan.set_points(view(x)) : plan.set_points(view(x), view(y));
  }
  std::vector<T> const from(x.begin(), x.end()), to(y.begin(), y.end());
  return same ? plan.set_points(std::span<T const>(from))
              : plan.set_points(std::span<T const>(from), std::span<T const>(to));
}

/// The strengths of all vectors, side by side: the others have those of another source, a thousand times as large for
/// each vector.
template <class T>
std::vector<T> strengths_of(Problem const& p) {
  std::vector<double> const& given = p.system.strengths;
  std::size_t const width = given.size() / (p.system.sources.size() / 3);
  std::vector<T> rows;
  for (std::size_t i = 0; i < given.size(); i += width)
    for (int v = 0; v < p.vectors; ++v)
      for (std::size_t c = 0; c < width; ++c)
        rows.push_back(v == p.judged
                           ? T(given[i + c])
                           : T(given[(i + std::size_t(v + 1) * width) % given.size() + c] * std::pow(1e3, v)));
  return rows;
}

template <class T, class Plan>
Answer answer(Plan plan, Problem const& p) {
  System const& s = p.system;
  auto const points = points_of<T>(plan, p);
  std::size_t const width = std::size_t(result_components(s.kernel, p.outputs)), row = width * std::size_t(p.vectors);
  std::vector<T> u(points.targets() * row);
  SolveReport const report = plan.submit(points, strengths_of<T>(p), u).report();
  double const told = std::max(report.sampled_error, plan.estimated_error());
  Answer a{{}, told, report.energy, report.energy_error, report.virial, report.virial_error};
  for (std::size_t first = width * std::size_t(p.judged); first < u.size(); first += row)
    for (std::size_t c = 0; c < width; ++c) a.rows.push_back(u[first + c]);
  return a;
}

template <class T>
Answer ewald(Runtime const& runtime, Problem const& p) {
  System const& s = p.system;
  EwaldOptions o = p.ewald_by_hand;
  o.kernel = s.kernel;
  o.outputs = p.outputs;
  o.screening = p.screening;
  o.virial = p.virial;
  o.periodicity = s.periodicity;
  if (!p.cell) o.box = s.box;
  o.tolerance = p.tolerance;
  o.split = p.split;
  o.cell = p.cell;
  for (std::size_t d = std::size_t(s.periodicity); d < 3 && p.left_open; ++d) {
    if (o.cell) (*o.cell)[d] = {};
    else o.box[d] = 0;
  }
  if (p.announced) o.count = s.sources.size() / 3;
  return answer<T>(BasicEwald<T>(runtime, o), p);
}

template <class T>
Answer fmm(Runtime const& runtime, Problem const& p) {
  System const& s = p.system;
  FmmOptions o = p.fmm_by_hand;
  o.kernel = s.kernel;
  o.outputs = p.outputs;
  o.periodicity = s.periodicity;
  o.virial = p.virial;
  o.tolerance = p.tolerance;
  if (s.periodicity != Periodicity::none) o.box = s.box;
  if (p.announced) o.count = s.sources.size() / 3;
  return answer<T>(BasicFmm<T>(runtime, o), p);
}

template <class T>
Answer solve(Runtime const& runtime, Problem const& p) {
  return p.fmm ? fmm<T>(runtime, p) : ewald<T>(runtime, p);
}

/// Exact where that takes no longer than the rest; else by a sum with this split.
Answer reference(Runtime const& runtime, Problem const& p, Split split) {
  System const& s = p.system;
  double const pairs = double(s.sources.size() / 3) * double(s.targets.size() / 3);
  double const most = s.periodicity == Periodicity::none ? 1e7 : s.periodicity == Periodicity::xyz ? 2e4 : 400;
  if (pairs <= most && !p.of_any_kernel) return {whole_reference(s)};
  Problem finest;
  finest.system = s;
  finest.outputs = p.outputs;
  finest.screening = p.screening;
  finest.virial = p.virial;
  finest.cell = p.cell;
  finest.split = split;
  finest.tolerance = 1e-12;
  finest.left_open = p.left_open;
  return ewald<double>(runtime, finest);
}

/// What is told is an estimate; and of what is mostly error it says no more than that.
constexpr double as_told = 1.05, nothing_right = 0.5;

enum class Verdict { met, told, missed, unjudged, refused };

Verdict judge(Runtime const& runtime, std::uint64_t number, Problem const& p, double& share) {
  try {
    Answer const a = p.single ? solve<float>(runtime, p) : solve<double>(runtime, p);
    // What both splits have in common golden_operators_test compares with another program's sums.
    bool const by_other = p.of_any_kernel && p.split == Split::pswf;
    Answer const exact = reference(runtime, p, by_other ? Split::gaussian : Split::pswf);
    Errors const errors = errors_of(p, a, exact);
    double const error = errors.worst();
    share = error / p.tolerance;
    if (share <= 1) return Verdict::met;
    auto const is_told = [&](double wrong, double told) {
      return wrong <= p.tolerance || wrong <= as_told * told || told >= nothing_right;
    };
    if (is_told(errors.rows, a.told) && is_told(errors.virial, std::max(a.told, a.virial_told)) &&
        is_told(errors.energy, std::max(a.told, a.energy_told)))
      return Verdict::told;
    if (exact.told > 0.05 * p.tolerance) return Verdict::unjudged;
    // Where energies cancel, they may be worse than the sums that they are made from: by another split they differ.
    if (p.has_energies &&
        errors_of(p, reference(runtime, p, by_other ? Split::pswf : Split::gaussian), exact).of_energies() >
            0.05 * error)
      return Verdict::unjudged;
    std::printf("MISSED by %.3g%s, told %.3g of the tolerance: %s\n", share, errors.which(),
                std::max({a.told, errors.worst() == errors.energy ? a.energy_told : 0,
                          errors.worst() == errors.virial ? a.virial_told : 0}) /
                    p.tolerance,
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
  bool const single = argc > 4 && std::string(argv[4]) == "single";
  bool const verbose = std::getenv("NEARFAR_HUNT_VERBOSE") != nullptr;
  Runtime const runtime({.scheduler = "lws", .gpus = 0});
  std::map<Verdict, int> verdicts;
  double worst = 0;
  for (std::uint64_t number = first; number < first + count; ++number) {
    Problem const p = hunt::problem(number, most, single);
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
