// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/spectral/ghost/ghost_gpu.hpp"

namespace nearfar {

namespace {

template <class T>
struct PackNumber {
  GhostArgs args;
  T const* slab;
  T* packed;
  __device__ void operator()(std::int64_t i) const { packed[i] = slab[args.in_slab(i)]; }
};

template <class T>
struct PutNumber {
  GhostArgs args;
  T const* packed;
  T* slab;
  __device__ void operator()(std::int64_t i) const { slab[args.in_slab(i)] = packed[i]; }
};

}  // namespace

template <class T>
void launch_pack_planes(GhostArgs const& args, T const* slab, T* packed, void* stream) {
  gpu_for_all(args.numbers(), stream, PackNumber<T>{args, slab, packed}, "packs planes");
}
template <class T>
void launch_put_planes(GhostArgs const& args, T const* packed, T* slab, void* stream) {
  gpu_for_all(args.numbers(), stream, PutNumber<T>{args, packed, slab}, "puts planes into a slab");
}

template void launch_pack_planes(GhostArgs const&, double const*, double*, void*);
template void launch_pack_planes(GhostArgs const&, float const*, float*, void*);
template void launch_put_planes(GhostArgs const&, double const*, double*, void*);
template void launch_put_planes(GhostArgs const&, float const*, float*, void*);

}  // namespace nearfar
