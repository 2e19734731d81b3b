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
  auto const* index = b.get<std::uint32_t const>(2) + args.share.first;
  auto* result = b.get<T>(3);
  bool const zero_mode = b.count(1) > 0;
  int const last = b.count(0) - 1;
  std::int64_t const stride = b.size<T>(0, last) / args.components;
  auto const* moments = zero_mode ? b.get<double const>(1) : nullptr;
  auto const* x = zero_mode ? b.get<T const>(1, 1) + args.share.first : nullptr;
  std::int64_t const x_stride = zero_mode ? b.size<T>(1, 1) / 3 : 0;
  portable_for(args.share.count(), [&](int i) {
    for (int m = 0; m < args.components; ++m) {
      T sum = 0;
      for (int part = 0; part <= last; ++part) {
        bool const rows = part == 0 && args.first_row > 0;
        T value = b.get<T const>(0, part)[rows ? std::int64_t(i) * args.first_row + m : m * stride + i];
        if (zero_mode && part == last) value += T(double(x[m * x_stride + i]) * moments[0] - moments[1 + m]);
        sum += value;
      }
      result[std::int64_t(index[i]) * args.components + args.columns.of(m)] = sum;
    }
  });
}

template struct Merge<double>;
template struct Merge<float>;

}  // namespace nearfar
