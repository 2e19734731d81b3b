// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/ghost/ghost.hpp"

#include "codelets/common/names.hpp"

#include <algorithm>
#include <string>

namespace nearfar {

template <class T>
char const* PackPlanes<T>::symbol() {
  static std::string const s = "nearfar_pack_planes" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void PackPlanes<T>::portable(Buffers const& b, Args const& args) {
  for (std::int64_t i = 0; i < args.numbers(); i += args.plane)
    std::copy_n(b.get<T const>(0) + args.in_slab(i), args.plane, b.get<T>(1) + i);
}

template <class T>
char const* PutPlanes<T>::symbol() {
  static std::string const s = "nearfar_put_planes" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void PutPlanes<T>::portable(Buffers const& b, Args const& args) {
  for (std::int64_t i = 0; i < args.numbers(); i += args.plane)
    std::copy_n(b.get<T const>(0) + i, args.plane, b.get<T>(1) + args.in_slab(i));
}

template struct PackPlanes<double>;
template struct PackPlanes<float>;
template struct PutPlanes<double>;
template struct PutPlanes<float>;

}  // namespace nearfar
