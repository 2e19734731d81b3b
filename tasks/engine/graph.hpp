// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/codelet.hpp"
#include "tasks/engine/chain/chain.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/solve/solve_state.hpp"
#include "tasks/nodes/messages/messages.hpp"
#include "tasks/nodes/messages/recording.hpp"
#include "tasks/nodes/owners.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

namespace nearfar::detail {

/// Who reads what a task writes, if it is to be sent there at once: the host, or the GPU that the label names, else
/// all.
enum class Next { anyone, host, gpus };

/// What a task is for cost models, tables and messages.
struct Label {
  int block = 0;  ///< that it works on
  double flops = 0;
  int rank = everywhere;  ///< or GPU of a process: where it runs, if not on the owner of what it writes
  /// Another rank waits for what it writes, directly or through a task of this rank. Such a task precedes the others of
  /// its stage, so that the message is under way while they run.
  bool is_sent = false;
  Next next = Next::anyone;
  int reader = everywhere;  ///< of the GPUs of a process, the one that reads what it writes, to which it goes at once
};

/// A solve that measures how fast workers are: CPUs, unless one is named.
struct Trial {
  std::optional<unsigned> worker{};  ///< runs all tasks for which it has a body, whatever the scheduler
  bool ask_models = false;           ///< record what StarPU's models expect each task to take on its worker
};

/// Submits the tasks of one solve. Builders have one line per task: stage, arguments, accesses.
class Graph {
 public:
  /// `recording`: receives the tasks of all ranks of the solve instead of StarPU; it outlives this.
  Graph(SolveState& solve, Implementation implementation, std::optional<Trial> const& trial = {},
        Recording* recording = nullptr);

  /// To be called after the last task.
  void end();

  SolveState& solve() const noexcept { return solve_; }

  /// From now on, stages with GPU bodies run on GPUs, whatever the scheduler: each GPU then gets a whole
  /// stage as one task, which on a core would take as long as on all cores together. Of several GPUs, the
  /// owner of what the task writes runs it; without an owner, the GPU that has the memory, else the first. Of ranks
  /// with several GPUs each, the one that `gpus` has for the block of the task; blocks beyond take turns.
  void keep_to_gpus(std::vector<int> gpus = {});

  /// From now on, tasks of stages with GPU bodies that follow each other are submitted as one, which is captured where
  /// that worker is a GPU; `known` has what was captured of this plan. Only for one rank.
  void chain_tasks(std::shared_ptr<CapturedChains> known);
  /// Submits those that are not yet: before their data are let go, or brought home.
  void submit_chain();

  /// Inserts a task; the compiler checks the accesses against the stage's own list.
  /// All ranks insert the same tasks in the same order; one of them submits it.
  template <Stage S, class... Access>
  void insert(typename S::Args const& args, Label const& label, Access const&... access) {
    static_assert(std::is_same_v<AccessList<Access...>, typename S::Accesses>, "accesses must be those of the stage");
    insert(stage_of<S>(), args, label, access...);
  }
  /// The same for a stage that has these arguments and accesses (Inserter sees to that).
  template <class Args, class... Access>
  void insert(AnyStage& stage, Args const& args, Label const& label, Access const&... access) {
    TaskHeader header = header_of(stage, label);
    Accesses accesses;
    int place = 0;
    ((append(accesses, access), header.first[++place] = int(accesses.size())), ...);
    insert(stage, header, &args, label, std::move(accesses));
  }

 private:
  template <starpu_data_access_mode Mode>
  static void append(Accesses& accesses, One<Mode> const& access) {
    accesses.emplace_back(access.handle, Mode);
  }
  template <starpu_data_access_mode Mode>
  static void append(Accesses& accesses, Many<Mode> const& access) {
    for (Handle h : access.handles) accesses.emplace_back(h, Mode);
  }
  template <starpu_data_access_mode Mode, class Item>
  static void append(Accesses& accesses, Each<Mode, Item> const& access) {
    auto const* const handle = reinterpret_cast<Handle const*>(access.items.data());
    for (std::size_t i = 0; i < access.items.size() * handles_of<Item>; ++i) accesses.emplace_back(handle[i], Mode);
  }
  static void append(Accesses& accesses, WriteRows const& access) {
    accesses.emplace_back(access.handle, access.mode());
  }

  TaskHeader header_of(AnyStage const& stage, Label const& label) const;
  void insert(AnyStage& stage, TaskHeader const& header, void const* args, Label const& label, Accesses accesses);
  void record(char const* stage, Label const& label, int priority, Accesses const& accesses);
  bool runs_here(Accesses const& accesses, int wanted, int priority);
  starpu_task* make_task(TaskRecord& record);
  void* memory_of(TaskRecord& record, std::size_t bytes);  ///< freed with the task; drops the task if there is none
  void keep_to_gpu(starpu_task& task, Accesses const& accesses, int owner, int block) const;
  std::vector<unsigned> nodes_of(Label const& label) const;  ///< memory nodes
  void prepare_trial(TaskRecord& record) const;
  void keep_from_gpus(starpu_task& task) const;
  void submit(TaskRecord& record);
  void drop(TaskRecord& record);  ///< instead of submitting it

  SolveState& solve_;
  Implementation implementation_;
  std::optional<Trial> trial_;
  Recording* recording_;
  bool gpus_only_ = false;
  std::vector<unsigned> gpus_;        ///< workers, in the order of owners
  std::vector<int> gpu_of_block_;     ///< of this rank's
  std::optional<Messages> messages_;  ///< of several ranks
  std::shared_ptr<CapturedChains> captured_;
  std::shared_ptr<Chain> chain_;  ///< of tasks that are not submitted yet; null: each is submitted by itself
};

/// Graph::insert for one of the stages that have these arguments and accesses; or for none.
template <class Args, class Accesses>
class InserterOf;
template <class Args, class... Access>
class InserterOf<Args, AccessList<Access...>> {
 public:
  InserterOf() = default;
  explicit InserterOf(AnyStage& stage) noexcept : stage_(&stage) {}

  void operator()(Graph& graph, Args const& args, Label const& label, Access const&... access) const {
    graph.insert(*stage_, args, label, access...);
  }

 private:
  AnyStage* stage_ = nullptr;
};
template <class S>
using Inserter = InserterOf<typename S::Args, typename S::Accesses>;

template <class S>
Inserter<S> inserter() {
  return Inserter<S>(stage_of<S>());
}

}  // namespace nearfar::detail
