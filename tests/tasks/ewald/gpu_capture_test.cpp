// SPDX-License-Identifier: BSD-3-Clause
// Small solves on one GPU, whose kernels are captured and launched together: the same bits as one by one, also of
// several in flight, the same errors, and reports that say so.
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// Whether solves are captured while it lives.
class Capture {
 public:
  explicit Capture(bool wanted) { setenv("NEARFAR_CAPTURE", wanted ? "1" : "0", 1); }
  ~Capture() { unsetenv("NEARFAR_CAPTURE"); }
};

/// How the chain of a solve ran; "" without one.
std::string how(Solve& solve) {
  for (auto const& use : implementations_used(solve))
    if (use.stage == "chain") return use.implementation;
  return "";
}

template <class T>
struct Found {
  std::vector<T> u;
  double energy = 0;
  std::vector<std::string> ways;  ///< of one solve after the other
};

/// Solves one after the other with the same points, plan and arrays.
template <class T, class Plan, class Points>
Found<T> solved(Plan& plan, Points const& points, Problem<T> const& p, bool captured, int times = 8) {
  Capture const capture(captured);
  Found<T> found;
  found.u.resize(points.targets() * std::size_t(result_components(plan.options().kernel, plan.options().outputs)));
  for (int i = 0; i < times; ++i) {
    std::fill(found.u.begin(), found.u.end(), T(0));
    auto solve = plan.submit(points, std::span<T const>(p.f), std::span<T>(found.u));
    found.ways.push_back(how(solve));
    found.energy = solve.report().energy.value_or(0);
  }
  return found;
}

bool any_captured(std::vector<std::string> const& ways) { return std::ranges::count(ways, "captured") > 0; }

template <class T, class Plan>
void check(Plan plan) {
  Problem<T> const p(20000, strength_components(plan.options().kernel));
  auto const points = plan.set_points(std::span<T const>(p.x));
  static_cast<void>(solved<T>(plan, points, p, false, 2));  // a plan that misses its tolerance is replaced
  auto const plain = solved<T>(plan, points, p, false), captured = solved<T>(plan, points, p, true);
  CHECK(std::ranges::count(plain.ways, "") == std::ptrdiff_t(plain.ways.size()));
  CHECK(captured.ways.front() == "gpu");  // plans of transforms are made meanwhile
  CHECK(std::ranges::count(captured.ways, "") == 0);
  CHECK(captured.ways.back() == "captured");
  CHECK(plain.u == captured.u);
  CHECK(plain.energy == captured.energy);
}

}  // namespace

TEST_CASE("captured solves have the bits of others") {
  if (no_gpu()) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  Outputs const field = Output::potential | Output::gradient;
  for (double const tolerance : {1e-3, 1e-6, 1e-9}) {
    CAPTURE(tolerance);
    check<double>(Ewald(runtime, {.kernel = Kernel::laplace, .outputs = field, .tolerance = tolerance}));
    check<double>(Ewald(runtime, {.kernel = Kernel::stokes, .box = {1, 1.2, 0.9}, .tolerance = tolerance}));
  }
  check<double>(Ewald(runtime, {.kernel = Kernel::laplace, .outputs = field, .tolerance = 1e-6, .virial = true}));
  using enum Periodicity;
  using Box = std::array<double, 3>;
  for (auto const& [periodicity, box] : {std::pair{none, Box{}}, std::pair{x, Box{1.3}}, std::pair{xy, Box{1.3, 1.3}}})
    check<double>(
        Ewald(runtime, {.kernel = Kernel::stokeslet, .periodicity = periodicity, .box = box, .tolerance = 1e-4}));
  check<float>(EwaldSingle(runtime, {.kernel = Kernel::laplace, .outputs = field, .tolerance = 1e-3}));
  check<double>(Fmm(runtime, {.outputs = field, .tolerance = 1e-4}));
  check<double>(Fmm(runtime, {.kernel = Kernel::stokeslet, .tolerance = 1e-4}));
  check<double>(
      Fmm(runtime, {.outputs = field, .periodicity = Periodicity::xyz, .box = {1.3, 1.3, 1.3}, .tolerance = 1e-4}));
}

TEST_CASE("captured solves in flight beside each other, with arrays of their own, and points that move") {
  if (no_gpu()) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  Fmm plan(runtime, {.kernel = Kernel::stokeslet, .tolerance = 1e-4});
  constexpr std::size_t count = 20000, arrays = 4;
  std::vector<Problem<double>> problems;
  for (unsigned i = 0; i < arrays; ++i) problems.emplace_back(count, 3, i + 1);
  auto points = plan.set_points(problems[0].x);
  std::vector<std::vector<double>> expected(arrays), found(arrays);
  for (int step = 0; step < 3; ++step) {
    CAPTURE(step);
    {
      Capture const off(false);
      for (std::size_t i = 0; i < arrays; ++i) {
        expected[i].resize(3 * count);
        plan.submit(points, problems[i].f, expected[i]).wait();
      }
    }
    int captured = 0;
    for (int round = 0; round < 5; ++round) {
      std::vector<Solve> solves;
      for (std::size_t i = 0; i < arrays; ++i) {
        found[i].assign(3 * count, 0);
        solves.push_back(plan.submit(points, problems[i].f, found[i]));
      }
      for (auto& solve : solves) captured += how(solve) == "captured";
      for (std::size_t i = 0; i < arrays; ++i) CHECK(found[i] == expected[i]);
    }
    MESSAGE(captured << " of " << 5 * arrays << " solves were captured");
    points = plan.move_points(points, problems[std::size_t(step + 1)].x);
  }
}

