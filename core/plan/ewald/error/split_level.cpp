// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/error/split_level.hpp"

#include "core/kernels/description/description.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

constexpr double quarter = 0.25, eighth = 0.125;
constexpr double safety = 1.25;

double gaussian_exponent(double level) { return eighth * level * std::log(10.0); }  // -ln of the error

}  // namespace

// Virials missed the tolerance by factors of up to 4; with c larger by 9 / 4 they keep it
// (nearfar_accuracy energies).
SplitLevels::SplitLevels(EwaldOptions const& options) : options_(options) {
  if (options.virial && !options.split_parameter) finer_ = options.split == Split::pswf ? 9 : 8;
  for (int level = 0; level <= last(); ++level) reaches_.push_back(reach_of(level));
}

int SplitLevels::last() const noexcept { return (options_.split == Split::pswf ? 180 : 140) - finer_; }

int SplitLevels::guess() const noexcept {
  double const digits = -std::log10(options_.tolerance);
  if (options_.split == Split::gaussian) return std::max(first(), static_cast<int>((digits + 1) / eighth));
  return std::max(
      first(), static_cast<int>((2.4 * digits + (describe(options_.kernel).base == Base::hasimoto ? 3 : 1)) / quarter));
}

double SplitLevels::parameter_at(double level) const noexcept {
  if (options_.split_parameter) return *options_.split_parameter;
  return options_.split == Split::pswf ? quarter * level : std::sqrt(gaussian_exponent(level));
}

double SplitLevels::parameter(int level) const noexcept { return parameter_at(level + finer_); }

double SplitLevels::reach_of(int level) const noexcept {
  if (options_.split == Split::pswf) return parameter(level);
  double const exponent = gaussian_exponent(level + finer_);
  double x = exponent;  // (1 + x) e^{-x} = e^{-exponent}
  for (int i = 0; i < 20; ++i) x = std::log1p(x) + exponent;
  return 2 * parameter(level) * std::sqrt(x);
}

SplitShape const& SplitLevels::shape(int level, Base base) {
  std::pair const key(base, parameter(level));
  auto const found = shapes_.find(key);
  if (found != shapes_.end()) return found->second;
  SplitShape shape = *split_shape(options_.split, base, key.second);
  if (finer_ > 0) {
    auto const coarser = split_shape(options_.split, base, parameter_at(level));
    shape.dropped = coarser->dropped;
    shape.edge = coarser->edge;
    shape.cut = coarser->cut;
  }
  return shapes_.emplace(key, shape).first->second;
}

double layer_degree(Split split, double parameter) noexcept {
  return std::max(2.0, split == Split::pswf ? 0.72 * parameter - 0.5 : 8.8 * parameter - 15);
}

double error_of(double square) noexcept { return safety * std::sqrt(square); }

}  // namespace nearfar
