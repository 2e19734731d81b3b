// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/lattice/lattice_virial.hpp"

#include "codelets/common/names.hpp"
#include "codelets/points/energy/energy.hpp"
#include "core/fmm/direct_shift.hpp"
#include "core/fmm/packed.hpp"
#include "core/math/constants.hpp"

#include <algorithm>
#include <vector>

namespace nearfar {

namespace {

/// The sum over the charges of one expansion of the field that the other expands.
template <class T>
double energy_of(int order, T const* multipole, T const* local) {
  double sum = 0;
  for (int n = 0; n <= order; ++n)
    for (int i = n * n; i < (n + 1) * (n + 1); ++i)
      sum += (i == n * n ? 1 : 2) * double(multipole[i]) * double(local[i]);
  return sum;
}

}  // namespace

template <class T>
char const* LatticeVirial<T>::symbol() {
  static std::string const s = "nearfar_lattice_virial" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void LatticeVirial<T>::portable(Buffers const& b, Args const& args) {
  auto const* table = b.get<double const>(0);
  auto const* multipole = b.get<T const>(1);
  auto const* moments = b.get<double const>(2);
  auto* out = b.get<double>(3);
  double const charge = moments[0], second = moments[4],
               dipole = moments[1] * moments[1] + moments[2] * moments[2] + moments[3] * moments[3],
               background = 2 * pi<double> / (3 * args.volume) * (charge * second - dipole);
  std::fill_n(out, energy_sums, 0.0);
  std::vector<T> local(std::size_t(coefficient_count(args.order)));
  for (int t = 0; t < virial_size; ++t) {
    std::fill(local.begin(), local.end(), T(0));
    multipole_to_local_with(args.order, table + t * coefficient_count(2 * args.order), multipole, local.data());
    double energy = energy_of(args.order, multipole, local.data()) / (2 * args.half);
    if (args.conductor)  // as conductor_terms has them, which a strain of the volume changes
      energy += charge * charge * args.constant[t] / (4 * args.half) - (t < 3 ? background : 0);
    auto const [a, c] = virial_axes(t);
    out[EnergyTerms::far_forces + 3 * a + c] = out[EnergyTerms::far_forces + 3 * c + a] = -energy;
  }
}

template struct LatticeVirial<double>;
template struct LatticeVirial<float>;

}  // namespace nearfar
