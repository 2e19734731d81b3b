// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/rate_fit.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

namespace {

/// How firmly a rate is held at what it was, beside measurements that each count 1; and its least, in what it was.
constexpr double hold = 3e-3, least = 0.1;
constexpr int rounds = 2000;  // of descending along one rate after the other; all is done in a millisecond

double predicted(Measured const& m, Rates const& rates) { return seconds_of(m.terms, rates); }

}  // namespace

void fit_rates(Rates& rates, std::span<Measured const> measurements) {
  std::vector<double Rates::*> fitted;
  double sum = 0, squares = 0;
  for (Measured const& m : measurements) {
    double const ratio = predicted(m, rates) / m.seconds;
    sum += ratio;
    squares += ratio * ratio;
    for (Term const& t : m.terms)
      if (std::find(fitted.begin(), fitted.end(), t.rate) == fitted.end()) fitted.push_back(t.rate);
  }
  if (!(squares > 0)) return;
  for (auto const rate : fitted) rates.*rate *= sum / squares;

  Rates const before = rates;
  std::vector<std::vector<double>> share(fitted.size(), std::vector<double>(measurements.size(), 0));
  std::vector<double> missing(measurements.size(), 1), factor(fitted.size(), 1);
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    Measured const& m = measurements[i];
    missing[i] -= predicted(m, before) / m.seconds;
    for (Term const& t : m.terms) {
      auto const j = std::size_t(std::find(fitted.begin(), fitted.end(), t.rate) - fitted.begin());
      share[j][i] += before.*t.rate * t.amount / m.seconds;
    }
  }
  for (int round = 0; round < rounds; ++round)
    for (std::size_t j = 0; j < fitted.size(); ++j) {
      double slope = hold * (1 - factor[j]), curvature = hold;
      for (std::size_t i = 0; i < measurements.size(); ++i) {
        slope += share[j][i] * missing[i];
        curvature += share[j][i] * share[j][i];
      }
      double const next = std::max(least, factor[j] + slope / curvature);
      for (std::size_t i = 0; i < measurements.size(); ++i) missing[i] -= share[j][i] * (next - factor[j]);
      factor[j] = next;
    }
  for (std::size_t j = 0; j < fitted.size(); ++j) rates.*fitted[j] = before.*fitted[j] * factor[j];
}

void scale_rates(Rates& rates, std::span<double Rates::*const> of_stage, std::span<Measured const> measurements) {
  double sum = 0;
  int count = 0;
  for (Measured const& m : measurements)
    if (double const factor = m.seconds / predicted(m, rates); factor > 0 && std::isfinite(factor)) {
      sum += std::log(factor);
      ++count;
    }
  if (count == 0) return;
  for (auto const rate : of_stage) rates.*rate *= std::exp(sum / count);
}

}  // namespace nearfar::detail
