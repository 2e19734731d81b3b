// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm_setup.hpp"

#include "core/fmm/operators.hpp"

namespace nearfar::detail {

template <class T>
FmmSetup<T>::FmmSetup(int p, int ws, bool periodic, Boundary around)
    : order(p), separation(ws), boundary(around), operator_memory(make_fmm_operators<T>(p, ws)) {
  operators = Data::over("operators", operator_memory.data(), std::int64_t(operator_memory.size()));
  if (!periodic) return;
  lattice_memory = std::vector<T>(1);
  lattice = Data::over("lattice", lattice_memory.data(), std::int64_t(lattice_memory.size()));
}

template struct FmmSetup<double>;
template struct FmmSetup<float>;

}  // namespace nearfar::detail
