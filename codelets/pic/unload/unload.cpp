// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/unload/unload.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"

namespace nearfar {

template <class T>
char const* Unload<T>::symbol() {
  static std::string const s = "nearfar_unload" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void Unload<T>::portable(Buffers const& b, Args const& args) {
  std::int64_t const stride = b.size<T>(0) / 6;
  T const* const from = b.get<T const>(0) + (args.velocities ? 3 * stride : 0) + args.first;
  T* const to = b.get<T>(1) + 3 * args.row;
  portable_for(int(args.count), [&](int i) {
    for (int d = 0; d < 3; ++d) to[3 * std::int64_t(i) + d] = from[d * stride + i];
  });
}

template struct Unload<double>;
template struct Unload<float>;

}  // namespace nearfar
