// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/lattice/lattice_gpu.hpp"

#include "codelets/fmm/lattice/lattice.hpp"

namespace nearfar {

template <class T>
void Lattice<T>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_lattice(LatticeLaunch<T>::of(buffers, args), stream);
}

template void Lattice<double>::gpu(Buffers const&, LatticeArgs const&, void*);
template void Lattice<float>::gpu(Buffers const&, LatticeArgs const&, void*);

}  // namespace nearfar
