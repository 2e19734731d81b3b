// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/copy/copy.hpp"

#include "codelets/points/copy/past_caches.hpp"
#include "codelets/points/units/units.hpp"

#include <algorithm>
#include <vector>

namespace nearfar {

template <class T>
void CopyStrengths<T>::portable(Buffers const& b, Args const& args) {
  constexpr std::int64_t at_once = 1024;  // rows that stay in cache until their largest strengths are found
  std::int64_t const row = std::int64_t(args.strengths.numbers) * args.vectors;
  T const* const from = b.get<T const>(0) + args.begin * row;
  T* const to = b.get<T>(1);
  double* const largest = b.get<double>(2);
  auto const groups = b.size<double>(2);
  std::fill_n(largest, groups, 0.0);
  std::vector<double> found(static_cast<std::size_t>(groups));
  for (std::int64_t first = 0; first < args.end - args.begin; first += at_once) {
    std::int64_t const count = std::min(at_once, args.end - args.begin - first);
    copy_past_caches(from + first * row, to + first * row, std::size_t(count * row) * sizeof(T));
    largest_strengths(from + first * row, {args.strengths, args.vectors, 0, count}, found.data());
    for (std::int64_t g = 0; g < groups; ++g) largest[g] = std::max(largest[g], found[std::size_t(g)]);
  }
}

template <class T>
void CopyResults<T>::portable(Buffers const& b, Args const& args) {
  copy_past_caches(b.get<T const>(0), b.get<T>(1) + args.first * args.components,
                   std::size_t(b.size<T>(0)) * sizeof(T));
}

template struct CopyStrengths<double>;
template struct CopyStrengths<float>;
template struct CopyResults<double>;
template struct CopyResults<float>;

}  // namespace nearfar
