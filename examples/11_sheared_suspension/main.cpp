// SPDX-License-Identifier: BSD-3-Clause
// usage: example_11_sheared_suspension [SPHERES STEPS]
// A cell that changes: a suspension between Lees-Edwards boundaries. The flow (y, 0, 0) shears a viscous fluid with
// rigid spheres and with it the cell, whose row b leans more and more. A sphere does not follow the strain rate E that
// it feels and so acts on the fluid as the stresslet 20/3 pi a^3 (E of the flow + E of all other spheres and images): a
// small system of equations, solved by fixed-point steps. The mean stresslet is what the spheres add to the stress of
// the fluid, 5/2 of their share of the volume if they are few (Einstein). Stokes kernels have no virial: a flow has no
// potential energy whose derivative the stress would be. After a strain of 1 the cell leans by a whole row and so is
// the first one again: a lattice of spheres has its first stress.
#include <nearfar/flow.hpp>
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <vector>

namespace {

constexpr double share = 0.05;  // of the volume in spheres
using Rows = std::array<std::array<double, 3>, 3>;
using Strain = nearfar::Tensor<double>;  // symmetric

Rows sheared(double strain) { return {{{1, 0, 0}, {strain, 1, 0}, {0, 0, 1}}}; }

/// Spheres of equal size in a cell of edge 1; viscosity and shear rate are 1.
class Suspension {
 public:
  Suspension(nearfar::Runtime const& runtime, std::vector<double> centres)
      : x_(std::move(centres)), stresslet_(x_.size() / 3), volume_(share / double(stresslet_.size())),
        plan_(runtime, options()), points_(plan_.set_points(sources(), x_)) {}

  /// Stress of the suspension over that of the fluid alone, in this cell and with the spheres where they are.
  double stress() {
    constexpr double accuracy = 1e-5;
    constexpr int enough = 30;  // steps; spheres that nearly touch would need lubrication, and more of them
    double change = 1;
    for (int step = 0; step < enough && change > accuracy; ++step) {
      change = 0;
      solve();
      for (std::size_t i = 0; i < stresslet_.size(); ++i) {
        Strain wanted = nearfar::strain_rate(slope(i));
        wanted[1] += 0.5, wanted[3] += 0.5;  // of the flow (y, 0, 0)
        for (std::size_t c = 0; c < 9; ++c) {
          double const now = 5 * volume_ * wanted[c];  // 20/3 pi a^3 = 5 volumes
          change = std::max(change, std::abs(now - stresslet_[i][c]) / volume_);
          stresslet_[i][c] = now;
        }
      }
    }
    double sum = 0;
    for (Strain const& s : stresslet_) sum += s[1];
    return 1 + sum;
  }

  /// Moves the spheres with the fluid, and shears the cell by as much.
  void shear(double from, double to) {
    for (std::size_t i = 0; i < stresslet_.size(); ++i) {
      double const y = x_[3 * i + 1];
      for (std::size_t d = 0; d < 3; ++d) x_[3 * i + d] += (to - from) * (velocity(i)[d] + (d == 0 ? y : 0));
    }
    plan_.set_cell(sheared(to));
    points_ = plan_.move_points(points_, sources(), x_);
  }

 private:
  static nearfar::EwaldOptions options() {
    nearfar::EwaldOptions options{.kernel = nearfar::Kernel::stresslet,
                                  .outputs = nearfar::Output::velocity | nearfar::Output::gradient};
    options.tolerance = 1e-5;
    options.zero_mode = nearfar::ZeroMode::zero_mean_flow;
    return options;
  }

  /// Three sources for each sphere: a stresslet S is the sum of q n with q = S e and n = e for three unit vectors e.
  std::vector<double> sources() const {
    std::vector<double> all;
    for (std::size_t i = 0; i < x_.size(); i += 3)
      for (int k = 0; k < 3; ++k) all.insert(all.end(), &x_[i], &x_[i] + 3);
    return all;
  }
  void solve() {
    std::vector<double> layers;
    for (Strain const& s : stresslet_)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t c = 0; c < 6; ++c)
          layers.push_back(c < 3 ? s[3 * k + c] / (16 * std::numbers::pi) : c - 3 == k ? 1.0 : 0.0);
    flow_.resize(12 * stresslet_.size());
    plan_.submit(points_, layers, flow_).wait();
  }
  double const* velocity(std::size_t i) const { return &flow_[12 * i]; }
  Strain slope(std::size_t i) const {
    Strain all;
    std::copy_n(&flow_[12 * i + 3], 9, all.begin());
    return all;
  }

  std::vector<double> x_;
  std::vector<Strain> stresslet_;
  double volume_;  // of a sphere
  nearfar::Ewald plan_;
  nearfar::Points points_;
  std::vector<double> flow_;  // velocity and its gradient at each sphere, due to all others
};

/// Places near those of a lattice, so that no two spheres overlap.
std::vector<double> places(int spheres) {
  std::mt19937 random(1);
  int const along = int(std::ceil(std::cbrt(spheres)));
  std::vector<double> all;
  for (int i = 0; i < spheres; ++i)
    for (int const at : {i % along, i / along % along, i / along / along})
      all.push_back((at + 0.3 * (double(random()) / 4294967296.0)) / along);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  int const spheres = argc > 1 ? std::atoi(argv[1]) : 64, steps = argc > 2 ? std::atoi(argv[2]) : 50;
  nearfar::Runtime runtime;
  Suspension suspension(runtime, places(spheres)), lattice(runtime, {0, 0, 0});
  double first = 0, middle = 0, last = 0;
  for (int step = 0; step <= steps; ++step) {
    double const strain = double(step) / steps;
    double const stress = suspension.stress(), of_lattice = lattice.stress();
    if (step == 0) first = of_lattice;
    if (step == steps / 2) middle = of_lattice;
    last = of_lattice;
    if (step % std::max(1, steps / 10) == 0)
      std::printf("strain %.1f: stress %.4f of the fluid's, of a lattice %.4f\n", strain, stress, of_lattice);
    if (step == steps) break;
    double const next = double(step + 1) / steps;
    suspension.shear(strain, next);
    lattice.shear(strain, next);
  }
  std::printf("few spheres would add %.3f\n", 2.5 * share);
  std::printf("the lattice changed by %.0e at strain 0.5, by less than 1e-4 at 1: %s\n", std::abs(middle - first),
              std::abs(last - first) < 1e-4 ? "yes" : "no");
}
