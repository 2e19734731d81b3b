// SPDX-License-Identifier: BSD-3-Clause
// The policy of ours with tasks of known priority and size, and the names that schedulers are asked for by.
#include "codelets/common/stages.hpp"
#include "schedulers/heteroprio.hpp"
#include "schedulers/overlap.hpp"
#include "schedulers/priorities.hpp"
#include "schedulers/profiles.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <starpu.h>
#include <string>
#include <thread>
#include <vector>

using namespace nearfar;

namespace {

std::mutex mutex;
std::vector<int> order;  // arguments of the tasks, as they ran

void note(void**, void* argument) {
  std::lock_guard const lock(mutex);
  order.push_back(int(reinterpret_cast<std::intptr_t>(argument)));
}

starpu_codelet& noted() {
  static starpu_codelet codelet = [] {
    starpu_codelet c{};
    c.cpu_funcs[0] = note;
    return c;
  }();
  return codelet;
}

void submit(int number, int priority, double flops, starpu_tag_t solve = 0) {
  starpu_task* task = starpu_task_create();
  task->cl = &noted();
  task->tag_id = solve;
  task->cl_arg = reinterpret_cast<void*>(std::intptr_t(number));
  task->priority = priority;
  task->flops = flops;
  REQUIRE(starpu_task_submit(task) == 0);
}

/// A StarPU of its own, under a profile.
struct Machine {
  Machine(std::string const& scheduler, int cpus) {
    starpu_conf conf;
    starpu_conf_init(&conf);
    conf.precedence_over_environment_variables = 1;
    conf.ncpus = cpus;
    conf.ncuda = 0;
    ConfiguredScheduler const configured(conf, scheduler);
    REQUIRE(starpu_init(&conf) == 0);
    starpu_pause();
    order.clear();
  }
  ~Machine() { starpu_shutdown(); }
  static void run() {
    starpu_resume();
    starpu_task_wait_for_all();
  }
};

/// An environment variable for a while.
struct Variable {
  Variable(char const* name, char const* value) : name(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name); }
  char const* name;
};

}  // namespace

TEST_CASE("overlap: one worker takes the chain by priority, then filler, the largest first") {
  Machine const machine("overlap", 1);
  CHECK(std::string(starpu_sched_ctx_get_sched_policy(0)->policy_name) == overlap_policy().policy_name);
  int const priorities[] = {0, 3, 0, 5, 0, 3};
  double const flops[] = {1e3, 1, 1e6, 1, 1e5, 1};
  for (int i = 0; i < 6; ++i) submit(i, priorities[i], flops[i]);
  Machine::run();
  std::string text;
  for (int const number : order) text += std::to_string(number);
  CHECK(text == "315240");
}

TEST_CASE("overlap: filler of about one size runs in order, far larger and far smaller tasks before and after it") {
  Machine const machine("overlap", 1);
  double const flops[] = {1e6, 1.4e6, 0.7e6, 1e9, 1e3, 1.9e6};
  for (int i = 0; i < 6; ++i) submit(i, 0, flops[i]);
  Machine::run();
  std::string text;
  for (int const number : order) text += std::to_string(number);
  CHECK(text == "301254");
}

TEST_CASE("overlap: the end of the far part comes after filler of its own solve, and before that of the next") {
  Machine const machine("overlap", 1);
  submit(0, far_end_priority, 1e5, 7);
  submit(1, filler_priority, 1e5, 8);
  submit(2, filler_priority, 1e6, 7);
  submit(3, far_end_priority + 1, 1, 8);
  submit(4, far_end_priority, 1e5, 8);
  Machine::run();
  CHECK(order == std::vector{3, 2, 0, 1, 4});
}

TEST_CASE("overlap: many tasks on more workers than cores all run, round after round") {
  Machine const machine("overlap", 4);
  for (int round = 1; round <= 20; ++round) {
    for (int i = 0; i < 50; ++i) submit(i, i % 3, i);
    Machine::run();
    starpu_pause();
    CHECK(order.size() == std::size_t(50 * round));
  }
  starpu_resume();
}

namespace {

/// Waits until a condition of another task holds; false if that takes far too long.
template <class Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 20000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return condition();
}

std::atomic<int> interactions_begun, interactions_ended, fillers_ended;
std::atomic<bool> side_by_side;

}  // namespace

// Each interaction of the chain waits until one more filler has run, and each filler until one more interaction has
// begun: whatever else the machine does, this ends only where one worker is in the chain and the other one beside it.
TEST_CASE("overlap: a chain that was submitted last runs first, and filler beside it") {
  constexpr int interactions = 20, fillers = 3 * interactions;
  interactions_begun = interactions_ended = fillers_ended = 0;
  side_by_side = true;
  static starpu_codelet interaction, filler;
  interaction.nbuffers = 1;
  interaction.modes[0] = STARPU_RW;
  interaction.cpu_funcs[0] = [](void**, void*) {
    int const number = ++interactions_begun;
    if (!eventually([&] { return fillers_ended >= number; })) side_by_side = false;
    ++interactions_ended;
  };
  filler.cpu_funcs[0] = [](void**, void*) {
    int const number = fillers_ended + 1;
    if (!eventually([&] { return interactions_begun >= number || interactions_ended == interactions; }))
      side_by_side = false;
    ++fillers_ended;
  };

  Machine const machine("overlap", 2);
  int value = 0;
  starpu_data_handle_t handle;
  starpu_variable_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(&value), sizeof value);
  for (int i = 0; i < fillers + interactions; ++i) {
    starpu_task* task = starpu_task_create();
    task->cl = i < fillers ? &filler : &interaction;
    task->priority = i < fillers ? filler_priority : 3;
    if (i >= fillers) task->handles[0] = handle;
    task->flops = 1e6;
    REQUIRE(starpu_task_submit(task) == 0);
  }
  Machine::run();
  starpu_data_unregister(handle);
  CHECK(side_by_side);
  CHECK(interactions_ended == interactions);
  CHECK(fillers_ended == fillers);
}

