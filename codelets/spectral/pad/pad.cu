// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/spectral/pad/pad_gpu.hpp"

namespace nearfar {

namespace {

template <class T>
struct PadCell {
  PadBody<T> body;
  unsigned long long* first_bad;

  __device__ void operator()(std::int64_t i) const {
    int const length = body.cells.length;
    std::int64_t const place = body.copy(body.cells.row(i / length), int(i % length));
    T const value = body.density[place];
    if (!(value - value == T(0))) atomicMin(first_bad, static_cast<unsigned long long>(place));
  }
};

template <class T>
struct TellBad {
  T const* density;
  unsigned long long const* first_bad;
  BadNumber* bad;

  __device__ void operator()(std::int64_t) const {
    if (*first_bad == BadNumber::none) return;
    bad->place = *first_bad;
    bad->value = double(density[*first_bad]);
  }
};

template <class T>
struct RestrictCell {
  RestrictBody<T> body;
  unsigned long long* first_bad;

  __device__ void operator()(std::int64_t i) const {
    int const length = body.cells.length;
    std::int64_t const place = body.copy(body.cells.row(i / length), int(i % length));
    if (place != body.finite) atomicMin(first_bad, static_cast<unsigned long long>(place));
  }
};

template <class T>
struct TellBadResult {
  RestrictBody<T> body;
  unsigned long long const* first_bad;
  BadNumber* bad;

  __device__ void operator()(std::int64_t) const {
    if (*first_bad == BadNumber::none) return;
    bad->place = *first_bad;
    bad->value = double(body.bad_value(std::int64_t(*first_bad)));
  }
};

}  // namespace

template <class T>
void launch_pad(PadBody<T> const& body, BadNumber* bad, void* stream) {
  GpuFirstPlace const first_bad(stream, "pad");
  gpu_for_all(body.cells.count(), stream, PadCell<T>{body, first_bad.data()}, "pads a density");
  gpu_for_all(1, stream, TellBad<T>{body.density, first_bad.data(), bad}, "checks a density");
}

template <class T>
void launch_restrict(RestrictBody<T> const& body, BadNumber* bad, void* stream) {
  GpuFirstPlace const first_bad(stream, "restrict");
  gpu_for_all(body.cells.count(), stream, RestrictCell<T>{body, first_bad.data()}, "restricts a field");
  gpu_for_all(1, stream, TellBadResult<T>{body, first_bad.data(), bad}, "checks a result");
}

template void launch_pad(PadBody<double> const&, BadNumber*, void*);
template void launch_pad(PadBody<float> const&, BadNumber*, void*);
template void launch_restrict(RestrictBody<double> const&, BadNumber*, void*);
template void launch_restrict(RestrictBody<float> const&, BadNumber*, void*);

}  // namespace nearfar
