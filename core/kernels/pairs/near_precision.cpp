// SPDX-License-Identifier: BSD-3-Clause
#include "core/kernels/pairs/near_precision.hpp"

#include "core/math/reject.hpp"

#include <type_traits>

namespace nearfar {

template <class T>
void check_near_precision(NearPrecision precision, double tolerance) {
  if (std::is_same_v<T, float> && precision == NearPrecision::double_)
    reject(
        "near precision is double in a solve in single precision (whose positions are not known any better). Leave it "
        "out, or use double precision");
  if (std::is_same_v<T, float> || precision != NearPrecision::single || tolerance >= finest_for_single_near) return;
  reject("near precision is single with tolerance ", tolerance,
         " (rounding alone may add 2.5e-7 to the error). Leave it out, or give a tolerance from ",
         finest_for_single_near, " on");
}

template void check_near_precision<float>(NearPrecision, double);
template void check_near_precision<double>(NearPrecision, double);

}  // namespace nearfar
