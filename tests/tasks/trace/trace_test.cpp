// SPDX-License-Identifier: BSD-3-Clause
#include "cli/trace/trace_summary.hpp"
#include "codelets/common/stages.hpp"
#include "tasks/trace/timeline.hpp"
#include "tests/cli/temp_folder.hpp"
#include "tests/tasks/problem.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <string>
#include <tuple>

using namespace nearfar;
using nearfar::detail::TaskRecord;
using nearfar::detail::timeline_of;
using test::Problem;

namespace {

/// Stands for a handle: never looked at, only told from others.
Handle handle(std::uintptr_t number) { return reinterpret_cast<Handle>(number); }

TaskRecord task(int worker, double fetch_begins, double fetch_ends, double start, double end,
                std::vector<std::pair<Handle, starpu_data_access_mode>> accesses = {}) {
  TaskRecord t;
  t.stage = "p2p";
  t.worker = worker;
  t.fetch_begins = fetch_begins;
  t.fetch_ends = fetch_ends;
  t.start = start;
  t.end = end;
  t.accesses = std::move(accesses);
  return t;
}

/// Two solves in flight on one plan, with a mark, traced into `folder`.
struct Traced {
  TempFolder folder;
  SolveReport reports[2];
  bool with_events = false;

  Traced() {
    std::filesystem::create_directory(folder / "trace");
    folder.write("trace/gantt.svg", "of an earlier trace");
    Runtime const runtime{{.trace = folder / "trace"}};
    with_events = runtime.version().find("FxT") != std::string::npos;
    Ewald plan(runtime, {.tolerance = 1e-4, .cutoff = 0.2, .grid = std::array{32, 32, 32}});
    Problem<> const p(3000, 3);
    auto const points = plan.set_points(p.x);
    std::vector<double> u[2];
    for (auto& v : u) v.resize(p.x.size());
    runtime.mark("step \"1\"\n");
    auto first = plan.submit(points, p.f, u[0]), second = plan.submit(points, p.f, u[1]);
    reports[0] = first.report();
    reports[1] = second.report();
  }
  nlohmann::json json() const { return nlohmann::json::parse(text_of(folder / "trace/trace.json")); }
};

}  // namespace

TEST_CASE("timeline: a GPU's queue is one task after the other") {
  auto const timeline =
      timeline_of({{1, 0, 1, 30, {task(0, 1, 1, 2, 10), task(0, 3, 3, 4, 15), task(1, 2, 2, 3, 12)}}});
  CHECK(timeline.tasks[0].start == 2);
  CHECK(timeline.tasks[1].start == 10);
  CHECK(timeline.tasks[1].end == 15);
  CHECK(timeline.tasks[2].start == 3);
}

TEST_CASE("timeline: a worker waits for data only while it runs nothing") {
  // The second fetch begins beside the first one and goes on while the first task runs, and after it.
  auto const timeline = timeline_of({{1, 0, 1, 30, {task(0, 1, 4, 5, 10), task(0, 3, 13, 13, 15)}}});
  REQUIRE(timeline.waits.size() == 3);
  auto const wait = [&](std::size_t i) {
    auto const& w = timeline.waits[i];
    return std::tuple{w.task, w.begin, w.end};
  };
  CHECK(wait(0) == std::tuple{0, 1.0, 4.0});
  CHECK(wait(1) == std::tuple{1, 4.0, 5.0});
  CHECK(wait(2) == std::tuple{1, 10.0, 13.0});
}

TEST_CASE("timeline: dependencies within a solve, and between solves where they could hold a task up") {
  auto const write = [](std::uintptr_t h) { return std::pair{handle(h), STARPU_W}; };
  auto const read = [](std::uintptr_t h) { return std::pair{handle(h), STARPU_R}; };
  auto writer = task(0, 0, 0, 1, 5, {write(1)}), late = task(0, 0, 0, 5, 20, {write(2)});
  auto reader = task(1, 0, 0, 6, 7, {read(1)});
  auto next = task(1, 0, 0, 21, 22, {read(1), read(2)});
  next.submitted = 10;
  auto const timeline = timeline_of({{1, 0, 1, 20, {writer, late, reader}}, {2, 9, 10, 22, {next}}});
  CHECK(timeline.after[2] == std::vector{0});
  CHECK(timeline.after[3] == std::vector{1});  // task 0 had ended before this one was submitted
  CHECK(timeline.solve[3] == 2);
  CHECK(timeline.zero == 0);
}

