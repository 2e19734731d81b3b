// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/units/units_gpu.hpp"

namespace nearfar {

template <class T>
void Largest<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_largest(args, b.get<T const>(0), b.get<double>(1), stream);
}

void Units::gpu(Buffers const& b, Args const& args, void* stream) {
  static_assert(max_strength_ranges <= LaunchList<double const*>::capacity);
  LaunchList<double const*> largest;
  largest.count = b.count(0);
  for (int i = 0; i < largest.count; ++i) largest.item[i] = b.get<double const>(0, i);
  launch_units(args, largest, b.get<StrengthUnit>(1), stream);
}

template void Largest<double>::gpu(Buffers const&, LargestArgs const&, void*);
template void Largest<float>::gpu(Buffers const&, LargestArgs const&, void*);

}  // namespace nearfar
