// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/fft/fft_gpu.hpp"

namespace nearfar {

namespace {

template <class T>
std::vector<GpuComplex<T>*> tiles_of(Buffers const& b, int access) {
  std::vector<GpuComplex<T>*> tiles;
  for (int i = 0; i < b.count(access); ++i) tiles.push_back(b.get<GpuComplex<T>>(access, i));
  return tiles;
}

}  // namespace

template <class T>
void Fft<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_fft<T>(args, b.get<T const>(0), tiles_of<T>(b, 2), stream);
}

/// Nobody reads the tiles after this task, so it does not matter that they are overwritten.
template <class T>
void Ifft<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_ifft<T>(args, tiles_of<T>(b, 0), b.get<T>(2), stream);
}

template void Fft<double>::gpu(Buffers const&, PlaneArgs const&, void*);
template void Fft<float>::gpu(Buffers const&, PlaneArgs const&, void*);
template void Ifft<double>::gpu(Buffers const&, PlaneArgs const&, void*);
template void Ifft<float>::gpu(Buffers const&, PlaneArgs const&, void*);

}  // namespace nearfar