TEST_CASE("trace: every task of the run once, in order, with its solve") {
  Traced const traced;
  auto const json = traced.json();
  std::map<int, std::multiset<std::pair<std::string, int>>> seen;  // stage and block, by solve
  std::map<std::string, int> phases;
  std::vector<std::string> marks;
  std::size_t count = 0;
  for (auto const& event : json["traceEvents"]) {
    auto const category = event["cat"].get<std::string>();
    ++phases[event["ph"].get<std::string>()];
    if (category == "mark") marks.push_back(event["name"].get<std::string>());
    if (category != "near" && category != "far" && category != "shared") continue;
    CHECK(event["args"]["task"] == count++);
    CHECK(event["dur"].get<double>() > 0);
    auto const& args = event["args"];
    seen[args["solve"].get<int>()].emplace(event["name"].get<std::string>(), args["block"].get<int>());
  }
  CHECK(count == std::size_t(traced.reports[0].tasks + traced.reports[1].tasks));
  for (auto const& stage : traced.reports[0].stages) {
    CAPTURE(stage.stage);
    auto const of_stage = [&](auto const& item) { return item.first == stage.stage; };
    CHECK(std::ranges::count_if(seen[1], of_stage) == stage.tasks);
  }
  CHECK(seen[1] == seen[2]);
  CHECK(marks == std::vector<std::string>{"step \"1\" "});
  CHECK(phases["M"] >= 3);
  CHECK(json["otherData"]["starpu_bound"].get<double>() >= 0);
}

TEST_CASE("trace: what is read back agrees with the report and with itself") {
  Traced const traced;
  auto const trace = cli::read_trace(traced.folder / "trace");
  auto const summary = cli::summarise(trace);
  CHECK(trace.scheduler == "overlap");
  REQUIRE(trace.solves.size() == 2);
  for (std::size_t s = 0; s < trace.stages.size(); ++s) {
    double seconds = 0;
    for (auto const& report : traced.reports)
      for (auto const& stage : report.stages)
        if (stage.stage == trace.stages[s].name) seconds += stage.seconds;
    CHECK(summary.stages[s].busy == doctest::Approx(seconds).epsilon(1e-6));
    CHECK(trace.stages[s].branch == name(find_stage(trace.stages[s].name)->branch));
  }
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(trace.solves[i].end - trace.solves[i].submitted == doctest::Approx(traced.reports[i].seconds).epsilon(1e-6));

  constexpr double clock = 1e-6;  // times in the file are rounded
  for (auto const& task : trace.tasks)
    for (auto const earlier : task.after) CHECK(trace.tasks[earlier].end <= task.start + clock);
  for (auto const& wait : trace.waits)
    for (auto const& task : trace.tasks)
      if (task.worker == trace.tasks[wait.task].worker)
        CHECK((task.end <= wait.start + clock || task.start >= wait.end - clock));
  CHECK(summary.bound() > 0);
  CHECK(summary.bound() <= summary.seconds + clock);
  CHECK(summary.critical_path >= summary.solves[0].critical);
}

TEST_CASE("trace: StarPU's own trace beside ours, where it can be, and nothing of an earlier one") {
  Traced const traced;
  auto const paje = text_of(traced.folder / "trace/paje.trace"), dag = text_of(traced.folder / "trace/dag.dot");
  CHECK(!std::filesystem::exists(traced.folder / "trace/gantt.svg"));
  CHECK(paje.empty() != traced.with_events);
  CHECK(dag.starts_with("digraph"));
  if (!traced.with_events) return;
  CHECK(paje.starts_with("%EventDef"));
  for (auto const* part : {"p2p", "scale", "nearfar: solve 2 has ended"})
    CHECK_MESSAGE(paje.find(part) != std::string::npos, part);
}

TEST_CASE("stages: every one is told from the others by its color") {
  std::set<unsigned> colors;
  for (auto const& stage : stages)
    if (stage.name != "direct") CHECK(colors.insert(stage.color).second);  // direct is p2p without a far part
}

TEST_CASE("trace: tasks of a direct sum depend on nothing, however early they end") {
  TempFolder const folder;
  Problem<> const source(1, 1), targets(40000, 1);  // tasks that end while others are submitted
  std::vector<double> u(40000);
  {
    Runtime const runtime{{.trace = folder / "trace"}};
    direct(runtime, Kernel::laplace, {}, source.x, targets.x, source.f, u).wait();
  }
  auto const trace = cli::read_trace(folder / "trace");
  CHECK(trace.tasks.size() == 625);
  for (auto const& task : trace.tasks) CHECK(task.after.empty());
}
