// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/direct/direct.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/points/merge/overflow.hpp"
#include "core/kernels/pairs/direct.hpp"

#include <cmath>

namespace nearfar {

template <class K>
char const* Direct<K>::symbol() {
  static std::string const s = model_symbol<double>("direct", K::symbol);
  return s.c_str();
}

template <class K>
void Direct<K>::portable(Buffers const& b, Args const& args) {
  auto const* source = b.get<double const>(0);
  auto const* strength = b.get<double const>(1);
  auto const* target = b.get<double const>(2);
  auto* result = b.get<double>(3);
  std::int64_t const sources = b.size<double>(0) / 3;
  auto const screening = static_cast<long double>(args.screening), softening = static_cast<long double>(args.softening);
  portable_for(int(b.size<double>(2) / 3), [&](int i) {
    long double sum[K::results] = {};
    for (std::int64_t j = 0; j < sources; ++j) {
      long double r[3], f[K::strengths];
      for (int d = 0; d < 3; ++d) r[d] = static_cast<long double>(target[3 * i + d]) - source[3 * j + d];
      for (int m = 0; m < K::strengths; ++m) f[m] = strength[j * K::strengths + m];
      add_pair<K>(r, f, sum, screening, softening * softening);
    }
    double* const row = result + std::int64_t(i) * args.columns.callers(K::results);
    for (int m = 0; m < K::results; ++m) {
      int const column = args.columns.of(m);
      if (column < 0) continue;
      row[column] = double(sum[m]);
      if (!std::isfinite(row[column])) throw overflow<double>(column, args.first + i, sum[m], 0);
    }
  });
}

char const* DirectOwn::symbol() { return "nearfar_direct_own"; }

void DirectOwn::portable(Buffers const& b, Args const& args) {
  auto const* target = b.get<double const>(2);
  auto* result = b.get<double>(3);
  portable_for(int(b.size<double>(2) / 3), [&](int i) {
    long double sum[16] = {};
    args.add(args.function, b.get<double const>(0), b.get<double const>(1), std::size_t(b.size<double>(0) / 3),
             target + 3 * i, sum);
    for (int m = 0; m < args.results; ++m) {
      result[i * args.results + m] = double(sum[m]);
      if (!std::isfinite(result[i * args.results + m])) throw overflow<double>(m, args.first + i, sum[m], 0);
    }
  });
}

#define NEARFAR_INSTANTIATE(T, K) template struct Direct<K>;
NEARFAR_KERNELS(NEARFAR_INSTANTIATE, double)

}  // namespace nearfar
