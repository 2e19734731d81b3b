// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/energy/energy_cases.hpp"

#include "tests/accuracy/energy/report_of.hpp"
#include "tests/accuracy/every.hpp"

#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cmath>

namespace nearfar::accuracy {

namespace {

constexpr double finest_in_single = 1e-5, finest_by_multipoles = 1e-10;

struct Found {
  std::array<double, 7> energies{};  ///< energy, then virial
  bool told = false;                 ///< that the tolerance may be missed
};

template <template <class> class Plan, class T, class Options>
Found by(Runtime const& runtime, Options o, EnergyCase const& c, std::vector<double> const& points,
         std::vector<double> const& strengths) {
  o.kernel = c.kernel;
  o.outputs = outputs_for_virial(c.kernel);
  o.periodicity = c.periodicity;
  o.tolerance = c.tolerance;
  o.virial = true;
  auto const report = report_of<Plan, T>(runtime, o, points, strengths);
  Found found{{*report.energy},
              std::max({report.sampled_error, report.energy_error, report.virial_error}) > o.tolerance};
  std::ranges::copy(*report.virial, found.energies.begin() + 1);
  return found;
}

template <class T>
Found solve(Runtime const& runtime, EnergyCase const& c, std::vector<double> const& points,
            std::vector<double> const& strengths) {
  constexpr std::array<double, 3> box{1, 1.2, .9};
  if (c.by_multipoles) {
    FmmOptions o;
    if (c.periodicity == Periodicity::xyz) o.box = box;
    return by<BasicFmm, T>(runtime, o, c, points, strengths);
  }
  EwaldOptions o;
  o.box = box;
  o.split = c.split;
  if (c.kernel == Kernel::yukawa) o.screening = 3;
  return by<BasicEwald, T>(runtime, o, c, points, strengths);
}

}  // namespace

EnergyErrors EnergyJudge::errors(Runtime const& runtime, EnergyCase const& c) {
  auto const points = place_all(c.distribution, count_, seed_);
  std::size_t const numbers = count_ * std::size_t(strength_components(c.kernel));
  auto const all = strengths(Kernel::laplace, c.signs, numbers, seed_ + 1);
  auto const same = [&](EnergyCase const& other) {
    return c.kernel == other.kernel && c.periodicity == other.periodicity && c.distribution == other.distribution &&
           c.signs == other.signs;
  };
  if (exact_[0] == 0 || !same(judged_)) {
    judged_ = c;
    judged_.split = c.split == Split::pswf ? Split::gaussian : Split::pswf;
    judged_.tolerance = 1e-12;
    judged_.by_multipoles = false;
    exact_ = solve<double>(runtime, judged_, points, all).energies;
  }
  auto const [found, told] = c.single ? solve<float>(runtime, c, points, all) : solve<double>(runtime, c, points, all);
  double wrong = 0, largest = 0;
  for (std::size_t i = 1; i < 7; ++i) {
    wrong = std::max(wrong, std::abs(found[i] - exact_[i]));
    largest = std::max(largest, std::abs(exact_[i]));
  }
  return {std::abs(found[0] / exact_[0] - 1), wrong / largest, told};
}

std::vector<EnergyCase> energy_cases(std::vector<double> const& tolerances) {
  std::vector<EnergyCase> cases;
  auto const add = [&](EnergyCase c) {
    for (bool const single : {false, true})
      for (double const tolerance : tolerances) {
        if ((single && tolerance < finest_in_single) || (c.by_multipoles && tolerance < finest_by_multipoles)) continue;
        c.single = single;
        c.tolerance = tolerance;
        cases.push_back(c);
      }
  };
  for (Kernel const kernel : {Kernel::laplace, Kernel::dipole, Kernel::charge_dipole, Kernel::yukawa})
    for (Distribution const distribution : every_distribution)
      for (Signs const signs : {Signs::mixed, Signs::positive})
        for (Periodicity const periodicity : every_periodicity) {
          EnergyCase c;
          c.kernel = kernel;
          c.periodicity = periodicity;
          c.distribution = distribution;
          c.signs = signs;
          add(c);
          c.by_multipoles = true;
          if (kernel != Kernel::yukawa && (periodicity == Periodicity::none || periodicity == Periodicity::xyz)) add(c);
        }
  return cases;
}

}  // namespace nearfar::accuracy