namespace {

/// Steps with arrays in the memory of the GPU, from plain kernels and from captured ones.
template <class Plan>
void check_steps(Plan plan) {
  constexpr std::size_t count = 20000;
  constexpr int steps = 8;
  std::size_t const results = count * std::size_t(result_components(plan.options().kernel, plan.options().outputs));
  Problem<double> const p(count, 1);
  DeviceMemory memory(sizeof(double) * (3 * count + count + results));
  auto* const first = reinterpret_cast<double*>(memory.data());
  std::span<double> const x(first, 3 * count), f(first + 3 * count, count), u(first + 4 * count, results);
  memory.upload(sizeof(double) * 3 * count, p.f.data(), sizeof(double) * count);
  auto const run = [&](bool captured) {
    Capture const capture(captured);
    std::vector<std::vector<double>> found;
    std::vector<std::string> ways;
    auto positions = p.x;
    auto const put = [&] { memory.upload(0, positions.data(), sizeof(double) * positions.size()); };
    put();
    auto points = plan.set_points(std::span<double const>(x));
    for (int step = 0; step < steps; ++step) {
      auto solve = plan.submit(points, std::span<double const>(f), u);
      ways.push_back(how(solve));
      solve.wait();
      memory.download(sizeof(double) * 4 * count, found.emplace_back(results).data(), sizeof(double) * results);
      for (std::size_t i = 0; i < positions.size(); ++i) positions[i] += 1e-4 * std::sin(double(i + std::size_t(step)));
      put();
      points = plan.move_points(points, std::span<double const>(x));
    }
    if (captured) CHECK(ways.back() == "captured");
    return found;
  };
  static_cast<void>(run(false));  // a plan that misses its tolerance is replaced
  auto const plain = run(false), captured = run(true);
  for (std::size_t step = 0; step < plain.size(); ++step) {
    CAPTURE(step);
    CHECK(plain[step] == captured[step]);
  }
}

}  // namespace

TEST_CASE("steps are captured as well: points that move are in two places in turn") {
  if (no_gpu()) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  Outputs const field = Output::potential | Output::gradient;
  check_steps(Ewald(runtime, {.kernel = Kernel::laplace, .outputs = field, .tolerance = 1e-4}));
  check_steps(Fmm(runtime, {.outputs = field, .tolerance = 1e-4, .depth = 3}));
}

TEST_CASE("arrays in the memory of the GPU, and a bad number among the strengths of a captured solve") {
  if (no_gpu()) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  Fmm plan(runtime, {.kernel = Kernel::stokeslet, .tolerance = 1e-4});
  Problem<double> const p(20000, 3);
  auto const points = plan.set_points(p.x);
  std::size_t const bytes = sizeof(double) * p.f.size();
  DeviceMemory memory(2 * bytes);
  std::span<double> const there{reinterpret_cast<double*>(memory.data()), p.f.size()},
      result{there.data() + p.f.size(), p.f.size()};
  auto const solve = [&] { return plan.submit(points, std::span<double const>(there), result); };
  auto const run = [&](double last) {
    auto f = p.f;
    f[50] = last;
    memory.upload(0, f.data(), bytes);
    std::string text;
    auto one = solve();
    try {
      one.wait();
    } catch (Error const& e) {
      text = e.what();
    }
    return std::pair(how(one), text);
  };
  double const bad = std::numeric_limits<double>::quiet_NaN();
  std::string expected;
  CHECK(run(p.f[50]).second.empty());
  {
    Capture const off(false);
    expected = run(bad).second;
    CHECK(expected.find("stage bin") != expected.npos);
  }
  std::vector<std::string> ways;
  std::vector<double> first(p.f.size()), last(p.f.size());
  for (int i = 0; i < 10; ++i) ways.push_back(run(p.f[50]).first);
  CHECK(any_captured(ways));
  memory.download(bytes, first.data(), bytes);
  int captured = 0;
  for (int i = 0; i < 6; ++i) {
    auto const [way, text] = run(bad);
    CHECK(text == expected);
    captured += way == "captured" ? 1 : 0;
  }
  MESSAGE(captured << " of 6 solves with a bad number were captured");
  for (int i = 0; i < 4; ++i) CHECK(run(p.f[50]).second.empty());
  memory.download(bytes, last.data(), bytes);
  CHECK(first == last);
}
