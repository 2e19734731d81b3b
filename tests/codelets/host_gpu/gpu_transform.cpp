// SPDX-License-Identifier: BSD-3-Clause
// What cuFFT and hipFFT do, by FFTW.
#include "codelets/spectral/fft/gpu_transform.hpp"

#include "codelets/spectral/fft/fftw.hpp"

namespace nearfar {

template <class T>
void gpu_transform(TransformShape const& s, Direction direction, void* in, void* out, void*) {
  using F = Fftw<T>;
  using Complex = typename F::Complex;
  bool const forward = direction == Direction::forward;
  auto const &from = forward ? s.from : s.to, &to = forward ? s.to : s.from;
  int const first = 2 - s.dimensions;
  int const* const size = s.size.data() + first;
  auto const plan = [&] {
    if (!s.real)
      return F::many_complex(s.dimensions, size, s.count, static_cast<Complex*>(in), from.room.data() + first,
                             from.stride, from.distance, static_cast<Complex*>(out), to.room.data() + first, to.stride,
                             to.distance, forward ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
    if (forward)
      return F::many_forward(s.dimensions, size, s.count, static_cast<T*>(in), from.room.data() + first, from.stride,
                             from.distance, static_cast<Complex*>(out), to.room.data() + first, to.stride, to.distance,
                             FFTW_ESTIMATE);
    return F::many_inverse(s.dimensions, size, s.count, static_cast<Complex*>(in), from.room.data() + first,
                           from.stride, from.distance, static_cast<T*>(out), to.room.data() + first, to.stride,
                           to.distance, FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
  }();
  if constexpr (sizeof(T) == sizeof(double)) fftw_execute(plan), fftw_destroy_plan(plan);
  else fftwf_execute(plan), fftwf_destroy_plan(plan);
}

template void gpu_transform<double>(TransformShape const&, Direction, void*, void*, void*);
template void gpu_transform<float>(TransformShape const&, Direction, void*, void*, void*);

}  // namespace nearfar
