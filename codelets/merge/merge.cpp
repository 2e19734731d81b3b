// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/merge/merge.hpp"

#include "codelets/names.hpp"
#include "codelets/portable.hpp"

namespace nearfar {

namespace {

constexpr int most_parts = 4;

/// Points of a block are anywhere in the caller's memory: rows are asked for this many points ahead.
constexpr int ahead = 24;

template <class T>
struct PartView {
  T const* begin;
  std::int64_t point, component;  ///< how far apart

  T at(int i, int m) const { return begin[i * point + m * component]; }
};

}  // namespace

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
  int const last = b.count(0) - 1, count = args.share.count();
  auto const* moments = zero_mode ? b.get<double const>(1) : nullptr;
  auto const* x = zero_mode ? b.get<T const>(1, 1) + args.share.first : nullptr;
  std::int64_t const x_stride = zero_mode ? b.size<T>(1, 1) / 3 : 0;
  PartView<T> parts[most_parts];
  for (int p = 0; p <= last; ++p) {
    parts[p] = {b.get<T const>(0, p), 1, b.size<T>(0, last) / args.components};
    if (p == 0 && args.first_row > 0) parts[p] = {parts[p].begin, args.first_row, 1};
  }
  portable_for(count, [&](int i) {
    __builtin_prefetch(result + std::int64_t(index[i + ahead < count ? i + ahead : i]) * args.components, 1);
    T* const row = result + std::int64_t(index[i]) * args.components;
    for (int m = 0; m < args.components; ++m) {
      T sum = 0;
      for (int p = 0; p <= last; ++p) {
        T value = parts[p].at(i, m);
        if (zero_mode && p == last) value += T(double(x[m * x_stride + i]) * moments[0] - moments[1 + m]);
        sum += value;
      }
      row[args.columns.of(m)] = sum;
    }
  });
}

template struct Merge<double>;
template struct Merge<float>;

}  // namespace nearfar
