// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/moment/moment.hpp"

#include "codelets/common/portable.hpp"

#include <cstdint>

namespace nearfar {

template <class T>
void Moment<T>::portable(Buffers const& b, Args const& args) {
  auto const* y = b.get<T const>(0);
  int const points = b.get<std::int32_t const>(1)[b.size<std::int32_t>(1) - 1];
  std::int64_t const stride = b.size<T>(0) / 3;
  EitherPrecision const q = moment_dipole<T>(b, args, stride), n = q + 3 * stride;
  auto* out = b.get<double>(3);
  portable_for(moment_size, [&](int m) {
    double sum = 0;
    for (int i = 0; i < points; ++i) {
      double qn = 0;
      for (int d = 0; d < 3; ++d) qn += q[d * stride + i] * n[d * stride + i];
      sum += m == 0 ? qn : qn * double(y[(m - 1) * stride + i]);
    }
    out[m] = sum;
  });
}

void MomentSum::portable(Buffers const& b, Args const& args) {
  auto* out = b.get<double>(1);
  for (int m = 0; m < moment_size; ++m) {
    double sum = 0;
    for (int block = 0; block < b.count(0); ++block) sum += b.get<double const>(0, block)[m];
    out[m] = args.factor * sum;
  }
}

template struct Moment<double>;
template struct Moment<float>;

}  // namespace nearfar
