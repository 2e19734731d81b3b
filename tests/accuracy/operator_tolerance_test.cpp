// SPDX-License-Identifier: BSD-3-Clause
// Each output keeps the tolerance by itself. Judged by the finest Ewald sum with the other split, whose error
// golden_operators_test knows.
#include "tests/oracle/oracle.hpp"
#include "tests/oracle/random_points.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace nearfar;

namespace {

constexpr std::array<double, 3> box{1, 1.2, .9};

struct Asked {
  Kernel kernel;
  Periodicity periodicity;
  Split split;
  double tolerance;
  bool single;
};

/// Points and strengths, all of them floats.
struct Points {
  std::vector<double> sources, targets, strengths;
};

Points points_of(Kernel kernel, std::size_t count, bool targets_of_their_own) {
  Points p{random_points(count, box, 7), {}, {}};
  std::size_t const numbers = std::size_t(strength_components(kernel));
  for (std::size_t i = 0; i < numbers * count; i += 3)
    for (double x : random_points(1, {2, 2, 2}, unsigned(100 + i))) p.strengths.push_back(x - 1);
  p.strengths.resize(numbers * count);
  p.targets = targets_of_their_own ? random_points(count / 2, box, 8) : p.sources;
  for (auto* numbers_of : {&p.sources, &p.targets, &p.strengths})
    for (double& x : *numbers_of) x = double(float(x));
  return p;
}

template <class T>
std::vector<double> solve(Runtime const& runtime, Asked const& asked, Points const& p) {
  auto const cast = [](std::vector<double> const& v) { return std::vector<T>(v.begin(), v.end()); };
  EwaldOptions options{.kernel = asked.kernel, .outputs = outputs_of(asked.kernel), .periodicity = asked.periodicity};
  options.box = box;
  options.tolerance = asked.tolerance;
  options.split = asked.split;
  if (asked.kernel == Kernel::yukawa) options.screening = 2.5;
  BasicEwald<T> plan(runtime, options);
  auto const sources = cast(p.sources), targets = cast(p.targets), strengths = cast(p.strengths);
  auto const points = p.targets == p.sources
                          ? plan.set_points(std::span<T const>(sources))
                          : plan.set_points(std::span<T const>(sources), std::span<T const>(targets));
  std::vector<T> u(points.targets() * std::size_t(result_components(asked.kernel, options.outputs)));
  plan.submit(points, strengths, u).wait();
  return {u.begin(), u.end()};
}

void check(Runtime const& runtime, Asked const& asked, Points const& p, std::vector<double> const& exact) {
  auto const found = asked.single ? solve<float>(runtime, asked, p) : solve<double>(runtime, asked, p);
  int const width = result_components(asked.kernel, outputs_of(asked.kernel));
  CAPTURE(std::string(name(asked.kernel)));
  CAPTURE(std::string(name(asked.periodicity)));
  CAPTURE(std::string(name(asked.split)));
  CAPTURE(asked.tolerance);
  CAPTURE(asked.single);
  for (int first = 0; Output output : list_of(outputs_of(asked.kernel))) {
    int const count = output_components(asked.kernel, output);
    CAPTURE(std::string(name(output)));
    CHECK(oracle::relative_error(found, exact, width, first, count) < asked.tolerance);
    first += count;
  }
}

void sweep(Kernel kernel, std::size_t count) {
  Runtime const runtime({.gpus = 0});
  for (bool own : {false, true}) {
    Points const p = points_of(kernel, count, own);
    for (Periodicity periodicity : {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz})
      for (Split split : {Split::pswf, Split::gaussian}) {
        Split const other = split == Split::pswf ? Split::gaussian : Split::pswf;
        auto const exact = solve<double>(runtime, {kernel, periodicity, other, 1e-12, false}, p);
        for (double tolerance : {1e-3, 1e-6, 1e-9, 1e-11})
          check(runtime, {kernel, periodicity, split, tolerance, false}, p, exact);
        for (double tolerance : {1e-3, 1e-5}) check(runtime, {kernel, periodicity, split, tolerance, true}, p, exact);
      }
  }
}

}  // namespace

TEST_CASE("tolerance of each output: charges") { sweep(Kernel::laplace, 300); }
TEST_CASE("tolerance of each output: dipoles") { sweep(Kernel::dipole, 300); }
TEST_CASE("tolerance of each output: charges with dipoles") { sweep(Kernel::charge_dipole, 300); }
TEST_CASE("tolerance of each output: force dipoles") { sweep(Kernel::doublet, 300); }
TEST_CASE("tolerance of each output: screened charges") { sweep(Kernel::yukawa, 300); }
