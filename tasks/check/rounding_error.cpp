// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/check/rounding_error.hpp"

#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/direct.hpp"
#include "core/kernels/pairs/force.hpp"
#include "core/kernels/pairs/near_precision.hpp"
#include "core/kernels/virial.hpp"
#include "tasks/check/squares.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace nearfar::detail {

namespace {

using Real = long double;
constexpr std::size_t energies = 1 + virial_size;

/// Energy of a pair and its virial F_a r_b, made symmetric, of the target's strengths in the field of the source.
template <class K>
std::array<double, energies> pair_energy(std::array<double, 3> const& apart, double const* strength,
                                         double const* field) {
  std::array<double, energies> all{};
  if constexpr (has_energy<K>) {
    constexpr EnergyStrengths at = energy_strengths_of<K>;
    if (at.charge >= 0) all[0] += strength[at.charge] * field[0];
    for (int d = 0; d < 3 && at.moment >= 0; ++d) all[0] += strength[at.moment + d] * field[slopes_at + d];
    if constexpr (has_virial<K>) {
      auto const strength_at = [&](int c) { return strength[c]; };
      auto const field_at = [&](int c) { return field[c]; };
      double force[3];
      for (int d = 0; d < 3; ++d) force[d] = force_along<double>(at, d, strength_at, field_at);
      for (int m = 0; m < virial_size; ++m) {
        auto const [a, b] = virial_axes(m);
        all[std::size_t(m) + 1] = (force[a] * apart[std::size_t(b)] + force[b] * apart[std::size_t(a)]) / 2;
      }
    }
  }
  return all;
}

/// The squares of what rounding changes by, summed over targets: each number of a row of results, as computed, and the
/// energy and virial of the pairs.
struct Changes {
  std::array<Real, max_row> rows{};
  std::array<Real, energies> energy{};
};

template <class T>
Changes changes(RoundedSums const& sums, MovedPairs const& moved, bool together, std::span<T const> strengths,
                int vector) {
  Changes squares;
  visit_kernel(sums.kernel, sums.outputs, [&](auto kernel) {
    using K = decltype(kernel);
    auto const strength_of = [&](std::uint32_t row) {
      std::array<double, K::strengths> strength;
      std::copy_n(&strengths[(row * std::size_t(sums.vectors) + std::size_t(vector)) * K::strengths], K::strengths,
                  strength.begin());
      return strength;
    };
    // Together: of each target the changes of all its pairs, which its own shift changes alike.
    std::array<Real, K::results> rows{};
    std::array<Real, energies> energy{};
    for (std::size_t i = 0; i < moved.size(); ++i) {
      MovedPair const& pair = moved[i];
      auto const strength = strength_of(pair.source);
      std::array<double, K::results> before{}, after{};
      add_pair<K>(pair.apart.data(), strength.data(), before.data(), sums.screening);
      add_pair<K>(pair.rounded.data(), strength.data(), after.data(), sums.screening);
      for (std::size_t c = 0; c < K::results; ++c) rows[c] += Real(after[c]) - Real(before[c]);
      if (sums.energy != nullptr) {
        auto const of_target = strength_of(pair.target);
        auto const was = pair_energy<K>(pair.apart, of_target.data(), before.data()),
                   is = pair_energy<K>(pair.rounded, of_target.data(), after.data());
        for (std::size_t m = 0; m < energies; ++m) energy[m] += Real(is[m]) - Real(was[m]);
        if (pair.uneven != std::array<float, 3>()) {
          // Times the shift, the forces on either side and that in the sum over images do not cancel.
          std::array<double, 3> other = pair.apart, shift{};
          for (std::size_t d = 0; d < 3; ++d) other[d] += double(pair.uneven[d]), shift[d] = double(pair.shift[d]);
          std::array<double, K::results> uneven{};
          add_pair<K>(other.data(), strength.data(), uneven.data(), sums.screening);
          auto const one = pair_energy<K>(shift, of_target.data(), before.data()),
                     two = pair_energy<K>(shift, of_target.data(), uneven.data());
          for (std::size_t m = 1; m < energies; ++m) energy[m] += Real(two[m]) - Real(one[m]);
        }
      }
      if (together && i + 1 < moved.size() && moved[i + 1].target == pair.target) continue;
      for (std::size_t c = 0; c < K::results; ++c) squares.rows[c] += pair.stands_for * rows[c] * rows[c];
      for (std::size_t m = 0; m < energies; ++m) squares.energy[m] += pair.stands_for * energy[m] * energy[m];
      rows.fill(0);
      energy.fill(0);
    }
  });
  return squares;
}

/// The sum over targets of the squares of their forces.
template <class T>
Real force_squares(RoundedSums const& sums, std::span<T const> strengths, std::span<T const> result) {
  Real squares = 0;
  visit_kernel(sums.kernel, sums.outputs, [&](auto kernel) {
    using K = decltype(kernel);
    if constexpr (has_virial<K>) {
      constexpr EnergyStrengths at = energy_strengths(K::strength_fields);
      if (asked_results(describe<K>(), sums.outputs).numbers != K::results) return;
      for (std::size_t row = 0; row < result.size() / K::results; ++row) {
        auto const strength = [&](int c) { return double(strengths[row * K::strengths + std::size_t(c)]); };
        auto const field = [&](int c) { return double(result[row * K::results + std::size_t(c)]); };
        for (int a = 0; a < 3; ++a) {
          Real const force = force_along<double>(at, a, strength, field);
          squares += force * force;
        }
      }
    }
  });
  return squares;
}

/// Each pair is met twice, from either side, where both points are the nearest to each other.
/// `forces`: what rounding of forces adds to the virial, if there is one.
double energy_error(std::span<Real const> changes, std::span<Real const> found, bool has_virial, Real forces) {
  auto const relative = [](Real change, Real size) {
    return change == 0 ? 0.0 : change < size ? double(change / size) : 1.0;
  };
  double const energy = relative(std::sqrt(changes[0] / 2), std::abs(found[0]));
  if (!has_virial) return energy;
  Real virial = forces, largest = 0;
  for (std::size_t m = 1; m < energies; ++m) {
    virial = std::max(virial, std::hypot(forces, std::sqrt(changes[m] / 2)));
    largest = std::max(largest, std::abs(found[m]));
  }
  return std::max(energy, relative(virial, largest));
}

}  // namespace

