// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/graph.hpp"

namespace nearfar::detail {

namespace {

/// StarPU has tasks that write one buffer take turns, also where their order does not matter. Those that scatter write
/// places of their own, so to StarPU they read, and run at once: the copy in main memory is the only one, unless main
/// memory is several nodes to it (STARPU_USE_NUMA).
starpu_data_access_mode mode_for_starpu(starpu_data_access_mode mode) {
  return mode == commuting && starpu_memory_nodes_get_numa_count() == 1 ? STARPU_R : mode;
}

}  // namespace

starpu_task* Graph::make_task(TaskRecord& record) {
  starpu_task* task = starpu_task_create();
  record.task = task;
  std::size_t const n = record.accesses.size();
  task->nbuffers = int(n);
  // StarPU frees both arrays with the task.
  task->dyn_handles = static_cast<Handle*>(std::malloc(n * sizeof(Handle)));
  task->dyn_modes = static_cast<starpu_data_access_mode*>(std::malloc(n * sizeof(starpu_data_access_mode)));
  for (std::size_t i = 0; i < n; ++i) {
    task->dyn_handles[i] = record.accesses[i].first;
    task->dyn_modes[i] = mode_for_starpu(record.accesses[i].second);
  }
  task->callback_func = SolveState::task_ended;
  task->callback_arg = &record;
  return task;
}

void Graph::prepare_trial(TaskRecord& record) const {
  starpu_task* task = record.task;
  task->prologue_callback_pop_func = SolveState::trial_begins;
  task->prologue_callback_pop_arg = &record;
  record.asks_model = trial_->ask_models;
  if (!trial_->worker) {  // a GPU that took some of it would make the cores look fast
    task->where = STARPU_CPU;
    task->priority = solve_.runtime().rank_on_cpus(task->priority);
  }
  if (!trial_->worker || starpu_worker_can_execute_task_first_impl(*trial_->worker, task, nullptr) == 0) return;
  task->execute_on_a_specific_worker = 1;
  task->workerid = *trial_->worker;
}

void Graph::submit(TaskRecord& record) {
  starpu_task* task = record.task;
  char const* stage = record.stage;
  int const rc = starpu_task_submit(task);
  if (rc == 0) return solve_.task_submitted();
  task->destroy = 0;
  starpu_task_destroy(task);
  solve_.drop_task();
  throw Error(Fault::no_resource, std::string("no worker can run ") + stage + " (starpu_task_submit returned " +
                                      std::to_string(rc) +
                                      "; CPU workers: " + std::to_string(starpu_cpu_worker_get_count()) +
                                      "); start at least one CPU worker, or allow the tuned implementation");
}

}  // namespace nearfar::detail
