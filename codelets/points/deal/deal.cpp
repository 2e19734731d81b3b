// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/deal/deal.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/points/bin/bin.hpp"

#include <atomic>
#include <cmath>

namespace nearfar {

template <class T>
char const* DealStrengths<T>::symbol() {
  static std::string const s = "nearfar_deal_strengths" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void DealStrengths<T>::portable(Buffers const& b, Args const& args) {
  RowPieces<T const> const rows(b, 0, b.count(0), args.piece, args.row);
  std::uint32_t const* const chosen = b.get<std::uint32_t const>(1);
  auto const count = b.size<std::uint32_t>(1);
  T* const out = b.get<T>(2);
  std::atomic<bool> finite = true;  // set to false by any thread
  portable_for(int(count), [&](int i) {
    T const* const row = rows.at(chosen[i]);
    for (int m = 0; m < args.row; ++m) {
      out[std::int64_t(i) * args.row + m] = row[m];
      if (!std::isfinite(row[m])) finite.store(false, std::memory_order_relaxed);
    }
  });
  for (std::int64_t i = 0; i < count && !finite; ++i)
    for (int m = 0; m < args.row; ++m)
      if (T const value = rows.at(chosen[i])[m]; !std::isfinite(value))
        throw not_finite(std::uint64_t(args.first + chosen[i]), m, args.row / args.vectors, args.vectors,
                         double(value));
}

template struct DealStrengths<double>;
template struct DealStrengths<float>;

}  // namespace nearfar
