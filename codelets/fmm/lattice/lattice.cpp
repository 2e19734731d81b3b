// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/lattice/lattice.hpp"

#include "codelets/common/portable.hpp"
#include "core/fmm/direct_shift.hpp"
#include "core/fmm/packed.hpp"

#include <algorithm>

namespace nearfar {

template <class T>
void Lattice<T>::portable(Buffers const& b, Args const& args) {
  auto const* sums = b.get<double const>(0);
  auto const* multipole = b.get<T const>(1);
  auto* local = b.get<T>(2);
  int const stride = expansion_stride<T>(args.order);
  std::fill_n(local, b.size<T>(2), T(0));
  portable_for(args.rhs,
               [&](int r) { multipole_to_local_with(args.order, sums, multipole + r * stride, local + r * stride); });
}

template struct Lattice<double>;
template struct Lattice<float>;

}  // namespace nearfar
