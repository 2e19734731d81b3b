// SPDX-License-Identifier: BSD-3-Clause
// Few targets, at which the field may be weak by chance: the tolerance is of that field.
#include "tests/accuracy/solve.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace nearfar;

namespace {

double relative_error(System const& s, std::vector<double> const& result, std::vector<double> const& exact) {
  if (s.kernel != Kernel::laplace) return oracle::relative_error(result, exact);
  return std::max(oracle::relative_error(result, exact, 4, 0, 1), oracle::relative_error(result, exact, 4, 1, 3));
}

/// Prints the worst.
struct Worst {
  double error = 0;
  std::string where = "nowhere";

  void add(Runtime const& runtime, System const& s, double tolerance, std::string const& what) {
    double const error =
        relative_error(s, solve<double>(runtime, s, {.tolerance = tolerance}).whole, whole_reference(s)) / tolerance;
    std::string const label = what + ", " + std::string(name(s.kernel)) + ", periodic " +
                              std::string(name(s.periodicity)) + ", tolerance " + std::to_string(tolerance);
    CAPTURE(label);
    CHECK(error < 1);
    if (error <= this->error) return;
    this->error = error;
    where = label;
  }
  ~Worst() { MESSAGE(error << " of the tolerance: " << where); }
};

}  // namespace

TEST_CASE("weak fields: two to five stresslets") {
  Runtime const runtime;
  Worst worst;
  for (unsigned count : {2u, 3u, 4u, 5u})
    for (unsigned seed = 0; seed < 12; ++seed)
      for (Periodicity periodicity : {Periodicity::none, Periodicity::x, Periodicity::xyz}) {
        System s = random_system(Kernel::stresslet, {1, 1, 1}, count, count, seed);
        s.periodicity = periodicity;
        worst.add(runtime, s, 1e-3, std::to_string(count) + " points, seed " + std::to_string(seed));
      }
}

TEST_CASE("weak fields: 300 sources and one target") {
  Runtime const runtime;
  Worst worst;
  for (Kernel kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::laplace})
    for (unsigned seed = 0; seed < 10; ++seed)
      for (double tolerance : {1e-3, 1e-6}) {
        System s = random_system(kernel, {1, 1, 1}, 300, 1, seed, false);
        s.periodicity = Periodicity::xy;
        worst.add(runtime, s, tolerance, "one target, seed " + std::to_string(seed));
      }
}
