// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/merge/merge.hpp"

#include "codelets/names.hpp"
#include "codelets/portable.hpp"

namespace nearfar {

template <class T>
char const* Merge<T>::symbol() {
  static std::string const s = "nearfar_merge" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void Merge<T>::portable(Buffers const& b, Args const& args) {
  auto const* index = b.get<std::uint32_t const>(1);
  int const points = b.get<std::int32_t const>(2)[b.size<std::int32_t>(2) - 1];
  auto* rows = b.get<T>(3);
  std::int64_t const stride = b.size<T>(0) / args.components;
  portable_for(points, [&](int i) {
    for (int m = 0; m < args.components; ++m) {
      T sum = 0;
      for (int part = 0; part < b.count(0); ++part) sum += b.get<T const>(0, part)[m * stride + i];
      rows[std::int64_t(index[i]) * args.components + args.columns.at[m]] = sum;
    }
  });
}

template struct Merge<double>;
template struct Merge<float>;

}  // namespace nearfar
