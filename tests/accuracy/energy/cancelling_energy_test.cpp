// SPDX-License-Identifier: BSD-3-Clause
// Energies and virials that are small because those of pairs cancel: what reports tell of them.
#include "tests/accuracy/energy/report_of.hpp"
#include "tests/oracle/random_points.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace nearfar;

namespace {

constexpr oracle::Box box{1, 1.2, 0.9};

EwaldOptions options_for(Kernel kernel, Periodicity periodicity, double tolerance) {
  EwaldOptions o{.kernel = kernel, .outputs = kernel_info(kernel).energy_outputs};
  o.periodicity = periodicity;
  o.box = box;
  o.tolerance = tolerance;
  if (kernel == Kernel::yukawa) o.screening = 3;
  return o;
}

struct Sources {
  std::vector<double> points, strengths;
};

/// Two sets of strengths at the same points, and what is left of the energy of one where the other is added just so
/// often that hardly any is: this part of the energies of both.
Sources with_small_energy(Runtime const& runtime, Kernel kernel, Periodicity periodicity, double part, unsigned seed) {
  constexpr std::size_t count = 1000;
  std::size_t const numbers = count * std::size_t(strength_components(kernel));
  EwaldOptions const exact = options_for(kernel, periodicity, 1e-12);
  auto const points = random_points(count, box, seed);
  for (unsigned other = seed + 1;; other += 2) {
    auto const a = random_strengths(Kernel::laplace, numbers, other),
               b = random_strengths(Kernel::laplace, numbers, other + 1);
    auto const energy = [&](double of_a, double of_b) {
      std::vector<double> s(a.size());
      for (std::size_t i = 0; i < s.size(); ++i) s[i] = of_a * a[i] + of_b * b[i];
      return accuracy::report_of<BasicEwald, double>(runtime, exact, points, s).energy.value();
    };
    double const of_a = energy(1, 0), of_b = energy(0, 1), both = energy(1, 1) - of_a - of_b,
                 left = part * (std::abs(of_a) + std::abs(of_b)), root = both * both - 4 * of_b * (of_a - left);
    if (root < 0) continue;
    double const often = (std::sqrt(root) - both) / (2 * of_b);
    Sources found{points, a};
    for (std::size_t i = 0; i < a.size(); ++i) found.strengths[i] += often * b[i];
    return found;
  }
}

}  // namespace

TEST_CASE("reports tell errors of energies that cancel, and are not far too careful") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  int told_alone = 0;
  std::vector<double> careful;
  auto const check = [&](SolveReport const& report, double exact, double tolerance, double part) {
    constexpr double hardly_right = 0.3;
    double const of_exact = 1e-12 / part, error = std::abs(*report.energy / exact - 1);
    INFO("tolerance " << tolerance << ": error " << error << ", told " << report.energy_error);
    CHECK((error <= of_exact + std::max(tolerance, report.energy_error) || report.energy_error > hardly_right));
    if (report.energy_error > tolerance && report.sampled_error <= tolerance) ++told_alone;
    if (error > of_exact && error < 0.5) careful.push_back(report.energy_error / error);
  };
  for (Kernel const kernel : {Kernel::laplace, Kernel::dipole, Kernel::charge_dipole, Kernel::yukawa})
    for (Periodicity const periodicity : {Periodicity::xyz, Periodicity::xy, Periodicity::x, Periodicity::none})
      for (double const part : {1e-3, 1e-6}) {
        CAPTURE(std::string(name(kernel)));
        CAPTURE(std::string(name(periodicity)));
        CAPTURE(part);
        Sources const s = with_small_energy(runtime, kernel, periodicity, part, 7);
        EwaldOptions o = options_for(kernel, periodicity, 1e-12);
        auto const by_ewald = [&] {
          return accuracy::report_of<BasicEwald, double>(runtime, o, s.points, s.strengths);
        };
        double const exact = *by_ewald().energy;
        FmmOptions f{.kernel = kernel, .outputs = o.outputs, .periodicity = periodicity};
        if (periodicity == Periodicity::xyz) f.box = box;
        bool const has_multipoles =
            kernel != Kernel::yukawa && (periodicity == Periodicity::xyz || periodicity == Periodicity::none);
        for (double const tolerance : {1e-3, 1e-5, 1e-7}) {
          o.tolerance = f.tolerance = tolerance;
          check(by_ewald(), exact, tolerance, part);
          if (has_multipoles)
            check(accuracy::report_of<BasicFmm, double>(runtime, f, s.points, s.strengths), exact, tolerance, part);
        }
      }
  CHECK(told_alone > 50);
  REQUIRE(careful.size() > 30);
  std::ranges::sort(careful);
  CHECK(careful[careful.size() / 2] < 20);
}

TEST_CASE("reports tell errors of virials that cancel, and are not far too careful") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  int missed = 0;
  std::vector<double> careful;
  for (Kernel const kernel : {Kernel::laplace, Kernel::dipole, Kernel::yukawa})
    for (Periodicity const periodicity : {Periodicity::xyz, Periodicity::xy, Periodicity::x, Periodicity::none})
      for (unsigned seed = 1; seed <= 2; ++seed) {
        constexpr std::size_t count = 100;
        auto const points = random_points(count, box, seed),
                   strengths =
                       random_strengths(Kernel::laplace, count * std::size_t(strength_components(kernel)), seed);
        EwaldOptions o = options_for(kernel, periodicity, 1e-12);
        o.outputs = accuracy::outputs_for_virial(kernel);
        o.virial = true;
        auto const report = [&] { return accuracy::report_of<BasicEwald, double>(runtime, o, points, strengths); };
        auto const exact = *report().virial;
        for (double const tolerance : {1e-3, 1e-6, 1e-9}) {
          CAPTURE(std::string(name(kernel)));
          CAPTURE(std::string(name(periodicity)));
          CAPTURE(tolerance);
          o.tolerance = tolerance;
          SolveReport const found = report();
          double wrong = 0, largest = 0;
          for (std::size_t i = 0; i < exact.size(); ++i) {
            wrong = std::max(wrong, std::abs((*found.virial)[i] - exact[i]));
            largest = std::max(largest, std::abs(exact[i]));
          }
          double const error = wrong / largest, said = std::max(found.virial_error, found.sampled_error);
          CHECK(error <= std::max(tolerance, said));
          CHECK(found.virial_error > 0);
          missed += error > tolerance;
          careful.push_back(found.virial_error / error);
        }
      }
  MESSAGE(careful.size() << " virials: " << missed << " missed the tolerance");
  std::ranges::sort(careful);
  CHECK(careful[careful.size() / 2] < 20);
}

TEST_CASE("ordinary energies and virials keep the tolerance") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  auto const points = random_points(1000, box, 3);
  std::vector<double> q(1000, 1.0);
  for (std::size_t i = 0; i < q.size(); i += 2) q[i] = -0.5;
  for (double const tolerance : {1e-3, 1e-6, 1e-9}) {
    EwaldOptions o = options_for(Kernel::laplace, Periodicity::none, tolerance);
    o.outputs = accuracy::outputs_for_virial(o.kernel);
    o.virial = true;
    auto const report = accuracy::report_of<BasicEwald, double>(runtime, o, points, q);
    for (double const error : {report.energy_error, report.virial_error}) {
      CHECK(error > 0);
      CHECK(error < tolerance);
    }
  }
}
