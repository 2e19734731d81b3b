// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access_check/access_check.hpp"
#include "codelets/common/access_check/task_order.hpp"
#include "codelets/common/names.hpp"
#include "codelets/common/stage.hpp"
#include "codelets/common/stages.hpp"
#include "codelets/common/variants.hpp"

#include <string>

namespace nearfar {

/// Name of the worker that runs the calling task.
std::string current_worker();

/// Key and model of the cost of tasks. Costs are put into eight buckets per factor of two, and a bucket
/// measured often enough is looked up; between measured sizes the time is a power of the cost plus a constant.
std::uint32_t cost_bucket(starpu_task* task);
std::size_t cost_size(starpu_task* task, unsigned implementation);

/// Whether a worker may run implementation `number` of a stage: number 0 is the one that the solve asked for, the
/// others are for solves that leave the choice to StarPU (codelets/common/variants.hpp).
bool implementation_allowed(Implementation wanted, bool is_cpu, unsigned number) noexcept;

/// The stream of the calling GPU worker.
void* worker_stream() noexcept;

/// Runs a body so that nothing is thrown through StarPU's C frames: the
/// first error goes to the solve, whose later tasks return at once.
template <Stage S, class Body>
void guarded(void** buffers, void* raw, Body body) noexcept {
  auto const& p = *static_cast<Payload<typename S::Args> const*>(raw);
  if (p.header.errors->failed()) return;
  try {
    body(Buffers(buffers, p.header), p.args);
  } catch (...) {
    p.header.errors->store(S::name, p.header.block, current_worker(), std::current_exception());
  }
}

/// The same for a body on a CPU, whose data can be checked.
template <Stage S, class Body>
void guarded_on_cpu(void** buffers, void* raw, Body body) noexcept {
  if (!checks_accesses()) return guarded<S>(buffers, raw, body);
  guarded<S>(buffers, raw, [buffers, body](Buffers const& b, auto const& a) {
    AccessCheck const check(buffers, b.header(), declared_modes<typename S::Accesses>);
    body(b, a);
    check.expect_kept(S::name);
  });
}

template <Stage S, unsigned number>
void cpu_entry(void** buffers, void* raw) noexcept {
  auto const& header = *static_cast<TaskHeader const*>(raw);
  TaskOrder const order(buffers, header, declared_modes<typename S::Accesses>);
  guarded_on_cpu<S>(buffers, raw, cpu_variant<S>(header.implementation, number).body);
}

/// The entries of the table of variants, as many as StarPU accepts. Further ones can be asked for by name only.
template <Stage S, unsigned number = 0>
void set_cpu_entries(starpu_codelet& codelet) {
  constexpr unsigned most = VariedStage<S> ? STARPU_MAXIMPLEMENTATIONS : TunedStage<S> ? 2 : 1;
  if constexpr (number < most) {
    if (number >= cpu_variants<S>().size()) return;
    codelet.cpu_funcs[number] = cpu_entry<S, number>;
    set_cpu_entries<S, number + 1>(codelet);
  }
}

template <GpuStage S, unsigned number>
void gpu_entry(void** buffers, void* raw) noexcept {
  guarded<S>(buffers, raw, [](Buffers const& b, auto const& a) {
    gpu_variant<S>(b.header().implementation, number).body(b, a, worker_stream());
  });
}

/// The same for GPUs: `functions` and `flags` are those of CUDA or HIP, which return before the kernels have ended.
template <GpuStage S, unsigned number = 0, class Function>
void set_gpu_entries(Function* functions, char* flags, char asynchronous) {
  constexpr unsigned most = VariedGpuStage<S> ? STARPU_MAXIMPLEMENTATIONS : kokkos_has_gpus ? 2 : 1;
  if constexpr (number < most) {
    if (number >= gpu_variants<S>().size()) return;
    functions[number] = gpu_entry<S, number>;
    flags[number] = asynchronous;
    set_gpu_entries<S, number + 1>(functions, flags, asynchronous);
  }
}

template <Stage S>
int can_execute(unsigned worker, starpu_task* task, unsigned number) {
  happens_after(task);
  auto const& p = *static_cast<Payload<typename S::Args> const*>(task->cl_arg);
  bool const is_cpu = starpu_worker_get_type(int(worker)) == STARPU_CPU_WORKER;
  return implementation_allowed(p.header.implementation, is_cpu, number);
}

/// The StarPU codelet of a stage, built on first use. Thread-safe.
template <Stage S>
starpu_codelet& codelet_of() {
  static_assert(find_stage(S::name) != nullptr, "a stage needs a row in codelets/common/stages.hpp");
  static starpu_perfmodel model = [] {
    starpu_perfmodel m{};
    m.type = STARPU_NL_REGRESSION_BASED;
    m.symbol = symbol_of<S>();
    m.size_base = cost_size;
    m.footprint = cost_bucket;
    return m;
  }();
  static starpu_codelet codelet = [] {
    starpu_codelet c{};
    c.name = S::name;
    c.model = &model;
    c.color = find_stage(S::name)->color;
    c.nbuffers = STARPU_VARIABLE_NBUFFERS;
    c.can_execute = can_execute<S>;
    set_cpu_entries<S>(c);
#if defined(NEARFAR_WITH_CUDA) && defined(STARPU_USE_CUDA)
    if constexpr (GpuStage<S>) set_gpu_entries<S>(c.cuda_funcs, c.cuda_flags, STARPU_CUDA_ASYNC);
#endif
#if defined(NEARFAR_WITH_HIP) && defined(STARPU_USE_HIP)
    if constexpr (GpuStage<S>) set_gpu_entries<S>(c.hip_funcs, c.hip_flags, STARPU_HIP_ASYNC);
#endif
    return c;
  }();
  return codelet;
}

}  // namespace nearfar
