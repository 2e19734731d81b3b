// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/particles/pinned.hpp"

#if defined(NEARFAR_WITH_GPUS)
#include "codelets/common/gpu/gpu_pointer.hpp"
#endif

#include <algorithm>

namespace nearfar::detail {

template <class T>
bool are_pinned([[maybe_unused]] GivenArrays<T> const& arrays) {
#if defined(NEARFAR_WITH_GPUS)
  return std::ranges::all_of(arrays.all(), [](std::span<T> array) {
    return array.empty() || (is_pinned(array.data()) && is_pinned(&array.back()));
  });
#else
  return false;
#endif
}

template bool are_pinned(GivenArrays<double> const&);
template bool are_pinned(GivenArrays<float> const&);
template bool are_pinned(GivenArrays<double const> const&);
template bool are_pinned(GivenArrays<float const> const&);

}  // namespace nearfar::detail
