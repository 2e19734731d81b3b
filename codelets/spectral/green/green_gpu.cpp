// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/green/green_gpu.hpp"

namespace nearfar {

void GreenPlanes::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_green(args, b.get<SharedTerms const>(0), b.get<double>(2), stream);
}

template <class T>
void GreenColumns<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  std::vector<GreenSlab> slabs;
  for (int s = 0; s < b.count(0); ++s)
    slabs.push_back({b.get<double const>(0, s), b.size<double>(0, s) / green_plane(args.green)});
  launch_green_columns(args, slabs, b.get<T>(2), stream);
}

template void GreenColumns<double>::gpu(Buffers const&, GreenColumnsArgs const&, void*);
template void GreenColumns<float>::gpu(Buffers const&, GreenColumnsArgs const&, void*);

}  // namespace nearfar
