// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/error/split_level.hpp"

#include "core/kernels/description.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

constexpr double quarter = 0.25, eighth = 0.125;
constexpr double safety = 1.25;

double gaussian_exponent(int level) { return eighth * level * std::log(10.0); }  // -ln of the error

}  // namespace

SplitLevels::SplitLevels(EwaldOptions const& options) : options_(options) {}

int SplitLevels::last() const noexcept { return options_.split == Split::pswf ? 180 : 140; }

int SplitLevels::guess() const noexcept {
  double const digits = -std::log10(options_.tolerance);
  if (options_.split == Split::gaussian) return std::max(first(), static_cast<int>((digits + 1) / eighth));
  return std::max(
      first(), static_cast<int>((2.4 * digits + (describe(options_.kernel).base == Base::hasimoto ? 3 : 1)) / quarter));
}

double SplitLevels::parameter(int level) const noexcept {
  if (options_.split_parameter) return *options_.split_parameter;
  return options_.split == Split::pswf ? quarter * level : std::sqrt(gaussian_exponent(level));
}

double SplitLevels::reach(int level) const noexcept {
  if (options_.split == Split::pswf) return parameter(level);
  double const exponent = gaussian_exponent(level);
  double x = exponent;  // (1 + x) e^{-x} = e^{-exponent}
  for (int i = 0; i < 20; ++i) x = std::log1p(x) + exponent;
  return 2 * parameter(level) * std::sqrt(x);
}

SplitShape const& SplitLevels::shape(int level, Base base) {
  std::pair const key(base, parameter(level));
  auto const found = shapes_.find(key);
  if (found != shapes_.end()) return found->second;
  return shapes_.emplace(key, make_split_shape(options_.split, base, key.second)).first->second;
}

double layer_degree(Split split, double parameter) noexcept {
  return std::max(2.0, split == Split::pswf ? 0.72 * parameter - 0.5 : 8.8 * parameter - 15);
}

double error_of(double square) noexcept { return safety * std::sqrt(square); }

}  // namespace nearfar
