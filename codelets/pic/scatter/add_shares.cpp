// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/scatter/add_shares.hpp"

#include "codelets/common/names.hpp"

#include <algorithm>

namespace nearfar {

template <class T>
char const* AddShares<T>::symbol() {
  static std::string const s = "nearfar_add_shares" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void AddShares<T>::portable(Buffers const& b, Args const&) {
  std::int64_t const size = b.size<T>(1);
  T* const slab = b.get<T>(1);
  std::copy_n(b.get<T const>(0), size, slab);
  for (int rank = 1; rank < b.count(0); ++rank) {
    T const* const share = b.get<T const>(0, rank);
    for (std::int64_t i = 0; i < size; ++i) slab[i] += share[i];
  }
}

template struct AddShares<double>;
template struct AddShares<float>;

}  // namespace nearfar
