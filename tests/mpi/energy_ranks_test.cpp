// SPDX-License-Identifier: BSD-3-Clause
// Energies and virials over ranks, each of which gives some of the charges.
#include "tests/mpi/ranks.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

using namespace nearfar;
using namespace nearfar::test;

namespace {

constexpr std::size_t charges = 2000;

/// Half the sum of q phi, and the sum of F_x x, over all ranks.
std::array<double, 2> sums_of(std::vector<double> const& x, std::vector<double> const& q,
                              std::vector<double> const& field) {
  long double energy = 0, along_x = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    energy += 0.5L * q[i] * field[4 * i];
    along_x -= (long double)(q[i]) * field[4 * i + 1] * x[3 * i];
  }
  std::array<long double, 2> sums{energy, along_x};
  runtime().shared()->ranks().sum(std::span<long double>(sums));
  return {double(sums[0]), double(sums[1])};
}

template <class Plan, class Options>
SolveReport check_energy(Options const& options) {
  Problem<double> const p(charges, 1);
  Dealt const dealt(charges);
  auto const x = dealt.mine(p.x), q = dealt.mine(p.f);
  std::vector<double> field(4 * dealt.count());
  Plan plan(runtime(), options);
  auto const report = plan.submit(plan.set_points(x), q, field).report();
  auto const [energy, along_x] = sums_of(x, q, field);
  REQUIRE(report.energy);
  REQUIRE(report.virial);
  CHECK(*report.energy == doctest::Approx(energy).epsilon(1e-12));
  CHECK(agreed(*report.energy));
  for (double const w : *report.virial) CHECK(agreed(w));
  if (options.periodicity == Periodicity::none) CHECK((*report.virial)[0] == doctest::Approx(along_x).epsilon(1e-6));
  return report;
}

}  // namespace

TEST_CASE("energy and virial of charges that several ranks give, known to all of them") {
  Outputs const outputs = Output::potential | Output::gradient;
  for (Periodicity const periodicity : {Periodicity::none, Periodicity::xy, Periodicity::xyz}) {
    EwaldOptions options{.kernel = Kernel::laplace, .outputs = outputs, .periodicity = periodicity, .tolerance = 1e-9};
    for (std::size_t d = std::size_t(periodicity); d < 3; ++d) options.box[d] = 0;  // as the points need
    options.virial = true;
    auto const report = check_energy<Ewald>(options);
    auto const& w = *report.virial;
    CHECK(w[0] + w[1] + w[2] == doctest::Approx(*report.energy).epsilon(1e-7));
  }
  FmmOptions options{.kernel = Kernel::laplace, .outputs = outputs, .tolerance = 1e-9};
  options.virial = true;
  check_energy<Fmm>(options);
  options.periodicity = Periodicity::xyz;
  options.box = {1, 1, 1};
  auto const report = check_energy<Fmm>(options);
  auto const& w = *report.virial;
  CHECK(w[0] + w[1] + w[2] == doctest::Approx(*report.energy).epsilon(1e-7));
}
