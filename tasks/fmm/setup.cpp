// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/setup.hpp"

#include "core/fmm/lattice.hpp"
#include "core/fmm/lattice_strain.hpp"
#include "core/fmm/operators.hpp"

namespace nearfar::detail {

template <class T>
FmmSetup<T>::FmmSetup(FmmOptions const& options, int p, int ws)
    : order(p), separation(ws), boundary(options.boundary), softening(options.softening.value_or(0)),
      flops(fmm_flops(options.kernel, options.outputs, p)),
      operator_memory(make_fmm_operators<T>(p, ws, cell_aspect(options))) {
  operators = Data::constant("operators", operator_memory.data(), std::int64_t(operator_memory.size()));
  if (options.periodicity == Periodicity::none) return;
  lattice_constant = nearfar::lattice_constant(ws, cell_aspect(options));
  check_constant = nearfar::lattice_constant(ws + 1, cell_aspect(options));
  lattice_memory = make_lattice_table(p, ws, cell_aspect(options));
  lattice = Data::constant("lattice", lattice_memory.data(), std::int64_t(lattice_memory.size()));
  check_memory = make_lattice_table(p, ws + 1, cell_aspect(options));
  check_lattice = Data::constant("lattice of checks", check_memory.data(), std::int64_t(check_memory.size()));
  if (!options.virial) return;
  constant_by_strain = lattice_constant_by_strain(ws, cell_aspect(options));
  strain_memory = make_lattice_strain_table(p, ws, cell_aspect(options));
  lattice_by_strain = Data::constant("lattice by strain", strain_memory.data(), std::int64_t(strain_memory.size()));
}

template struct FmmSetup<double>;
template struct FmmSetup<float>;

}  // namespace nearfar::detail
