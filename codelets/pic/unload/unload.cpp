// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/unload/unload.hpp"

#include "codelets/common/portable.hpp"

#include <cmath>
#include <string>

namespace nearfar {

Error not_finite(UnloadArgs const& args, std::int64_t particle, double value) {
  return Error(Fault::bad_input, std::string("a ") + (args.velocities ? "velocity" : "coordinate") + " of particle " +
                                     std::to_string(particle) + " is " + std::to_string(value) +
                                     " (forces on it have left the range of numbers); take a smaller time step, or "
                                     "other units");
}

template <class T>
void Unload<T>::portable(Buffers const& b, Args const& args) {
  std::int64_t const stride = b.size<T>(0) / 6;
  T const* const from = b.get<T const>(0) + (args.velocities ? 3 * stride : 0) + args.first;
  T* const to = b.get<T>(1) + 3 * args.row;
  portable_for(int(args.count), [&](int i) {
    for (int d = 0; d < 3; ++d) {
      T const value = from[d * stride + i];
      if (!std::isfinite(value)) throw not_finite(args, args.row + i, double(value));
      to[3 * std::int64_t(i) + d] = value;
    }
  });
}

template struct Unload<double>;
template struct Unload<float>;

}  // namespace nearfar
