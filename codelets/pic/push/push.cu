// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/pic/push/push_gpu.hpp"

namespace nearfar {

namespace {

template <class T>
struct PushParticle {
  PushBody<T> body;
  std::int64_t before;
  std::int64_t const* clock;
  unsigned long long* first_lost;

  __device__ void operator()(std::int64_t i) const {
    if (*clock == before && !body.push(i)) atomicMin(first_lost, static_cast<unsigned long long>(i));
  }
};

template <class T>
struct EndPush {
  PushBody<T> body;
  PushArgs args;
  std::int64_t* clock;
  unsigned long long const* first_lost;
  BadNumber* bad;

  __device__ void operator()(std::int64_t) const {
    bool const stale = *clock != args.step - 1;
    if (!stale && *first_lost == BadNumber::none) return;
    *clock = broken_clock;
    LostParticle lost{0, stale_axis, 0, 0};
    if (!stale) lost = body.lost(args.motion, std::int64_t(*first_lost));
    *bad = {std::uint64_t(lost.particle), lost.x, lost.axis, lost.v};
  }
};

template <class T>
struct KickParticle {
  PushBody<T> body;
  std::int64_t before;
  std::int64_t const* clock;

  __device__ void operator()(std::int64_t i) const {
    if (*clock == before) body.kick(i);
  }
};

struct EndKick {
  KickArgs args;
  std::int64_t* clock;

  __device__ void operator()(std::int64_t) const {
    if (args.begins || *clock == args.step - 1) *clock = args.step;
  }
};

}  // namespace

template <class T>
void launch_push(PushBody<T> const& body, PushArgs const& args, std::int64_t* clock, BadNumber* bad, void* stream) {
  GpuWorkSpace const space(sizeof(unsigned long long), stream, "push");
  auto* const first_lost = reinterpret_cast<unsigned long long*>(space.data());
  gpu_expect(gpu_fill(first_lost, 0xff, sizeof *first_lost, static_cast<GpuStream>(stream)),
             "work space of push was not filled");
  gpu_for_all(body.count, stream, PushParticle<T>{body, args.step - 1, clock, first_lost}, "pushes particles");
  gpu_for_all(1, stream, EndPush<T>{body, args, clock, first_lost, bad}, "ends a push");
}

template <class T>
void launch_kick(PushBody<T> const& body, KickArgs const& args, std::int64_t* clock, void* stream) {
  if (!args.begins) gpu_for_all(body.count, stream, KickParticle<T>{body, args.step - 1, clock}, "kicks particles");
  gpu_for_all(1, stream, EndKick{args, clock}, "ends a step");
}

template void launch_push(PushBody<double> const&, PushArgs const&, std::int64_t*, BadNumber*, void*);
template void launch_push(PushBody<float> const&, PushArgs const&, std::int64_t*, BadNumber*, void*);
template void launch_kick(PushBody<double> const&, KickArgs const&, std::int64_t*, void*);
template void launch_kick(PushBody<float> const&, KickArgs const&, std::int64_t*, void*);

}  // namespace nearfar
