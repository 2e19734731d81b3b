// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/views/rounded_pairs.hpp"

#include "tasks/check/sample.hpp"
#include "tasks/points/views/kept_pairs.hpp"

#include <cmath>

namespace nearfar::detail {

MovedPairs rounded_pairs(NearPairs const& near, OnHost<float> const& sources, OnHost<float> const& targets, bool same) {
  constexpr std::size_t most_sources = 1024, some_targets = 8;
  constexpr double added = 7e-8;  // about half a unit in the last place
  std::size_t const from = sources.size() / 3, to = same ? from : targets.size() / 3;
  MovedPairs pairs;
  if (from == 0 || to == 0 || from > most_sources) return pairs;
  std::vector<std::uint32_t> const sample = sample_of(to, some_targets);
  std::span<float const> const rows = sources.rows();
  auto const at = rows_on_host<float>((same ? sources : targets).arrays(), 3, std::span<std::uint32_t const>(sample));
  double const few = 1 + 3 * std::sqrt(2 / double(to));  // three deviations above the mean of so many squares
  for (std::size_t t = 0; t < sample.size(); ++t) {
    KeptPairs kept;
    for (std::uint32_t s = 0; s < from; ++s) {
      double apart[3];
      for (std::size_t d = 0; d < 3; ++d) apart[d] = near.unit.ours(double(at[3 * t + d]) - double(rows[3 * s + d]));
      double images[3] = {};
      for (int d = 0; d < 3; ++d)
        if (near.periodic[std::size_t(d)]) images[d] = std::round(near.lattice.fraction(d, apart));
      double whole[3];
      near.lattice.shift(images[0], images[1], images[2], whole);
      for (std::size_t d = 0; d < 3; ++d) apart[d] -= whole[d];
      double const r2 = dot(apart, apart);
      if ((same && s == sample[t]) || !(r2 > 0) || r2 > near.cutoff * near.cutoff) continue;
      MovedPair pair{{}, {}, sample[t], s, 0};
      for (std::size_t d = 0; d < 3; ++d) {
        pair.apart[d] = near.unit.callers(apart[d]);
        pair.rounded[d] = pair.apart[d] * (1 + added);
      }
      kept.add(std::pow(r2, -near.power), pair);
    }
    kept.give(few * double(to) / double(sample.size()), pairs);
  }
  return pairs;
}

}  // namespace nearfar::detail
