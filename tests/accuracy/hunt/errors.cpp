// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/hunt/errors.hpp"

#include "core/kernels/description/description.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace nearfar::hunt {

namespace {

/// Of the numbers in columns begin to end.
double norm(std::vector<double> const& rows, std::size_t width, std::size_t begin, std::size_t end) {
  long double sum = 0;
  for (std::size_t row = 0; row < rows.size(); row += width)
    for (std::size_t i = row + begin; i < row + end; ++i) sum += std::pow((long double)(rows[i]), 2);
  return double(std::sqrt(sum));
}

/// What rounding leaves of a derivative that is zero, of values of norm 1: as reports of multipole solves have it.
template <class T>
double rounding_of_zero(System const& s, Output output) {
  int const derivative = output == Output::gradient ? 1 : output == Output::hessian ? 2 : 0;
  double const spacing = std::cbrt(s.box[0] * s.box[1] * s.box[2] * 3 / double(s.sources.size()));
  return derivative > 0 ? 100 * double(std::numeric_limits<T>::epsilon()) / std::pow(spacing, derivative) : 0;
}

double error_of_rows(Problem const& p, std::vector<double> const& u, std::vector<double> const& exact) {
  auto const width = std::size_t(result_components(p.system.kernel, p.outputs));
  std::vector<double> wrong(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) wrong[i] = u[i] - exact[i];
  double worst = 0, first = 0;
  std::size_t begin = 0;
  for (Output const output : list_of(p.outputs)) {
    std::size_t const end = begin + std::size_t(output_components(p.system.kernel, output));
    double const error = norm(wrong, width, begin, end), size = norm(exact, width, begin, end);
    if (begin == 0) first = size;
    begin = end;
    double const rounding = rounding_of_zero<double>(p.system, output),
                 as_told = p.single ? rounding_of_zero<float>(p.system, output) : rounding;
    bool const is_zero = size <= (p.fmm ? as_told : rounding) * first;
    if (error > 0 && !(is_zero && error <= as_told * first)) worst = std::max(worst, error / size);
  }
  return worst;
}

/// What the norms of charges and potentials, and of dipoles and gradients, bound the energy by, and their errors its
/// own: what is zero beside it may be rounding.
double bound_of_energy(Problem const& p, std::vector<double> const& rows) {
  System const& s = p.system;
  auto const points = s.sources.size() / 3, strengths = s.strengths.size() / points, fields = rows.size() / points;
  EnergyStrengths const at = nearfar::describe(s.kernel).energy;
  auto const bound = [&](int strength, int field, int size) {
    auto const first = std::size_t(strength), begin = std::size_t(field), of = std::size_t(size);
    return strength < 0 ? 0 : norm(s.strengths, strengths, first, first + of) * norm(rows, fields, begin, begin + of);
  };
  return (bound(at.charge, 0, 1) + bound(at.moment, 1, 3)) / 2;
}

double error_of_numbers(Problem const& p, std::span<double const> found, std::span<double const> exact, double bound) {
  constexpr double of_rounding = 100;  // units of the last place
  double error = 0, size = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    error = std::max(error, std::abs(found[i] - exact[i]));
    size = std::max(size, std::abs(exact[i]));
  }
  double const rounding = of_rounding * std::numeric_limits<double>::epsilon() * bound,
               as_told = p.single ? of_rounding * double(std::numeric_limits<float>::epsilon()) * bound : rounding;
  return error == 0 || (size <= rounding && error <= as_told) ? 0 : error / size;
}

}  // namespace

double Errors::of_energies() const { return std::max(energy, virial); }
double Errors::worst() const { return std::max(rows, of_energies()); }
char const* Errors::which() const {
  if (worst() == rows) return "";
  return worst() == energy ? " (energy)" : " (virial)";
}

Errors errors_of(Problem const& p, Answer const& found, Answer const& exact) {
  Errors errors{error_of_rows(p, found.rows, exact.rows)};
  if (!p.has_energies) return errors;
  double const bound = bound_of_energy(p, exact.rows);
  errors.energy = error_of_numbers(p, {&found.energy.value(), 1}, {&exact.energy.value(), 1}, bound);
  if (p.virial) errors.virial = error_of_numbers(p, found.virial.value(), exact.virial.value(), bound);
  return errors;
}

}  // namespace nearfar::hunt
