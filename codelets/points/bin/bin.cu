// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/points/bin/bin_gpu.hpp"
#include "core/kernels/pairs/packed_source.hpp"
#include "core/math/power_of_two.hpp"

namespace nearfar {

namespace {

/// The place of a number in the caller's rows.
template <class T>
__device__ unsigned long long place_of(BinLaunch<T> const& b, std::int64_t point, int column) {
  return static_cast<unsigned long long>(b.index[point]) * unsigned(b.args.components) + unsigned(column);
}

/// Packed sources in precision A, strengths alone in F. One thread for each place of the stride, because whole SIMD
/// vectors also read the entries past the last point, with weight zero.
template <class T, class A, class F>
struct BinPlace {
  BinLaunch<T> b;
  unsigned long long* first_bad;

  __device__ void operator()(std::int64_t i) const {
    int const components = b.args.components, points = *b.points;
    F* const out = static_cast<F*>(b.out);
    if (i >= points) {
      for (int m = 0; m < components; ++m) out[m * b.stride + i] = F(0);
      return;
    }
    T const* const row = b.rows.at(b.index[i]);
    using Packed = PackedSource<T, A>;
    int const width = Packed::width(components);
    A* const packed = b.packed == nullptr ? nullptr : static_cast<A*>(b.packed) + i * width;
    if (packed != nullptr) {
      for (int m = Packed::first_strength + components; m < width; ++m) packed[m] = A(0);
      for (int d = 0; d < 3; ++d) Packed::put(packed, components, d, b.position[d * b.stride + i]);
    }
    for (int m = 0; m < components; ++m) {
      int const column = b.args.columns.of(m);
      T const value = row[column];
      int const numbers = b.args.strengths.numbers;
      PowerOfTwo<T> const scale(b.units[m / numbers].strength[b.args.strengths.group[m % numbers]]);
      T const strength = b.args.columns.turned(m % numbers, scale(value));
      out[m * b.stride + i] = F(strength);
      if (packed != nullptr) packed[Packed::first_strength + m] = A(strength);
      if (!(value - value == T(0))) atomicMin(first_bad, place_of(b, i, column));
    }
  }
};

/// If there is a bad number, the thread of its source reports the value.
template <class T>
struct TellBadNumber {
  BinLaunch<T> b;
  unsigned long long const* first_bad;
  BadNumber* bad;

  __device__ void operator()(std::int64_t i) const {
    if (*first_bad == BadNumber::none || i >= *b.points) return;
    for (int m = 0; m < b.args.components; ++m)
      if (int const column = b.args.columns.of(m); *first_bad == place_of(b, i, column))
        *bad = {*first_bad, double(b.rows.at(b.index[i])[column])};
  }
};

}  // namespace

template <class T>
void launch_bin(BinLaunch<T> const& launch, BadNumber* bad, void* stream) {
  GpuFirstPlace const first_bad(stream, "bin");
  auto const bin = [&]<class A, class F>(A, F) {
    gpu_for_all(launch.stride, stream, BinPlace<T, A, F>{launch, first_bad.data()}, "bins strengths");
  };
  bool const near = launch.args.in_single, far = launch.args.far_in_single;
  if (near && far) bin(0.f, 0.f);
  else if (near) bin(0.f, T(0));
  else if (far) bin(T(0), 0.f);
  else bin(T(0), T(0));
  gpu_for_all(launch.stride, stream, TellBadNumber<T>{launch, first_bad.data(), bad}, "tells what was no number");
}

template void launch_bin(BinLaunch<double> const&, BadNumber*, void*);
template void launch_bin(BinLaunch<float> const&, BadNumber*, void*);

}  // namespace nearfar
