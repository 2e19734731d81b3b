// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/energy/energy_gpu.hpp"

namespace nearfar {

template <class T>
void Energy<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_energy(EnergyView<T>(b, args), stream);
}

void EnergySum::gpu(Buffers const& b, Args const& args, void* stream) {
  std::vector<double const*> sums[3];
  for (int access : {0, 1, 2})
    for (int i = 0; i < b.count(access); ++i) sums[access].push_back(b.get<double const>(access, i));
  launch_energy_sum(args, sums[0], sums[1], sums[2], b.get<StrengthUnit const>(3), b.get<double>(4), stream);
}

template void Energy<double>::gpu(Buffers const&, EnergyArgs const&, void*);
template void Energy<float>::gpu(Buffers const&, EnergyArgs const&, void*);

}  // namespace nearfar
