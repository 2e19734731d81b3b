// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/points/deal/deal_gpu.hpp"

namespace nearfar {

namespace {

/// The place of number i of those that are packed among the caller's.
template <class T>
__device__ unsigned long long place_of(DealLaunch<T> const& d, std::int64_t i) {
  return static_cast<unsigned long long>(d.args.first + d.chosen[i / d.args.row]) * unsigned(d.args.row) +
         unsigned(i % d.args.row);
}

/// One thread for each number, so that those of a row are read and written together.
template <class T>
struct PackNumber {
  DealLaunch<T> d;
  unsigned long long* first_bad;

  __device__ void operator()(std::int64_t i) const {
    T const value = d.rows.at(d.chosen[i / d.args.row])[i % d.args.row];
    d.out[i] = value;
    if (!(value - value == T(0))) atomicMin(first_bad, place_of(d, i));
  }
};

/// If there is a bad number, its thread reports the value.
template <class T>
struct TellBadNumber {
  DealLaunch<T> d;
  unsigned long long const* first_bad;
  BadNumber* bad;

  __device__ void operator()(std::int64_t i) const {
    if (*first_bad != BadNumber::none && *first_bad == place_of(d, i)) *bad = {*first_bad, double(d.out[i])};
  }
};

}  // namespace

template <class T>
void launch_deal(DealLaunch<T> const& launch, BadNumber* bad, void* stream) {
  std::int64_t const numbers = launch.count * launch.args.row;
  if (numbers == 0) return;
  GpuFirstPlace const first_bad(stream, "the dealing of strengths");
  gpu_for_all(numbers, stream, PackNumber<T>{launch, first_bad.data()}, "packs strengths");
  gpu_for_all(numbers, stream, TellBadNumber<T>{launch, first_bad.data(), bad}, "tells what was no number");
}

template void launch_deal(DealLaunch<double> const&, BadNumber*, void*);
template void launch_deal(DealLaunch<float> const&, BadNumber*, void*);

}  // namespace nearfar
