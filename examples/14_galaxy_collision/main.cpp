// SPDX-License-Identifier: BSD-3-Clause
// usage: example_14_galaxy_collision [STARS STEPS [FILE]]
// Gravity: two Plummer spheres of STARS stars each meet and pass through each other. The potential of a star is
// softened, so that close pairs do not scatter: a star stands for many. Leapfrog steps conserve the energy. Units: a
// galaxy's mass, its Plummer radius, and G are 1. FILE: step, galaxy, x and y of stars at the start, half-way and at
// the end (docs/update_galaxies draws them).
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <random>
#include <vector>

namespace {

constexpr double softening = 0.05, step_length = 0.04;

class Random {
 public:
  double uniform() { return double(random_()) / 4294967296.0; }
  /// A vector of that length in any direction.
  void add_direction(double length, double const* origin, std::vector<double>& to) {
    double const z = 2 * uniform() - 1, angle = 2 * std::numbers::pi * uniform(), flat = std::sqrt(1 - z * z);
    to.insert(to.end(), {origin[0] + length * flat * std::cos(angle), origin[1] + length * flat * std::sin(angle),
                         origin[2] + length * z});
  }

 private:
  std::mt19937 random_{1};
};

class Galaxies {
 public:
  Galaxies(nearfar::Runtime const& runtime, int stars)
      : plan_(runtime, options()), mass_(2 * std::size_t(stars), 1.0 / stars) {
    // From far away they fall towards each other, and miss by a radius and a half.
    constexpr double apart = 3, aside = 0.75, speed = 0.4;
    add(stars, {-apart, -aside, 0}, {speed, 0, 0});
    add(stars, {apart, aside, 0}, {-speed, 0, 0});
    points_ = plan_.set_points(x_);
    solve();
  }

  /// Half a kick, a drift, and half a kick.
  void step() {
    kick();
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += step_length * v_[i];
    points_ = plan_.move_points(*points_, x_);
    solve();
    kick();
  }

  double energy() const {
    double kinetic = 0;
    for (double const v : v_) kinetic += 0.5 * mass_[0] * v * v;
    return kinetic - pairs_;
  }
  /// Between the middles of the two.
  double distance() const {
    double apart[3] = {};
    for (std::size_t i = 0; i < x_.size(); ++i) apart[i % 3] += (i < x_.size() / 2 ? 1 : -1) * x_[i] * mass_[0];
    return std::hypot(apart[0], apart[1], apart[2]);
  }
  void write(std::FILE* file, int number) const {
    for (std::size_t i = 0; i < mass_.size(); ++i)
      std::fprintf(file, "%d,%d,%.4f,%.4f\n", number, i < mass_.size() / 2 ? 0 : 1, x_[3 * i], x_[3 * i + 1]);
  }

 private:
  static nearfar::FmmOptions options() {
    nearfar::FmmOptions options{.outputs = nearfar::Output::potential | nearfar::Output::gradient, .tolerance = 1e-3};
    options.softening = softening;
    options.capacity = 1000;  // stars: leaves have to be large beside the softening
    return options;
  }

  /// A Plummer sphere in equilibrium (Aarseth, Henon and Wielen, Astron. Astrophys. 37 (1974) 183).
  void add(int stars, std::array<double, 3> const& centre, std::array<double, 3> const& velocity) {
    constexpr double most = 0.97;  // of the mass, which has no end
    for (int i = 0; i < stars; ++i) {
      double const radius = 1 / std::sqrt(std::pow(most * (random_.uniform() + 1e-9), -2.0 / 3) - 1);
      random_.add_direction(radius, centre.data(), x_);
      double part = 0, chance = 0;  // of the speed with which a star escapes
      do part = random_.uniform(), chance = 0.1 * random_.uniform();
      while (chance > part * part * std::pow(1 - part * part, 3.5));
      random_.add_direction(part * std::sqrt(2.0) * std::pow(1 + radius * radius, -0.25), velocity.data(), v_);
    }
  }
  void solve() {
    field_.resize(4 * mass_.size());
    auto solve = plan_.submit(*points_, mass_, field_);
    solve.wait();
    pairs_ = *solve.report().energy;  // half the sum of m phi; gravity attracts
  }
  void kick() {
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] += 0.5 * step_length * field_[4 * (i / 3) + 1 + i % 3];
  }

  Random random_;
  nearfar::Fmm plan_;
  std::optional<nearfar::FmmPoints> points_{};
  std::vector<double> mass_, x_{}, v_{}, field_{};
  double pairs_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  int const stars = argc > 1 ? std::atoi(argv[1]) : 1000, steps = argc > 2 ? std::atoi(argv[2]) : 400;
  std::FILE* const file = argc > 3 ? std::fopen(argv[3], "w") : nullptr;
  nearfar::Runtime runtime;
  Galaxies galaxies(runtime, stars);
  double const first = galaxies.energy();
  double worst = 0, closest = galaxies.distance();
  for (int step = 0; step <= steps; ++step) {
    worst = std::max(worst, std::abs(galaxies.energy() / first - 1));
    closest = std::min(closest, galaxies.distance());
    if (step % std::max(1, steps / 4) == 0)
      std::printf("time %4.1f: %.1f apart, energy %.4f\n", step * step_length, galaxies.distance(), galaxies.energy());
    if (file != nullptr && step % std::max(1, steps / 2) == 0) galaxies.write(file, step);
    if (step < steps) galaxies.step();
  }
  if (file != nullptr) std::fclose(file);
  std::printf("they came as close as %.1f; energy is conserved to half a per cent: %s\n", closest,
              worst < 0.005 ? "yes" : "no");
}