template <class T>
double rounding_error(Ranks const& ranks, MovedPairs const& moved, MovedPairs const& rounded, RoundedSums const& sums,
                      GivenArrays<T const> const& strengths, GivenArrays<T const> const& result) {
  constexpr double surely_met = 0.7;  // below this part of the tolerance a sample of the results is trusted
  constexpr double safety = 1.25;     // changes of few pairs do not have their mean
  constexpr auto numbers = Squares<T>::numbers;
  AskedResults const asked = asked_results(describe(sums.kernel, sums.outputs), sums.outputs);
  auto const error = [&](int vector, bool all) {
    constexpr std::size_t ours = max_row + 2 * energies + 1;
    std::array<Real, ours + numbers> totals{};
    std::span<Real, ours + numbers> const both(totals);
    Squares<T> found(both.template last<numbers>(), asked.numbers, -1, {vector, sums.vectors});
    ranks.together([&] {
      for (MovedPairs const* const pairs : {&moved, &rounded}) {
        if (pairs->empty()) continue;
        Changes const squares = changes(sums, *pairs, pairs == &moved, OnHost<T>(strengths).rows(), vector);
        for (std::size_t c = 0; c < squares.rows.size(); ++c) totals[c] += squares.rows[c];
        for (std::size_t m = 0; m < energies; ++m) totals[max_row + m] += squares.energy[m];
      }
      if (sums.energy != nullptr) {
        std::copy_n(sums.energy, energies, &totals[max_row + energies]);
        if (sums.of_forces > 0)
          totals[ours - 1] = force_squares(sums, OnHost<T>(strengths).rows(), OnHost<T>(result).rows());
      }
      found.add(result, all);
    });
    ranks.sum(std::span<Real>(totals));
    return ranks.decide([&] {
      double worst = 0;
      if (sums.energy != nullptr) {
        auto const all_totals = std::span(totals);
        worst = energy_error(all_totals.subspan(max_row, energies), all_totals.subspan(max_row + energies, energies),
                             sums.virial, sums.of_forces * std::sqrt(totals[ours - 1] / 3));
      }
      Real const first = found.rows() * found.mean(0, asked.fields.front().field.size());
      for (std::size_t f = 0; f < asked.fields.size(); ++f) {
        auto const& [field, computed, begin] = asked.fields[f];
        Real change = 0;
        for (int c = computed; c < computed + field.size(); ++c) change += totals[std::size_t(c)];
        Real const size = found.rows() * found.mean(begin, begin + field.size()),
                   none =
                       f > 0 && f < sums.negligible.size() ? Real(sums.negligible[f]) * sums.negligible[f] * first : 0;
        if (std::max(change, size) > none)
          worst = std::max(worst, change < size ? std::sqrt(double(change / size)) : 1.0);
      }
      return worst;
    });
  };
  double worst = 0;
  for (int vector = 0; vector < sums.vectors; ++vector) {
    double const sampled = error(vector, false);
    worst = std::max(worst, sampled > surely_met * sums.tolerance ? error(vector, true) : sampled);
  }
  return std::min(1.0, safety * worst);
}

#define NEARFAR_INSTANTIATE(T)                                                                           \
  template double rounding_error(Ranks const&, MovedPairs const&, MovedPairs const&, RoundedSums const&, \
                                 GivenArrays<T const> const&, GivenArrays<T const> const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
