// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/rates.hpp"

namespace nearfar::detail {
template <class T>
Rates const& measured_rates() {
  static Rates const r{};
  return r;
}
template Rates const& measured_rates<double>();
template Rates const& measured_rates<float>();
}  // namespace nearfar::detail
