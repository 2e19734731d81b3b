// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// Whether Kokkos was built for the GPUs that nearfar was built for.
#if defined(NEARFAR_KOKKOS_GPU)
inline constexpr bool kokkos_has_gpus = true;
#else
inline constexpr bool kokkos_has_gpus = false;
#endif

/// While one of these is there, the calling thread's launches of gpu_for_all and gpu_run_teams go by way of Kokkos, on
/// its execution space for GPUs: parallel_for over a range, or over teams with scratch memory.
class KokkosLaunches {
 public:
  KokkosLaunches() noexcept : before_(wanted()) { wanted() = true; }
  ~KokkosLaunches() { wanted() = before_; }
  KokkosLaunches(KokkosLaunches const&) = delete;
  KokkosLaunches& operator=(KokkosLaunches const&) = delete;

  static bool& wanted() noexcept {
    thread_local bool wanted = false;
    return wanted;
  }

 private:
  bool before_;
};

}  // namespace nearfar
