// SPDX-License-Identifier: BSD-3-Clause
// The process around a runtime: forks, and variables that StarPU would end it for.
#include "tests/tasks/held.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <optional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace nearfar;
using test::Problem;

namespace {

/// What `call` returns in a forked child, at the end of which all that it has inherited goes; 99 if it does not end.
int in_child(std::function<int()> const& call) {
  pid_t const child = fork();
  if (child == 0) {
    alarm(20);
    _exit(call());
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

/// 0 if `call` throws Error{bad_input} that speaks of a fork.
int refusal(std::function<void()> const& call) {
  try {
    call();
  } catch (Error const& e) {
    return e.fault() == Fault::bad_input && std::string(e.what()).find("forked") != std::string::npos ? 0 : 2;
  } catch (...) {
    return 3;
  }
  return 1;
}

}  // namespace

TEST_CASE("fork: a child of a process with a runtime is told so at once, and ends") {
  Problem<> const p(500, 3);
  std::vector<double> u(p.x.size());
  auto runtime = std::optional<Runtime>(std::in_place);
  auto plan = std::optional<Ewald>(std::in_place, *runtime, EwaldOptions{.tolerance = 1e-3});
  auto points = std::optional(plan->set_points(p.x));
  std::optional<Solve> flight = plan->submit(*points, p.f, u);
  CHECK(in_child([&] { return refusal([&] { plan->submit(*points, p.f, u); }); }) == 0);
  CHECK(in_child([&] { return refusal([&] { plan->set_points(p.x); }); }) == 0);
  CHECK(in_child([&] { return refusal([] { Runtime const another; }); }) == 0);
  CHECK(in_child([&] { return refusal([&] { direct(*runtime, Kernel::stokeslet, {}, p.x, p.x, p.f, u).wait(); }); }) ==
        0);
  CHECK(in_child([&] {
          bool const ended = flight->ready();
          return ended ? 0 : refusal([&] { flight->wait(); });
        }) == 0);
  CHECK(in_child([&] {
          flight.reset();
          points.reset();
          plan.reset();
          runtime.reset();
          return 0;
        }) == 0);
  // The parent goes on.
  flight->wait();
  plan->submit(*points, p.f, u).wait();
}

TEST_CASE("fork: a child lets go of a solve that another thread waits for") {
  Runtime const runtime({.cpus = 1});
  std::optional<test::Held> held(std::in_place, runtime);
  std::thread waiting([&held] { held->solve.wait(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(in_child([&held] {
          held.reset();
          return 0;
        }) == 0);
  held->let_go();
  waiting.join();
}

TEST_CASE("fork: a child does not wait for callbacks of a solve that has ended") {
  Runtime const runtime({.cpus = 1});
  test::Held held(runtime);
  std::atomic<bool> go_on = false;
  held.solve.then([&go_on] {
    while (!go_on) std::this_thread::yield();
  });
  held.let_go();
  while (!held.solve.ready()) std::this_thread::yield();
  CHECK(in_child([&held] { return held.solve.wait_for(1000) ? 0 : 1; }) == 0);
  go_on = true;
}

TEST_CASE("fork: a Poisson plan tells a child too") {
  Runtime const runtime;
  Poisson plan(runtime, {.grid = {8, 8, 8}});
  std::vector<double> density(512), phi(512);
  CHECK(in_child([&] { return refusal([&] { plan.submit(density, phi); }); }) == 0);
  CHECK(in_child([&] { return refusal([&] { plan.set_spacing({1, 1, 1}); }); }) == 0);
  CHECK(in_child([&] { return refusal([&] { Poisson const another(runtime, {.grid = {4, 4, 4}}); }); }) == 0);
  plan.submit(density, phi).wait();
}

TEST_CASE("fork: before the first runtime, and after the last, a child has its own") {
  auto const solves = [] {
    Problem<> const p(200, 3);
    std::vector<double> u(p.x.size());
    Runtime const runtime;
    Ewald plan(runtime, {.tolerance = 1e-3});
    plan.submit(plan.set_points(p.x), p.f, u).wait();
    return u[0] != 0 ? 0 : 1;
  };
  CHECK(in_child(solves) == 0);
  CHECK(solves() == 0);
  CHECK(in_child(solves) == 0);
}

TEST_CASE("environment: numbers that are none are told, with the variable") {
  auto const message = [](char const* variable, char const* value) {
    setenv(variable, value, 1);
    std::string text;
    try {
      Runtime const runtime;
    } catch (Error const& e) {
      CHECK(e.fault() == Fault::bad_input);
      text = e.what();
    }
    unsetenv(variable);
    return text;
  };
  for (auto const* variable : {"STARPU_CALIBRATE", "STARPU_WORKERS_NOBIND", "STARPU_LIMIT_CPU_MEM", "STARPU_PREFETCH"})
    for (auto const* value : {"abc", "-1", "2x", "1.5", "99999999999"}) {
      auto const text = message(variable, value);
      CHECK_MESSAGE(text.find(std::string(variable) + "=" + value) != text.npos,
                    variable << '=' << value << ' ' << text);
    }
  CHECK(message("STARPU_SCHED_ALPHA", "much").find("STARPU_SCHED_ALPHA=much") != std::string::npos);
  CHECK(message("STARPU_CALIBRATE", "0") == "");
  // What StarPU takes for a number, and this machine does not have.
  for (auto const* setting :
       {"STARPU_NTHREADS_PER_CORE=0", "STARPU_NTHREADS_PER_CORE=99",
        "STARPU_NTHREADS_PER_CORE=", "STARPU_NWORKER_PER_CUDA=0", "STARPU_MAIN_THREAD_COREID=100000",
        "STARPU_MAIN_THREAD_CPUID=100000", "STARPU_HOSTNAME=a/b", "STARPU_WORKERS_CPUID=abc",
        "STARPU_WORKERS_COREID=-1", "STARPU_DISK_SWAP=", "STARPU_DISK_SWAP=/proc/version",
        "STARPU_DISK_SWAP=/proc/version/swap", "STARPU_DISK_SWAP_SIZE=15",
        "STARPU_WORKERS_CPUID=", "STARPU_MPI_HOSTNAMES=a", "STARPU_NOPENCL=x", "STARPU_MPI_THREAD_CPUID=-1"}) {
    std::string const all = setting, variable = all.substr(0, all.find('='));
    auto const text = message(variable.c_str(), all.substr(variable.size() + 1).c_str());
    CHECK_MESSAGE(text.find(all) != text.npos, all << ' ' << text);
  }
  CHECK(message("STARPU_NTHREADS_PER_CORE", "1") == "");
  CHECK(message("STARPU_MAIN_THREAD_CPUID", "0") == "");
}
