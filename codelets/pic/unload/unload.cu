// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/pic/unload/unload_gpu.hpp"

namespace nearfar {

namespace {

template <class T>
struct UnloadParticle {
  UnloadBody<T> body;
  unsigned long long* first_bad;

  __device__ void operator()(std::int64_t i) const {
    body(i);
    for (int d = 0; d < 3; ++d) {
      T const value = body.to[3 * i + d];
      if (!(value - value == T(0))) atomicMin(first_bad, static_cast<unsigned long long>(3 * i + d));
    }
  }
};

template <class T>
struct TellBadParticle {
  T const* rows;
  unsigned long long const* first_bad;
  BadNumber* bad;

  __device__ void operator()(std::int64_t) const {
    if (*first_bad != BadNumber::none) *bad = {*first_bad, double(rows[*first_bad])};
  }
};

}  // namespace

template <class T>
void launch_unload(UnloadBody<T> const& body, BadNumber* bad, void* stream) {
  GpuFirstPlace const first_bad(stream, "unload");
  gpu_for_all(body.count, stream, UnloadParticle<T>{body, first_bad.data()}, "unloads particles");
  gpu_for_all(1, stream, TellBadParticle<T>{body.to, first_bad.data(), bad}, "checks particles");
}

template void launch_unload(UnloadBody<double> const&, BadNumber*, void*);
template void launch_unload(UnloadBody<float> const&, BadNumber*, void*);

}  // namespace nearfar
