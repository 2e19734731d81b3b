// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/points/ghost/ghost_gpu.hpp"

namespace nearfar {

namespace {

template <class T>
struct PackNumber {
  GhostArgs args;
  T const* array;
  T* packed;
  __device__ void operator()(std::int64_t i) const { packed[i] = array[args.in_array(i)]; }
};

template <class T>
struct PutNumber {
  GhostArgs args;
  T const* packed;
  T* array;
  __device__ void operator()(std::int64_t i) const { array[args.in_array(i)] = packed[i]; }
};

}  // namespace

template <class T>
void launch_pack_rows(GhostArgs const& args, T const* array, T* packed, void* stream) {
  gpu_for_all(args.numbers(), stream, PackNumber<T>{args, array, packed}, "packs rows");
}
template <class T>
void launch_put_rows(GhostArgs const& args, T const* packed, T* array, void* stream) {
  gpu_for_all(args.numbers(), stream, PutNumber<T>{args, packed, array}, "puts rows into an array");
}

template void launch_pack_rows(GhostArgs const&, double const*, double*, void*);
template void launch_pack_rows(GhostArgs const&, float const*, float*, void*);
template void launch_put_rows(GhostArgs const&, double const*, double*, void*);
template void launch_put_rows(GhostArgs const&, float const*, float*, void*);

}  // namespace nearfar
