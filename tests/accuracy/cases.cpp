// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/cases.hpp"

#include "core/ewald/split/profile.hpp"
#include "tests/accuracy/every.hpp"
#include "tests/accuracy/solve.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

namespace nearfar::accuracy {

namespace {

constexpr oracle::Box box{1, 1.2, .9};
constexpr double shortest = .9;

/// Cut to 20 binary places: numbers below 8 are then floats, too.
double cut(double x) { return std::floor(x * 0x1p20) * 0x1p-20; }

double normal(std::mt19937_64& generator) {  // Box and Muller
  double const radius = std::sqrt(-2 * std::log(1 - uniform(generator)));
  return radius * std::cos(2 * std::numbers::pi * uniform(generator));
}

std::array<double, 3> place(Distribution distribution, std::mt19937_64& generator) {
  std::array<double, 3> x{}, direction{};
  double size = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    direction[d] = normal(generator);
    size += direction[d] * direction[d];
  }
  for (std::size_t d = 0; d < 3; ++d) {
    if (distribution == Distribution::uniform) x[d] = uniform(generator) * box[d];
    if (distribution == Distribution::corner) x[d] = uniform(generator) * box[d] / 10;
    if (distribution == Distribution::normal) x[d] = box[d] / 2 + shortest / 8 * direction[d];
    if (distribution == Distribution::sphere) x[d] = box[d] / 2 + .4 * shortest * direction[d] / std::sqrt(size);
    x[d] = cut(x[d]);
  }
  return x;
}

bool inside(std::array<double, 3> const& x) {
  for (std::size_t d = 0; d < 3; ++d)
    if (!(x[d] >= 0 && x[d] < box[d])) return false;
  return true;
}

}  // namespace

std::vector<double> place_all(Distribution distribution, std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<double> points;
  while (points.size() < 3 * count) {
    auto const x = place(distribution, generator);
    if (inside(x)) points.insert(points.end(), x.begin(), x.end());
  }
  return points;
}

std::vector<double> strengths(Kernel kernel, Signs signs, std::size_t count, unsigned seed) {
  auto values = random_strengths(kernel, count, seed);
  for (double& v : values) v = signs == Signs::mixed ? cut(v) : cut((v + 1) / 2) + 0x1p-20;
  return values;
}

namespace {

/// The worse of the columns that have a unit of their own; `unit` is what errors are relative to.
double worst_error(System const& s, std::vector<double> const& result, std::vector<double> const& exact,
                   std::vector<double> const& unit) {
  auto const width = std::size_t(oracle::result_row(s.kernel, s.gradient()));
  double error[2] = {}, size[2] = {};
  for (std::size_t i = 0; i < exact.size(); ++i) {
    std::size_t const column = width == 4 && i % 4 > 0;
    error[column] += std::pow(result[i] - exact[i], 2);
    size[column] += std::pow(unit[i], 2);
  }
  double const first = error[0] / size[0];
  return std::sqrt(width == 4 ? std::max(first, error[1] / size[1]) : first);
}

/// The far part without what a source's own far field is at its place: 2 Phi'(0) f or Phi'(0) q.
std::vector<double> without_self(System const& s, std::vector<double> far, Split split, EwaldPlanning const& p) {
  double const slope = double(Profile(split, p.split_parameter, p.cutoff).first(0));
  std::size_t const in = oracle::strength_row(s.kernel), out = oracle::result_row(s.kernel, s.gradient());
  for (std::size_t t = 0; t < far.size() / out; ++t) {
    double const* strength = &s.strengths[in * t];
    if (s.kernel == Kernel::laplace) far[out * t] -= slope * strength[0];
    for (std::size_t j = 0; j < 3 && oracle::has_stokeslet(s.kernel); ++j) far[out * t + j] -= 2 * slope * strength[j];
  }
  return far;
}

}  // namespace

std::string_view name(Distribution value) noexcept {
  constexpr std::string_view names[] = {"uniform", "normal", "sphere", "corner"};
  return names[std::size_t(value)];
}

