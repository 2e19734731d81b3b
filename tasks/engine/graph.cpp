// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/graph.hpp"

#include "core/math/expects.hpp"
#include "core/math/happens_before.hpp"
#include "schedulers/priorities.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"

#include <array>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

namespace nearfar::detail {

static_assert(int(Priority::filler) == filler_priority && int(Priority::bulk) == bulk_priority &&
                  int(Priority::far_end) == far_end_priority && int(Priority::opening) == opening_priority,
              "schedulers/priorities.hpp and codelets/common/stages.hpp must agree");

namespace {

constexpr std::int32_t for_gpus = STARPU_CUDA | STARPU_HIP;

/// Worker masks with one worker each; static, because tasks keep pointers to them.
using WorkerSet = std::array<std::uint32_t, (STARPU_NMAXWORKERS + 31) / 32>;
WorkerSet& only(unsigned worker) {
  static auto sets = [] {
    std::array<WorkerSet, STARPU_NMAXWORKERS> all{};
    for (std::size_t w = 0; w < all.size(); ++w) all[w][w / 32] = std::uint32_t(1) << w % 32;
    return all;
  }();
  return sets[worker];
}

}  // namespace

Graph::Graph(SolveState& solve, Implementation implementation, std::optional<Trial> const& trial, Recording* recording)
    : solve_(solve), implementation_(implementation), trial_(trial), recording_(recording) {
  if (auto const* ranks = solve.ranks(); ranks != nullptr)
    messages_.emplace(*ranks, Messages::Listener{SolveState::message_begins, SolveState::message_ended, &solve},
                      recording);
}

void Graph::end() {
  if (chain_ && !chain_->empty())
    throw Error(Fault::bug, "chained tasks were not submitted while their data were there; please report it");
  if (!messages_) return;
  messages_->flush();
  solve_.count_sent(messages_->sent_bytes(), messages_->direct_bytes());
}

TaskHeader Graph::header_of(AnyStage const& stage, Label const& label) const {
  return {.errors = &solve_.errors(),
          .stage = &stage,
          .cost = label.flops,
          .block = label.block,
          .first = {},
          .implementation = implementation_};
}

void Graph::insert(AnyStage& stage, TaskHeader const& header, void const* args, Label const& label, Accesses accesses) {
  int const priority = int(stage.row->priority) + (label.is_sent && messages_ ? 1 : 0),
            sort_key = solve_.runtime().sort_key(priority, stage.codelet());
  if (recording_ != nullptr) return record(stage.name(), label, sort_key, accesses);
  if (chain_) {
    if (stage.runs_in_chains) return chain_->add(stage, header, args, accesses);
    submit_chain();
  }
  if (messages_ && !runs_here(accesses, label.rank, sort_key)) return;

  TaskRecord& record = solve_.open_task();
  record.stage = stage.name();
  record.block = label.block;
  record.flops = label.flops;
  record.wanted = implementation_;
  record.variants = &stage;
  record.accesses = std::move(accesses);
  record.next_nodes = nodes_of(label);
  starpu_task* task = make_task(record);
  task->cl = &stage.codelet();
  task->name = stage.name();
  task->priority = sort_key;
  task->flops = label.flops;
  task->tag_id = solve_.number();  // not a StarPU tag (use_tag is 0), but its traces show it
  task->cl_arg = memory_of(record, stage.payload_bytes);
  stage.write_payload(header, args, task->cl_arg);
  task->cl_arg_size = stage.payload_bytes;
  task->cl_arg_free = 1;
  if (stage.has_gpu_body()) {
    if (gpus_only_) keep_to_gpu(*task, record.accesses, label.rank, label.block);
    else if (stage.gpus == Gpus::with_all) keep_from_gpus(*task);
  }
  if (!record.next_nodes.empty()) {
    task->epilogue_callback_func = SolveState::task_sends;
    task->epilogue_callback_arg = &record;
  }
  if (trial_) prepare_trial(record);
  record.model = task->cl->model;
  record.footprint = cost_bucket(task);
  submit(record);
}

/// Records the task on its rank, or on every rank if nobody owns what it writes.
void Graph::record(char const* stage, Label const& label, int priority, Accesses const& accesses) {
  int const rank = messages_ ? messages_->rank_of(accesses, label.rank) : 0,
            ranks = messages_ ? solve_.ranks()->count() : 1;
  int const first = rank == everywhere ? 0 : rank, last = rank == everywhere ? ranks - 1 : rank;
  for (int r = first; r <= last; ++r) {
    if (messages_) messages_->before(accesses, r, priority);
    GraphStep const step{
        .stage = stage, .rank = r, .block = label.block, .priority = priority, .flops = label.flops, .after = {}};
    recording_->task(step, accesses);
    if (messages_) messages_->after(accesses, r, priority);
  }
}

/// Also sends and receives what the task reads where it runs, and what it writes if the owner is another rank.
bool Graph::runs_here(Accesses const& accesses, int wanted, int priority) {
  int const rank = messages_->rank_of(accesses, wanted);
  bool const here = rank == solve_.ranks()->rank();
  if (here && std::ranges::any_of(accesses, [](auto const& access) { return access.first == nullptr; }))
    throw Error(Fault::bug, "a task needs data that this rank was not to have a task for; please report it");
  messages_->before(accesses, rank, priority);
  if (here) return true;
  messages_->after(accesses, rank, priority);
  return false;
}

starpu_task* Graph::make_task(TaskRecord& record) {
  starpu_task* task = starpu_task_create();
  record.task = task;
  std::size_t const n = record.accesses.size();
  task->dyn_handles = static_cast<Handle*>(memory_of(record, n * sizeof(Handle)));
  task->dyn_modes = static_cast<starpu_data_access_mode*>(memory_of(record, n * sizeof(starpu_data_access_mode)));
  task->nbuffers = int(n);
  for (std::size_t i = 0; i < n; ++i) {
    task->dyn_handles[i] = record.accesses[i].first;
    task->dyn_modes[i] = record.accesses[i].second;
  }
  task->callback_func = SolveState::task_ended;
  task->callback_arg = &record;
  if (solve_.begins_after_event()) {
    task->prologue_callback_pop_func = SolveState::task_begins_after_event;
    task->prologue_callback_pop_arg = &record;
  }
  return task;
}

void* Graph::memory_of(TaskRecord& record, std::size_t bytes) {
  void* const memory = std::malloc(bytes);  // StarPU frees it
  if (memory != nullptr) return memory;
  drop(record);
  throw std::bad_alloc();
}

void Graph::keep_to_gpus(std::vector<int> gpus) {
  gpus_only_ = suits_gpus(implementation_);
  gpus_ = gpu_workers();
  gpu_of_block_ = std::move(gpus);
}

void Graph::chain_tasks(std::shared_ptr<CapturedChains> known) {
  if (messages_ || recording_ != nullptr || trial_) return;
  captured_ = std::move(known);
  chain_ = std::make_shared<Chain>(captured_);
}

void Graph::submit_chain() {
  if (!chain_ || chain_->empty()) return;
  auto const chain = std::exchange(chain_, std::make_shared<Chain>(captured_));
  using P = Payload<ChainArgs>;
  TaskRecord& record = solve_.open_task();
  record.stage = Chain::name;
  record.flops = chain->flops();
  record.wanted = implementation_;
  record.chain = chain;
  record.accesses = chain->accesses();
  starpu_task* task = make_task(record);
  task->cl = &Chain::codelet();
  task->name = Chain::name;
  task->priority = solve_.runtime().sort_key(int(find_stage(Chain::name)->priority), Chain::codelet());
  task->flops = chain->flops();
  task->tag_id = solve_.number();
  task->cl_arg = new (memory_of(record, sizeof(P))) P{
      {.errors = &solve_.errors(), .cost = chain->flops(), .implementation = implementation_}, ChainArgs{chain.get()}};
  task->cl_arg_size = sizeof(P);
  task->cl_arg_free = 1;
  if (gpus_only_) keep_to_gpu(*task, record.accesses, everywhere, 0);
  task->epilogue_callback_func = SolveState::chain_ended;
  task->epilogue_callback_arg = &record;
  record.model = task->cl->model;
  record.footprint = cost_bucket(task);
  happens_before(chain.get());
  submit(record);
}

void Graph::keep_to_gpu(starpu_task& task, Accesses const& accesses, int owner, int block) const {
  task.where = for_gpus;
  if (gpus_.size() < 2) return;
  unsigned worker = gpus_.front();
  if (messages_) {  // owners are ranks
    auto const b = std::size_t(std::max(0, block));
    owner = b < gpu_of_block_.size() ? gpu_of_block_[b] : int(b % gpus_.size());
  }
  for (auto const& [handle, mode] : accesses) {
    if ((mode & STARPU_W) == 0 || owner != everywhere) continue;
    owner = owner_of(handle);
    for (unsigned const w : gpus_)
      if (int(starpu_worker_get_memory_node(w)) == starpu_data_get_home_node(handle)) worker = w;
  }
  if (owner != everywhere) worker = gpus_[std::size_t(owner) % gpus_.size()];
  task.workerids = only(worker).data();
  task.workerids_len = unsigned(only(worker).size());
}

std::vector<unsigned> Graph::nodes_of(Label const& label) const {
  std::vector<unsigned> nodes;
  if (label.next == Next::host) nodes.push_back(STARPU_MAIN_RAM);
  for (std::size_t g = 0; g < gpus_.size() && label.next == Next::gpus; ++g)
    if (label.rank == everywhere || std::size_t(label.rank) % gpus_.size() == g)
      nodes.push_back(starpu_worker_get_memory_node(gpus_[g]));
  if (label.reader != everywhere && !messages_ && gpus_.size() > 1)
    nodes.push_back(starpu_worker_get_memory_node(gpus_[std::size_t(label.reader) % gpus_.size()]));
  return nodes;
}

void Graph::prepare_trial(TaskRecord& record) const {
  starpu_task* task = record.task;
  task->prologue_callback_pop_func = SolveState::trial_begins;
  task->prologue_callback_pop_arg = &record;
  record.asks_model = trial_->ask_models;
  if (!trial_->worker) keep_from_gpus(*task);  // a GPU taking part of the work would make the cores look fast
  if (!trial_->worker || starpu_worker_can_execute_task_first_impl(*trial_->worker, task, nullptr) == 0) return;
  task->execute_on_a_specific_worker = 1;
  task->workerid = *trial_->worker;
}

void Graph::keep_from_gpus(starpu_task& task) const {
  task.where = STARPU_CPU;
  task.priority = solve_.runtime().sort_key_on_cpus(task.priority);
}

void Graph::drop(TaskRecord& record) {
  record.task->destroy = 0;
  starpu_task_destroy(record.task);
  solve_.drop_task();
}

void Graph::submit(TaskRecord& record) {
  char const* const stage = record.stage;  // still valid after the record is dropped
  for (auto const& [handle, mode] : record.accesses) {
    EXPECTS(handle != nullptr, record.block, record.accesses.size());
    if ((mode & STARPU_W) == 0 || !is_constant(handle)) continue;
    drop(record);
    throw Error(Fault::bug, std::string("stage ") + stage +
                                " would write data that are constant (solves share them, and nobody " +
                                "waits for the writer); please report it");
  }
  int const priority = record.task->priority;
  WorkFor const work = record.task->where == for_gpus ? WorkFor::gpus : WorkFor::all;
  happens_before(record.task);  // before any thread that looks at the task
  happens_before(record.task->cl_arg);
  int const rc = starpu_task_submit(record.task);
  if (rc == 0) {
    if (messages_) messages_->after(record.accesses, solve_.ranks()->rank(), priority);
    return solve_.task_submitted(work);
  }
  drop(record);
  throw Error(Fault::no_resource, std::string("no worker can run ") + stage + " (starpu_task_submit returned " +
                                      std::to_string(rc) +
                                      "; CPU workers: " + std::to_string(starpu_cpu_worker_get_count()) +
                                      "); start at least one CPU worker, or allow the tuned implementation");
}

}  // namespace nearfar::detail