// The bin task ends when the other worker has had all the time it wants to begin filler, and makes the chain ready.
TEST_CASE("overlap: no filler is begun while a task runs that both parts wait for") {
  static std::atomic<int> begun;
  static std::atomic<int> fillers_before_chain;
  begun = 0;
  fillers_before_chain = -1;
  static starpu_codelet bin, chain, filler;
  bin.nbuffers = 1;
  bin.modes[0] = STARPU_W;
  bin.cpu_funcs[0] = [](void**, void*) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  chain.nbuffers = 1;
  chain.modes[0] = STARPU_R;
  chain.cpu_funcs[0] = [](void**, void*) {
    int nobody = -1;
    fillers_before_chain.compare_exchange_strong(nobody, begun);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  filler.cpu_funcs[0] = [](void**, void*) { ++begun; };

  Machine const machine("overlap", 2);
  int value = 0;
  starpu_data_handle_t handle;
  starpu_variable_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(&value), sizeof value);
  for (starpu_codelet* codelet : {&bin, &chain, &chain, &filler, &filler}) {
    starpu_task* task = starpu_task_create();
    task->cl = codelet;
    task->priority = codelet == &bin ? opening_priority : codelet == &chain ? far_end_priority + 1 : filler_priority;
    if (codelet->nbuffers > 0) task->handles[0] = handle;
    REQUIRE(starpu_task_submit(task) == 0);
  }
  Machine::run();
  starpu_data_unregister(handle);
  CHECK(fillers_before_chain == 0);
  CHECK(begun == 2);
}

TEST_CASE("heteroprio: buckets by priority, and other ones for what suits GPUs") {
  starpu_codelet codelet{};
  CHECK(heteroprio_bucket(bulk_priority, codelet) == bulk_priority);
  CHECK(heteroprio_bucket(opening_priority, codelet) == opening_priority);
  codelet.cuda_funcs[0] = note;
  CHECK(heteroprio_bucket(filler_priority, codelet) == heteroprio_gpu_buckets + filler_priority);
  CHECK(heteroprio_bucket(bulk_priority, codelet) == heteroprio_gpu_buckets + bulk_priority);
  CHECK(heteroprio_bucket(opening_priority, codelet) == opening_priority);
  CHECK(heteroprio_bucket(bulk_priority + 1, codelet) ==
        heteroprio_gpu_buckets + bulk_priority + 1);  // for another rank
  CHECK(opens_both_parts(opening_priority + 1));
  CHECK(!opens_both_parts(opening_priority - 1));
  for (auto const& stage : stages) {
    CHECK(int(stage.priority) >= filler_priority);
    CHECK(int(stage.priority) < heteroprio_gpu_buckets);
    CHECK(int(stage.priority) % 2 == 0);  // the next number is that of what leaves its rank
  }
}

TEST_CASE("heteroprio: one worker takes the highest bucket first") {
  Machine const machine("heteroprio", 1);
  for (int i = 0; i < 4; ++i) submit(i, i, 1);
  Machine::run();
  CHECK(order.front() == 3);
  CHECK(order.back() == 0);
}

TEST_CASE("the scheduler: the option, else STARPU_SCHED, else ours, and what was chosen is what runs") {
  auto const runs = [](std::string const& wanted) {
    Runtime const runtime({.scheduler = wanted, .cpus = 1, .gpus = 0});
    CHECK(runtime.scheduler() == starpu_sched_ctx_get_sched_policy(0)->policy_name);
    return runtime.scheduler();
  };
  CHECK(runs("") == "overlap");
  CHECK(runs("lws") == "lws");
  CHECK(runs("overlap") == "overlap");
  Variable const variable("STARPU_SCHED", "prio");
  CHECK(runs("") == "prio");
  CHECK(runs("eager") == "eager");
  CHECK(runs("overlap") == "overlap");
  CHECK(std::string(std::getenv("STARPU_SCHED")) == "prio");
  setenv("STARPU_SCHED", "overlap", 1);
  CHECK(runs("") == "overlap");
  setenv("STARPU_SCHED", "nonsense", 1);
  try {
    runs("");
    FAIL("a runtime was started");
  } catch (Error const& e) {
    CHECK(std::string(e.what()).find("STARPU_SCHED") != std::string::npos);
    CHECK(std::string(e.what()).find("overlap") != std::string::npos);
  }
  CHECK(runs("ws") == "ws");
}

TEST_CASE("the profiles: all that users are promised, each with a line") {
  std::vector<std::string> names;
  for (auto const& profile : scheduler_profiles()) {
    names.push_back(profile.name);
    CHECK(profile.purpose.size() > 20);
  }
  for (auto const* name :
       {"eager", "random", "prio", "ws", "lws", "dm", "dmda", "dmdas", "dmdar", "heteroprio", "overlap"})
    CHECK_MESSAGE(std::count(names.begin(), names.end(), name) == 1, name);
}
