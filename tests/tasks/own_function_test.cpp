// SPDX-License-Identifier: BSD-3-Clause
#include <nearfar/error.hpp>
#include <nearfar/ewald.hpp>
#include <nearfar/implementation.hpp>
#include <nearfar/pair_function.hpp>

#include <doctest/doctest.h>
#include <limits>
#include <random>
#include <vector>

using namespace nearfar;

namespace {

struct Potential {
  static constexpr int dimensions = 3, strengths = 1, results = 1;

  template <class V>
  void operator()(V const*, V, V inverse, V const* q, V* u) const {
    u[0] = u[0] + q[0] * inverse;
  }
};

/// Two numbers for each source, three for each target, and a member: a width.
struct Moments {
  static constexpr int dimensions = 3, strengths = 2, results = 3;
  double width;

  template <class V>
  void operator()(V const* r, V r2, V, V const* q, V* u) const {
    for (int d = 0; d < 3; ++d) u[d] = u[d] + r[d] * (q[0] + q[1] * r2 * V(width));
  }
};

std::vector<double> numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(count);
  for (double& value : values) value = uniform(random);
  return values;
}

}  // namespace

TEST_CASE("a user's potential gives the bits of the one that is there") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  auto const sources = numbers(3 * 150, 1), charges = numbers(150, 2);  // several tasks, the targets among them
  std::vector<double> own(150), given(150);
  direct(runtime, Potential{}, sources, sources, charges, own).wait();
  direct(runtime, Kernel::laplace, {}, sources, sources, charges, given).wait();
  CHECK(own == given);
}

TEST_CASE("a user's function with several numbers and a member") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  std::vector<double> const sources{0, 0, 0, 1, 0, 0}, targets{0, 0, 2}, strengths{1, 3, 2, 5};
  std::vector<double> result(3);
  direct(runtime, Moments{0.5}, sources, targets, strengths, result).wait();
  // From the origin (0, 0, 2) (1 + 3 * 4 / 2), from the other (-1, 0, 2) (2 + 5 * 5 / 2).
  CHECK(result == std::vector<double>{-14.5, 0, 43});
}

TEST_CASE("a user's function: wrong lengths and results out of range are refused") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  std::vector<double> const sources{0, 0, 0}, targets{0, 0, 1}, strengths{std::numeric_limits<double>::max()};
  std::vector<double> result(1), long_result(2);
  CHECK_THROWS_AS(direct(runtime, Potential{}, sources, targets, strengths, long_result), Error);
  std::vector<double> const near{0, 0, 1e-3};
  auto solve = direct(runtime, Potential{}, sources, near, strengths, result);
  CHECK_THROWS_AS(solve.wait(), Error);
}

TEST_CASE("implementations used: those asked for, by stage and kind of worker") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  auto points = numbers(3 * 500, 3);
  for (double& x : points) x = 0.5 * (x + 1);
  auto const charges = numbers(500, 4);
  std::vector<double> result(500), other(500);
  auto const solve = [&](Implementation implementation, std::vector<double>& u) {
    Ewald plan(runtime,
               {.kernel = Kernel::laplace, .box = {1, 1, 1}, .tolerance = 1e-6, .implementation = implementation});
    auto const set = plan.set_points(points);
    auto solve = plan.submit(set, charges, u);
    return implementations_used(solve);
  };
  auto const of = [](std::vector<ImplementationUse> const& uses, std::string const& stage) {
    std::string text;
    for (auto const& use : uses)
      if (use.stage == stage && use.tasks > 0) text += use.worker + " " + use.implementation + ";";
    return text;
  };
  auto const tuned = solve(Implementation::tuned, result);
  CHECK(of(tuned, "p2g") == "cpu tuned;");
  CHECK(of(tuned, "bin") == "cpu portable;");  // has no other
  auto const ordered = solve(source_ordered, other);
  CHECK(of(ordered, "p2g") == "cpu source-ordered;");
  CHECK(of(ordered, "p2p") == "cpu tuned;");
  double error = 0, size = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    error += (result[i] - other[i]) * (result[i] - other[i]);
    size += result[i] * result[i];
  }
  CHECK(error < 1e-24 * size);
  Solve none;
  CHECK(implementations_used(none).empty());
}
