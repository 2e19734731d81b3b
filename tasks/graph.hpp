// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/codelet.hpp"
#include "schedulers/priorities.hpp"
#include "tasks/data.hpp"
#include "tasks/solve_state.hpp"

#include <nearfar/error.hpp>

#include <cstdlib>
#include <optional>
#include <vector>

namespace nearfar::detail {

/// Which block a task works on, and the flops it takes: for cost models, tables and messages.
struct Label {
  int block = 0;
  double flops = 0;
};

/// A solve that measures how fast workers are: CPUs, if none is named.
struct Trial {
  std::optional<unsigned> worker{};  ///< runs all tasks that it has a body of, whatever the scheduler
  bool ask_models = false;           ///< StarPU's models say what each task takes on its worker
};

/// Submits the tasks of one solve. The builders say one line per task: stage, arguments, accesses.
class Graph {
 public:
  Graph(SolveState& solve, Implementation implementation, std::optional<Trial> const& trial = {})
      : solve_(solve), implementation_(implementation), trial_(trial) {}

  /// The accesses are checked against the stage's own list by the compiler.
  template <Stage S, class... Access>
  void insert(typename S::Args const& args, Label label, Access... access) {
    static_assert(std::is_same_v<AccessList<Access...>, typename S::Accesses>, "accesses must be those of the stage");
    static_assert(!GpuStage<S> || ((Access::mode != commuting) && ...), "what a GPU scatters would stay there");
    using P = Payload<typename S::Args>;
    TaskRecord& record = solve_.open_task();
    record.stage = S::name;
    record.block = label.block;
    record.flops = label.flops;
    TaskHeader header{&solve_.errors(), label.flops, label.block, {}, implementation_};
    int place = 0;
    ((append(record, access), header.first[++place] = int(record.accesses.size())), ...);

    starpu_task* task = make_task(record);
    task->cl = &codelet_of<S>();
    task->name = S::name;
    task->priority = solve_.runtime().rank(priority_of(S::name), *task->cl);
    task->flops = label.flops;
    task->tag_id = solve_.number();  // no tag for StarPU (use_tag is 0), but its traces show it
    task->cl_arg = new (std::malloc(sizeof(P))) P{header, args};
    task->cl_arg_size = sizeof(P);
    task->cl_arg_free = 1;
    if (trial_) prepare_trial(record);
    record.model = task->cl->model;
    record.footprint = cost_bucket(task);
    submit(record);
  }

 private:
  template <starpu_data_access_mode Mode>
  static void append(TaskRecord& record, One<Mode> const& access) {
    record.accesses.emplace_back(access.handle, Mode);
  }
  template <starpu_data_access_mode Mode>
  static void append(TaskRecord& record, Many<Mode> const& access) {
    for (Handle h : access.handles) record.accesses.emplace_back(h, Mode);
  }

  static starpu_task* make_task(TaskRecord& record);
  void prepare_trial(TaskRecord& record) const;
  void submit(TaskRecord& record);

  SolveState& solve_;
  Implementation implementation_;
  std::optional<Trial> trial_;
};

}  // namespace nearfar::detail
