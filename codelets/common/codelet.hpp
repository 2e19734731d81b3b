// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access_check/access_check.hpp"
#include "codelets/common/names.hpp"
#include "codelets/common/stage.hpp"
#include "codelets/common/stages.hpp"
#include "codelets/common/variants.hpp"
#include "core/math/value_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
/// The same for the worker and the header of a task: StarPU's can_execute.
int can_execute(unsigned worker, starpu_task* task, unsigned number);

/// The stream of the calling GPU worker.
void* worker_stream() noexcept;

/// What StarPU knows of tasks of one name: the model of their cost, and their functions on CPUs and on GPUs. StarPU
/// keeps pointers to it until it ends.
class TaskCodelet {
 public:
  using Entry = starpu_cpu_func_t;
  /// `symbol`: of the model. At most STARPU_MAXIMPLEMENTATIONS functions of either kind.
  TaskCodelet(StageRow const& row, char const* symbol, std::span<Entry const> cpu, std::span<Entry const> gpu);
  TaskCodelet(TaskCodelet const&) = delete;
  TaskCodelet& operator=(TaskCodelet const&) = delete;

  starpu_codelet& get() noexcept { return codelet_; }

 private:
  starpu_perfmodel model_{};
  starpu_codelet codelet_{};
};

/// What the types of a stage determine.
struct StageFacts {
  StageRow const* row;  ///< its name, branch, color and priority
  char const* symbol;   ///< of its cost model
  Gpus gpus;
  bool runs_in_chains;  ///< it has a body for GPUs, or would have one in a build for GPUs
  std::span<starpu_data_access_mode const> modes;
  // Its arguments behind the header of a task (Payload).
  std::size_t payload_bytes, args_place, args_bytes;
  std::span<bool const> values;  ///< which bytes of the arguments are values; of stages that run in chains
  void (*on_cpu)(Variant const&, Buffers const&, void const* args);
  void (*on_gpu)(Variant const&, Buffers const&, void const* args, void* stream);
  void (*add_cpu)(std::vector<Variant>&);
  void (*add_gpu)(std::vector<Variant>&);  ///< null: GPUs cannot run it
};

/// A stage without its types, with its codelet: all that graphs, StarPU and reports need, so that their code is
/// compiled once and not for each stage. One object for each stage and process (stage_of), which
/// is never destroyed: StarPU keeps pointers to it until it ends.
class AnyStage : public StageFacts {
 public:
  explicit AnyStage(StageFacts const& facts);
  AnyStage(AnyStage const&) = delete;
  AnyStage& operator=(AnyStage const&) = delete;

  char const* name() const noexcept { return row->name.data(); }
  /// Makes the argument of a task (Payload) in memory of payload_bytes.
  void write_payload(TaskHeader const& header, void const* args, void* memory) const noexcept;
  bool has_gpu_body() const noexcept { return add_gpu != nullptr; }
  starpu_codelet& codelet() noexcept { return codelet_.get(); }

  /// All ways to run it, the default first.
  std::vector<Variant> const& cpu_variants() const noexcept { return cpu_; }
  std::vector<Variant> const& gpu_variants() const noexcept { return gpu_; }
  /// What a worker runs where StarPU takes implementation `number` of the codelet. Number 0 is what the solve wants, or
  /// the default of a stage that does not have that: not every scheduler of StarPU looks further. The others are as in
  /// the table, for solves that leave the choice to StarPU.
  Variant const& variant(Implementation wanted, unsigned number, bool on_cpu) const noexcept;
  /// Its name, for reports.
  std::string_view variant_name(Implementation wanted, unsigned number, bool on_cpu) const noexcept;

 private:
  std::vector<Variant> cpu_, gpu_;
  TaskCodelet codelet_;
};

/// Calls the bodies of all stages that have these arguments.
template <class Args>
void call_on_cpu(Variant const& variant, Buffers const& buffers, void const* args) {
  typed_as<CpuVariant<Args>>(variant).body(buffers, *static_cast<Args const*>(args));
}
template <class Args>
void call_on_gpu(Variant const& variant, Buffers const& buffers, void const* args, void* stream) {
  typed_as<GpuVariant<Args>>(variant).body(buffers, *static_cast<Args const*>(args), stream);
}

/// A stage and its codelet, built on first use. Thread-safe.
template <Stage S>
AnyStage& stage_of() {
  using Args = typename S::Args;
  using P = Payload<Args>;
  static_assert(alignof(P) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__, "graphs keep payloads in plain memory");
  static constexpr StageRow const* row = find_stage(S::name);
  static_assert(row != nullptr, "a stage needs a row in codelets/common/stages.hpp");
  static AnyStage& stage = *new AnyStage([] {
    StageFacts facts{.row = row,
                     .symbol = symbol_of<S>(),
                     .gpus = gpus_of<S>(),
                     .runs_in_chains = StageForGpus<S> && (GpuStage<S> || !gpus_built),
                     .modes = declared_modes<typename S::Accesses>,
                     .payload_bytes = sizeof(P),
                     .args_place = (sizeof(TaskHeader) + alignof(Args) - 1) / alignof(Args) * alignof(Args),
                     .args_bytes = sizeof(Args),
                     .values = {},
                     .on_cpu = call_on_cpu<Args>,
                     .on_gpu = nullptr,
                     .add_cpu = add_cpu_variants<S>,
                     .add_gpu = nullptr};
    if constexpr (StageForGpus<S>) facts.values = value_bytes<Args>;
    if constexpr (GpuStage<S>) {
      facts.on_gpu = call_on_gpu<Args>;
      facts.add_gpu = add_gpu_variants<S>;
    }
    return facts;
  }());
  return stage;
}

template <Stage S>
starpu_codelet& codelet_of() {
  return stage_of<S>().codelet();
}

}  // namespace nearfar
