// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/codelet.hpp"
#include "tasks/engine/chain/captured_chains.hpp"
#include "tasks/engine/chain/step_order.hpp"
#include "tasks/engine/solve/solve_state.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace nearfar::detail {

/// Tasks of a solve that one worker runs one after the other as a single task, in the order in which they were
/// inserted. Each task costs a GPU's driver, StarPU and the scheduler some 20 microseconds: more than the kernels of a
/// stage take for a few thousand points. What the same chain has put on a GPU's stream once is captured the second time
/// and then launched as a whole.
class Chain {
 public:
  explicit Chain(std::shared_ptr<CapturedChains> known) : known_(std::move(known)) {}
  Chain(Chain const&) = delete;
  Chain& operator=(Chain const&) = delete;

  /// `args`: those of a task of that stage; they are copied.
  void add(AnyStage& stage, TaskHeader const& header, void const* args, Accesses const& accesses);

  bool empty() const noexcept { return steps_.empty(); }
  double flops() const noexcept { return flops_; }
  /// What the single task accesses: each handle once, as all steps together do.
  Accesses const& accesses() const noexcept { return accesses_; }
  static starpu_codelet& codelet();

  /// How its steps ran: "captured", "gpu" or a CPU's.
  std::string_view how() const noexcept { return how_; }
  /// When it has ended, before anything that waits for it begins: reports what its checks have found. The errors of its
  /// steps, if there are any.
  std::shared_ptr<ErrorSlot const> ended();

  static constexpr char const* name = "chain";

 private:
  struct Step {
    AnyStage* stage;
    std::unique_ptr<std::byte[]> payload;
    std::vector<int> places;   ///< of its buffers among those of the chain
    StepOrder::Place order{};  ///< of what is captured, whose steps run beside each other where they can
  };

  /// The function of a codelet for a kind of worker.
  using Function = starpu_cpu_func_t (*)(starpu_codelet const&);

  /// `payloads`: of the steps, if not their own.
  using Payloads = std::vector<std::unique_ptr<std::byte[]>>;
  void run_step(std::size_t step, void** buffers, Function function, Payloads const* payloads) const;
  void run_steps(void** buffers, Function function, Payloads const* payloads) const;
  void run(void** buffers, Function function, void* stream);
  void run_on_cpu(void** buffers);
  void run_on_gpu(void** buffers);
  std::shared_ptr<CapturedChain> captured(void** buffers, Function function, void* stream) const;
  void launch(CapturedChain& chain, void* stream) const;
  CapturedChains::Key key_of(void** buffers) const;
  template <class Run>
  static void entry(void* raw, Run const& run) noexcept;
  static void cpu_entry(void** buffers, void* raw) noexcept;
  static void gpu_entry(void** buffers, void* raw) noexcept;

  std::shared_ptr<CapturedChains> known_;
  std::vector<Step> steps_;
  StepOrder order_;
  Accesses accesses_;
  double flops_ = 0;
  std::shared_ptr<CapturedChains::Known> launched_;
  std::string_view how_ = "gpu";
};

/// The arguments of its task.
struct ChainArgs {
  Chain* chain;
};

}  // namespace nearfar::detail
