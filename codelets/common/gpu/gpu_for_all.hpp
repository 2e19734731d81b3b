// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/common/kokkos/launches.hpp"

#if defined(NEARFAR_KOKKOS_GPU)
#include "codelets/common/kokkos/gpu_loops.hpp"
#endif

namespace nearfar {

inline constexpr int for_all_threads = 256;
inline constexpr std::size_t most_argument_bytes = 4096;  ///< of a launch

template <class Body>
__global__ void __launch_bounds__(for_all_threads) for_all_kernel(std::int64_t count, Body const body) {
  std::int64_t const i = std::int64_t(blockIdx.x) * for_all_threads + threadIdx.x;
  if (i < count) body(i);
}

/// Calls body(i) for i in [0, count) on a stream, each on a thread of its own; returns at
/// once. Bodies are plain data and callable on hosts too, where tests run them. Throws
/// std::runtime_error, naming `what` the kernel does, if it cannot be launched. For .cu files.
template <class Body>
void gpu_for_all(std::int64_t count, void* stream, Body const& body, char const* what) {
  if (count <= 0) return;
#if defined(NEARFAR_KOKKOS_GPU)
  if (KokkosLaunches::wanted()) return kokkos_for_all(count, static_cast<GpuStream>(stream), body);
#endif
  auto const blocks = unsigned((count + for_all_threads - 1) / for_all_threads);
  for_all_kernel<<<blocks, for_all_threads, 0, static_cast<GpuStream>(stream)>>>(count, body);
  gpu_expect(gpu_last_status(), std::string("a kernel that ") + what + " could not be launched");
}

/// A program by as many GPU blocks as are launched, with shared memory of a size known when it is compiled. One that
/// says how many of its blocks are to be resident on a multiprocessor has registers for so many.
template <class Program, class Number, class... All>
__global__ void __launch_bounds__(Program::threads) team_kernel(All const... all) {
  __shared__ Number memory[Program::memory_size];
  GpuTeam<typename Program::State> team;
  Program::run(team, all..., int(blockIdx.x), memory);
}
template <class Program, class Number, class... All>
__global__ void __launch_bounds__(Program::threads, gpu_bound(Program::resident))
    resident_team_kernel(All const... all) {
  __shared__ Number memory[Program::memory_size];
  GpuTeam<typename Program::State> team;
  Program::run(team, all..., int(blockIdx.x), memory);
}

/// Runs a program on this many teams, at least one, whose shared memory is Program::memory_size numbers.
template <class Program, class Number, class... All>
void gpu_run_teams(int teams, void* stream, GpuArguments<All...> const& launch, char const* what) {
  static_assert(sizeof launch <= most_argument_bytes);
  auto const on = static_cast<GpuStream>(stream);
#if defined(NEARFAR_KOKKOS_GPU)
  if (KokkosLaunches::wanted())
    return kokkos_run_teams<Program, Number>({teams, Program::threads, Program::memory_size * sizeof(Number)}, on,
                                             launch);
#endif
  launch.give([&](All const&... all) {
    if constexpr (requires { Program::resident; })
      resident_team_kernel<Program, Number><<<unsigned(teams), Program::threads, 0, on>>>(all...);
    else team_kernel<Program, Number><<<unsigned(teams), Program::threads, 0, on>>>(all...);
  });
  gpu_expect(gpu_last_status(), std::string("a kernel that ") + what + " could not be launched");
}
template <class Program, class Number, class Launch>
void gpu_run_teams(int teams, void* stream, Launch const& launch, char const* what) {
  gpu_run_teams<Program, Number>(teams, stream, GpuArguments{launch}, what);
}

/// A program whose teams share memory of a size that is known only at run time. Threads may index into a launch of one
/// part; of several parts they have copies, which cost fewer registers than addresses.
template <class Program, class Number, class Launch>
__global__ void __launch_bounds__(Program::threads, gpu_bound(Program::resident))
    sized_team_kernel(NEARFAR_GPU_ARGUMENT Launch const launch) {
  extern __shared__ __align__(16) unsigned char memory[];
  GpuTeam<typename Program::State> team;
  Program::run(team, launch, int(blockIdx.x), reinterpret_cast<Number*>(memory));
}
template <class Program, class Number, class Launch>
__global__ void __launch_bounds__(Program::threads, gpu_bound(Program::resident))
    sized_team_kernel_of_parts(Launch const launch) {
  extern __shared__ double numbers[];
  GpuTeam<typename Program::State> team;
  run_program<Program>(team, launch, int(blockIdx.x), reinterpret_cast<Number*>(numbers));
}

/// The same with teams of this size, and this many bytes of shared memory, at most gpu_shared_room().
template <class Program, class Number, class Launch>
void gpu_run_teams(GpuTeams const& teams, void* stream, Launch const& launch, char const* what) {
  static_assert(sizeof launch <= most_argument_bytes);
  auto const on = static_cast<GpuStream>(stream);
#if defined(NEARFAR_KOKKOS_GPU)
  if (KokkosLaunches::wanted()) return kokkos_run_teams<Program, Number>(teams, on, launch);
#endif
  auto const kernel = [] {
    if constexpr (has_parts<Launch>) return sized_team_kernel_of_parts<Program, Number, Launch>;
    else return sized_team_kernel<Program, Number, Launch>;
  }();
  gpu_expect(gpu_allow_shared(reinterpret_cast<void const*>(kernel)),
             std::string("no shared memory for a kernel that ") + what);
  kernel<<<unsigned(teams.count), unsigned(teams.threads), teams.bytes, on>>>(launch);
  gpu_expect(gpu_last_status(), std::string("a kernel that ") + what + " could not be launched");
}
template <class Program, class Number, class Launch>
void gpu_run_teams(int teams, std::size_t bytes, void* stream, Launch const& launch, char const* what) {
  gpu_run_teams<Program, Number>(GpuTeams{teams, Program::threads, bytes}, stream, launch, what);
}

/// Bytes of shared memory that a team may have: Kokkos asks for no more than a GPU gives without being asked.
inline std::size_t gpu_shared_room() {
  constexpr std::size_t for_programs = 43 << 10;  // of 48 KB: Kokkos itself needs some, eight bytes for each thread
  return KokkosLaunches::wanted() ? for_programs : std::size_t(gpu_shared_bytes);
}

}  // namespace nearfar
