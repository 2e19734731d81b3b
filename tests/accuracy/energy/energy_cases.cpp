// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/energy/energy_cases.hpp"

#include "tests/accuracy/every.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar::accuracy {

namespace {

constexpr double coarsest_for_single = 1e-5;

/// Energy, then virial.
template <class T>
std::array<double, 7> solve(Runtime const& runtime, Case const& c, std::vector<double> const& points,
                            std::vector<double> const& charges) {
  EwaldOptions o{
      .kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .periodicity = c.periodicity};
  o.box = {1, 1.2, .9};
  o.tolerance = c.tolerance;
  o.split = c.split;
  o.virial = true;
  BasicEwald<T> plan(runtime, o);
  std::vector<T> const x(points.begin(), points.end()), q(charges.begin(), charges.end());
  std::vector<T> u(4 * q.size());
  auto const report = plan.submit(plan.set_points(x), q, u).report();
  std::array<double, 7> all{*report.energy};
  std::copy_n(report.virial->begin(), 6, all.begin() + 1);
  return all;
}

}  // namespace

EnergyErrors EnergyJudge::errors(Runtime const& runtime, Case const& c) {
  auto const points = place_all(c.distribution, count_, seed_);
  auto const charges = strengths(Kernel::laplace, c.signs, count_, seed_ + 1);
  auto const same = [&](Case const& other) {
    return c.periodicity == other.periodicity && c.distribution == other.distribution && c.signs == other.signs;
  };
  if (exact_[0] == 0 || !same(judged_)) {
    judged_ = c;
    judged_.split = c.split == Split::pswf ? Split::gaussian : Split::pswf;
    judged_.tolerance = 1e-12;
    exact_ = solve<double>(runtime, judged_, points, charges);
  }
  auto const found = c.single ? solve<float>(runtime, c, points, charges) : solve<double>(runtime, c, points, charges);
  double wrong = 0, largest = 0;
  for (std::size_t i = 1; i < 7; ++i) {
    wrong = std::max(wrong, std::abs(found[i] - exact_[i]));
    largest = std::max(largest, std::abs(exact_[i]));
  }
  return {std::abs(found[0] / exact_[0] - 1), wrong / largest};
}

std::vector<Case> energy_cases(std::vector<double> const& tolerances) {
  std::vector<Case> cases;
  for (Distribution const distribution : every_distribution)
    for (Signs const signs : {Signs::mixed, Signs::positive})
      for (Periodicity const periodicity : every_periodicity)
        for (bool const single : {false, true})
          for (double const tolerance : tolerances)
            if (!single || tolerance >= coarsest_for_single)
              cases.push_back({.kernel = Kernel::laplace,
                               .periodicity = periodicity,
                               .distribution = distribution,
                               .signs = signs,
                               .single = single,
                               .tolerance = tolerance});
  return cases;
}

}  // namespace nearfar::accuracy
