// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/ghost/ghost.hpp"

#include "codelets/common/names.hpp"

#include <algorithm>
#include <string>

namespace nearfar {

namespace {

template <class T, class S>
std::string symbol_of(char const* what) {
  return std::string("nearfar_") + what + "_" + S::name + precision_suffix<T>();
}

/// Calls visit(place in the array, place among the packed rows, numbers) for each run of each component.
template <class Visit>
void for_runs(GhostArgs const& args, Visit const& visit) {
  std::int64_t packed = 0;
  for (int m = 0; m < args.components; ++m)
    for (int run = 0; run < 2; ++run) {
      std::int64_t const numbers = args.row * args.count[run];
      visit((std::int64_t(m) * args.rows + args.first[run]) * args.row, packed, numbers);
      packed += numbers;
    }
}

}  // namespace

template <class T, class S>
char const* PackRows<T, S>::symbol() {
  static std::string const s = symbol_of<T, S>("pack");
  return s.c_str();
}

template <class T, class S>
void PackRows<T, S>::portable(Buffers const& b, Args const& args) {
  for_runs(args, [&](std::int64_t in_array, std::int64_t packed, std::int64_t numbers) {
    std::copy_n(b.get<T const>(0) + in_array, numbers, b.get<T>(1) + packed);
  });
}

template <class T, class S>
char const* PutRows<T, S>::symbol() {
  static std::string const s = symbol_of<T, S>("put");
  return s.c_str();
}

template <class T, class S>
void PutRows<T, S>::portable(Buffers const& b, Args const& args) {
  for_runs(args, [&](std::int64_t in_array, std::int64_t packed, std::int64_t numbers) {
    std::copy_n(b.get<T const>(0) + packed, numbers, b.get<T>(1) + in_array);
  });
}

#define NEARFAR_INSTANTIATE(T, S) \
  template struct PackRows<T, S>; \
  template struct PutRows<T, S>;
NEARFAR_EACH_GHOST(NEARFAR_INSTANTIATE)

}  // namespace nearfar
