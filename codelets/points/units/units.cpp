// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/units/units.hpp"

#include "codelets/common/names.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearfar {

namespace {

/// One vector's part of rows of `row` numbers. NaNs are skipped, because comparisons with them are false.
template <int strengths, class T>
void find_largest(T const* rows, std::int64_t row, LargestArgs const& args, double* out) {
  T largest[strengths] = {};
  constexpr T finite = std::numeric_limits<T>::max();
  for (std::int64_t i = args.begin; i < args.end; ++i)
    for (int m = 0; m < strengths; ++m) {
      T const size = std::fabs(rows[i * row + m]);
      largest[m] = size > largest[m] && size <= finite ? size : largest[m];
    }
  std::fill_n(out, strength_groups(strengths), 0.0);
  for (int m = 0; m < strengths; ++m) out[strength_group(m)] = std::max(out[strength_group(m)], double(largest[m]));
}

}  // namespace

template <class T>
void largest_strengths(T const* all, LargestArgs const& args, double* of_all) {
  std::int64_t const row = std::int64_t(args.strengths) * args.vectors;
  for (int v = 0; v < args.vectors; ++v) {
    T const* const rows = all + v * args.strengths;
    double* const out = of_all + v * strength_groups(args.strengths);
    switch (args.strengths) {
      case 1: find_largest<1>(rows, row, args, out); break;
      case 3: find_largest<3>(rows, row, args, out); break;
      case 6: find_largest<6>(rows, row, args, out); break;
      default: find_largest<9>(rows, row, args, out);
    }
  }
}

template <class T>
char const* Largest<T>::symbol() {
  static std::string const s = "nearfar_largest" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void Largest<T>::portable(Buffers const& b, Args const& args) {
  largest_strengths(b.get<T const>(0), args, b.get<double>(1));
}

char const* Units::symbol() { return "nearfar_units"; }

void Units::portable(Buffers const& b, Args const& args) {
  auto* out = b.get<StrengthUnit>(1);
  for (int v = 0; v < args.vectors; ++v)
    out[v] = unit_of_vector(args, v, b.count(0), [&](int i) { return b.get<double const>(0, i); });
}

template void largest_strengths(double const*, LargestArgs const&, double*);
template void largest_strengths(float const*, LargestArgs const&, double*);
template struct Largest<double>;
template struct Largest<float>;

}  // namespace nearfar