std::string_view name(Signs value) noexcept { return value == Signs::mixed ? "mixed" : "positive"; }

std::string describe(Case const& c) {
  std::ostringstream text;
  text << nearfar::name(c.kernel) << ", periodic " << nearfar::name(c.periodicity) << ", "
       << (c.single ? "single" : "double") << ", " << name(c.distribution) << ", " << name(c.signs) << ", "
       << nearfar::name(c.split) << ", tolerance " << c.tolerance;
  return text.str();
}

void Judge::go_to(Place const& place) {
  if (!points_.empty() && place == place_) return;
  place_ = place;
  points_ = place_all(place.distribution, count_, seed_);
  force_ = strengths(Kernel::stokeslet, place.signs, count_, seed_ + 1);
  dipole_ = strengths(Kernel::stresslet, place.signs, count_, seed_ + 2);
  charge_ = strengths(Kernel::laplace, place.signs, count_, seed_ + 3);
  exact_.clear();
}

System Judge::system(Kernel kernel) const {
  System s{
      kernel, box, points_, {points_.begin(), points_.begin() + 3 * std::ptrdiff_t(judged_)}, {}, place_.periodicity};
  if (kernel == Kernel::laplace) s.strengths = charge_;
  if (kernel == Kernel::stokeslet) s.strengths = force_;
  if (kernel == Kernel::stresslet) s.strengths = dipole_;
  for (std::size_t i = 0; i < count_ && kernel == Kernel::stokes; ++i) {
    s.strengths.insert(s.strengths.end(), &force_[3 * i], &force_[3 * i] + 3);
    s.strengths.insert(s.strengths.end(), &dipole_[6 * i], &dipole_[6 * i] + 6);
  }
  return s;
}

std::vector<double> const& Judge::exact(Kernel kernel) {
  auto& u = exact_[kernel];
  if (!u.empty()) return u;
  if (kernel != Kernel::stokes) return u = whole_reference(system(kernel));
  u = exact(Kernel::stokeslet);
  auto const& more = exact(Kernel::stresslet);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] += more[i];
  return u;
}

Errors Judge::errors(Runtime const& runtime, Case const& c) {
  go_to({c.periodicity, c.distribution, c.signs});
  System const judged = system(c.kernel);
  System all = judged;
  all.targets = all.sources;
  EwaldOptions const options{.tolerance = c.tolerance, .split = c.split, .far_precision = c.far_precision};
  auto outcome = c.single ? solve<float>(runtime, all, options) : solve<double>(runtime, all, options);
  auto const& whole = exact(c.kernel);
  for (auto* rows : {&outcome.whole, &outcome.far}) rows->resize(whole.size());
  auto const far = far_reference(judged, whole, c.split, outcome.parameters);
  return {outcome.parameters, worst_error(judged, outcome.whole, whole, whole),
          worst_error(judged, outcome.far, far, far),
          worst_error(judged, outcome.far, far, without_self(judged, far, c.split, outcome.parameters))};
}

std::vector<Case> sweep(Distribution distribution, std::vector<double> const& tolerances, Signs signs, Split split) {
  std::vector<Case> cases;
  for (Periodicity periodicity : every_periodicity)
    for (Kernel kernel : every_kernel)
      for (bool single : {false, true})
        for (double tolerance : tolerances)
          if (!single || tolerance > .99e-5)
            cases.push_back({kernel, periodicity, distribution, signs, single, tolerance, split});
  return cases;
}

std::vector<Case> every_case() {
  std::vector<double> const all{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};
  std::vector<double> const some{1e-3, 1e-6, 1e-9, 1e-12};
  std::vector<Case> cases;
  auto const add = [&](std::vector<Case> const& more) { cases.insert(cases.end(), more.begin(), more.end()); };
  for (Distribution distribution : every_distribution) add(sweep(distribution, all));
  add(sweep(Distribution::uniform, some, Signs::mixed, Split::gaussian));
  for (Distribution distribution : {Distribution::uniform, Distribution::sphere})
    add(sweep(distribution, some, Signs::positive));
  return cases;
}

}  // namespace nearfar::accuracy
