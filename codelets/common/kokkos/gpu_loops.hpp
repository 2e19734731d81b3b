// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_team.hpp"
#include "core/math/function.hpp"

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <map>

// How Kokkos launches what GPUs run, on the worker's own stream: no default instance, no fence, nothing allocated but
// for the first launch of a worker.
namespace nearfar {

#if defined(KOKKOS_ENABLE_CUDA)
using KokkosGpu = Kokkos::Cuda;
#elif defined(KOKKOS_ENABLE_HIP)
using KokkosGpu = Kokkos::HIP;
#endif

/// A team (codelets/common/gpu/gpu_team.hpp) that is one of Kokkos's.
template <class State>
class KokkosTeam {
 public:
  using Member = typename Kokkos::TeamPolicy<KokkosGpu>::member_type;

  KOKKOS_FUNCTION explicit KokkosTeam(Member const& member) : member_(member) {}

  template <class Step>
  KOKKOS_FUNCTION void step(Step const& f) {
    f(member_.team_rank(), state_);
    member_.team_barrier();
  }
  template <class Question>
  KOKKOS_FUNCTION void vote(std::uint32_t* words, Question const& f) {
    int const t = member_.team_rank();
    bool const truth = f(t, state_);
    if (t % 32 == 0) words[t / 32] = 0;
    member_.team_barrier();
    if (truth) Kokkos::atomic_fetch_or(&words[t / 32], std::uint32_t(1) << t % 32);
    member_.team_barrier();
  }
  template <class Question>
  KOKKOS_FUNCTION void vote_by_32(std::uint32_t* words, Question const& f) {
    vote(words, f);
  }
  template <class Question, class Use>
  KOKKOS_FUNCTION void vote_by_32(std::uint32_t* words, Question const& f, Use const& use) {
    vote(words, f);
    use(member_.team_rank(), state_, words[member_.team_rank() / 32]);
    member_.team_barrier();
  }
  template <int bits, class Value, class Use>
  KOKKOS_FUNCTION void match_by_32(std::uint32_t* words, Value const& value, Use const& use) {
    int const t = member_.team_rank(), warps = member_.team_size() / 32, here = value(t, state_);
    for (int bit = 0; bit <= bits; ++bit)
      vote(words + bit * warps, [&](int, State&) { return bit < bits ? (here >> bit & 1) != 0 : here >= 0; });
    std::uint32_t equal = words[bits * warps + t / 32];
    for (int bit = 0; bit < bits; ++bit) {
      std::uint32_t const all = words[bit * warps + t / 32];
      equal &= (here >> bit & 1) != 0 ? all : ~all;
    }
    use(t, state_, here, equal);
    member_.team_barrier();
  }

 private:
  Member const& member_;
  State state_;
};

/// A loop's body by its index.
template <class Body>
struct KokkosLoop {
  Body body;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { body(i); }
};

/// A program by a team, which shares so many bytes of scratch memory of that level.
template <class Program, class Number, class Launch>
struct KokkosProgram {
  Launch launch;
  std::size_t bytes;
  int level;

  KOKKOS_FUNCTION void operator()(typename KokkosTeam<typename Program::State>::Member const& member) const {
    KokkosTeam<typename Program::State> team(member);
    auto* const memory = static_cast<Number*>(member.team_scratch(level).get_shmem_aligned(bytes, 16));
    run_program<Program>(team, launch, member.league_rank(), memory);
  }
};

/// The instance of the calling worker for its stream. Each has memory of its own, and is there until the process ends,
/// as Kokkos is.
inline KokkosGpu const& kokkos_instance(GpuStream stream) {
  thread_local std::map<GpuStream, KokkosGpu*> made;
  KokkosGpu*& instance = made[stream];
  if (instance == nullptr) instance = new KokkosGpu(stream);
  return *instance;
}

template <class Body>
void kokkos_for_all(std::int64_t count, GpuStream stream, Body const& body) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<KokkosGpu, Kokkos::IndexType<std::int64_t>>(kokkos_instance(stream), 0, count),
      KokkosLoop<Body>{body});
}

template <class Program, class Number, class Launch>
void kokkos_run_teams(GpuTeams const& teams, GpuStream stream, Launch const& launch) {
  using Policy = Kokkos::TeamPolicy<KokkosGpu, Kokkos::LaunchBounds<Program::threads, 1>>;
  // Kokkos asks for no more shared memory than a GPU gives unasked, and needs some of it itself: a program that shares
  // more has device memory.
  constexpr std::size_t most = 48 << 10, of_thread = 8, alignment = 16;
  std::size_t const own = of_thread * std::size_t(teams.threads + 2) + alignment;
  int const level = teams.bytes + own <= most ? 0 : 1;
  auto policy = Policy(kokkos_instance(stream), teams.count, teams.threads);
  policy.set_scratch_size(level, Kokkos::PerTeam(int(teams.bytes + alignment)));
  Kokkos::parallel_for(policy, KokkosProgram<Program, Number, Launch>{launch, teams.bytes, level});
}

}  // namespace nearfar
