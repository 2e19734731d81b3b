// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/rates.hpp"

#include <nearfar/ewald.hpp>

#include <array>

namespace nearfar {

/// So many times a rate.
struct Term {
  double Rates::*rate;
  double amount;
};

/// What the stages of a solve consist of.
struct WorkTerms {
  std::array<Term, 5> near;     ///< p2p
  std::array<Term, 1> points;   ///< bin, collect and merge
  std::array<Term, 3> spread;   ///< p2g
  std::array<Term, 2> gather;   ///< g2p
  std::array<Term, 1> planes;   ///< fft and ifft
  std::array<Term, 2> columns;  ///< scale
  double near_flops;            ///< of p2p, where it is counted by flops
};

/// `degree` is the degree of the near layers; `clumping` the number of pairs within the cutoff, in those of evenly
/// spread points; `lanes` the numbers in a SIMD vector; `mutual_blocks` as in MachineShape.
WorkTerms work_terms(EwaldOptions const& options, EwaldParameters const& parameters, double degree, double sources,
                     double targets, double clumping, double lanes, bool mutual_blocks);

/// What one CPU worker would need for each stage of a solve, in seconds.
struct Work {
  double near = 0;    ///< p2p, bin, collect and merge
  double points = 0;  ///< bin, collect and merge alone
  double spread = 0;
  double gather = 0;
  double planes = 0;
  double columns = 0;
  double near_flops = 0;  ///< no seconds: what GPUs are counted by
  double targets = 0;

  double far() const noexcept { return spread + gather + planes + columns; }
  double total() const noexcept { return near + far(); }
};

Work predict_work(EwaldOptions const& options, EwaldParameters const& parameters, double degree, double sources,
                  double targets, Rates const& rates, double clumping, bool mutual_blocks);

/// Seconds of some terms.
template <class Terms>
double seconds_of(Terms const& terms, Rates const& rates) {
  double sum = 0;
  for (Term const& t : terms) sum += rates.*t.rate * t.amount;
  return sum;
}

}  // namespace nearfar
