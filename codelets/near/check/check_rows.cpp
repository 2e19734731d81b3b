// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/check/check_rows.hpp"

#include "codelets/common/names.hpp"
#include "codelets/near/check/check_rows_team.hpp"

#include <algorithm>

namespace nearfar {

template <class T>
char const* CheckRows<T>::symbol() {
  static std::string const s = std::string("nearfar_check_rows") + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void CheckRows<T>::portable(Buffers const& b, Args const& args) {
  for (int access : {0, 1}) {
    auto const launch =
        CheckRowsLaunch<T>::of(b, access, access == 0 ? args.strengths : args.results, access * RowSums::numbers);
    std::fill_n(launch.out, RowSums::numbers, 0.0);
    for (std::int64_t i = 0; i < launch.count; ++i) launch.add(i, launch.out);
  }
}

template struct CheckRows<double>;
template struct CheckRows<float>;

}  // namespace nearfar
