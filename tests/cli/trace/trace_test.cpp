// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/stages/work_bound.hpp"
#include "cli/trace/gantt.hpp"
#include "cli/trace/trace_summary.hpp"
#include "tests/cli/message.hpp"
#include "tests/cli/temp_folder.hpp"
#include "tests/cli/trace/synthetic_trace.hpp"
#include "tests/cli/well_formed.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>

using namespace nearfar::cli;

namespace {

struct Synthetic {
  TempFolder folder;
  Trace trace;
  Synthetic() {
    folder.write("trace.json", synthetic_trace);
    trace = read_trace(folder / "");
  }
};

auto ms(double milliseconds) { return doctest::Approx(1e-3 * milliseconds).epsilon(1e-12); }

std::string refusal(std::string const& contents) {
  TempFolder const folder;
  folder.write("trace.json", contents);
  return message([&] { read_trace(folder / ""); });
}

bool contains(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

std::string with(std::string const& before, std::string const& after) {
  auto changed = synthetic_trace;
  auto const at = changed.find(before);
  REQUIRE(at != changed.npos);
  return changed.replace(at, before.size(), after);
}

/// The place of a stage in the synthetic trace.
enum Stage : std::size_t { bin, p2g, p2p, fft, merge };

}  // namespace

TEST_CASE("trace: what the file says") {
  auto const trace = Synthetic().trace;
  REQUIRE(trace.tasks.size() == 10);
  CHECK(trace.runtime == "StarPU 1.4.10, CUDA");
  CHECK(trace.scheduler == "dmdas");
  CHECK(trace.workers[2].kind == "cuda");
  CHECK(trace.stages[fft].color == "#ccbb44");
  CHECK(trace.tasks[4].stage == p2p);
  CHECK(trace.tasks[4].worker == 1);
  CHECK(trace.tasks[4].block == 1);
  CHECK(trace.tasks[4].start == ms(3));
  CHECK(trace.tasks[4].end == ms(15));
  CHECK(trace.tasks[4].submitted == ms(1));
  CHECK(trace.tasks[4].ready == ms(2));
  CHECK(trace.tasks[5].after == std::vector<std::size_t>{2, 3, 4});
  CHECK(trace.solves[1].submission == ms(0.5));
  CHECK(trace.marks[0].text == "step 2 </script>");
}

TEST_CASE("trace: busy, waiting and idle are exact") {
  auto const summary = summarise(Synthetic().trace);
  CHECK(summary.seconds == ms(30));
  CHECK(summary.between == ms(10));
  double const busy[] = {18, 14, 10}, waiting[] = {1, 0, 3}, idle[] = {11, 16, 17};
  for (std::size_t w = 0; w < 3; ++w) {
    CAPTURE(w);
    CHECK(summary.workers[w].busy == ms(busy[w]));
    CHECK(summary.workers[w].waiting == ms(waiting[w]));
    CHECK(summary.idle(w) == ms(idle[w]));
  }
  CHECK(summary.workers[0].tasks == 5);
  CHECK(summary.stages[p2p].tasks == 3);
  CHECK(summary.stages[p2p].busy == ms(22));
  CHECK(summary.stages[p2p].longest == ms(12));
  CHECK(summary.stages[p2p].waiting == ms(3));
  CHECK(summary.stages[p2p].busy_by_kind.at("cuda") == ms(10));
  CHECK(summary.stages[merge].waiting == ms(1));
  CHECK(summary.stages[p2g].waiting == 0);
  CHECK(summary.solves[0].tasks == 6);
  CHECK(summary.solves[0].busy == ms(30));
  CHECK(summary.solves[1].busy == ms(12));
}

TEST_CASE("trace: overlap is exact") {
  auto const summary = summarise(Synthetic().trace);
  CHECK(summary.far == ms(16));      // 2 to 12 and 32 to 38
  CHECK(summary.overlap == ms(13));  // 3 to 12 and 33 to 37
}

TEST_CASE("trace: the critical path is exact") {
  auto const summary = summarise(Synthetic().trace);
  CHECK(summary.critical_path == ms(22));
  CHECK(summary.critical == std::vector<std::size_t>{0, 4, 5, 6, 7, 9});
  CHECK(summary.stages[p2p].critical == ms(12));
  CHECK(summary.stages[p2g].critical == ms(6));
  CHECK(summary.stages[fft].critical == 0);
  CHECK(summary.workers[1].critical == ms(14));
  CHECK(summary.solves[0].critical == ms(14));
  CHECK(summary.solves[1].critical == ms(8));
}

TEST_CASE("trace: the bound is exact") {
  auto trace = Synthetic().trace;
  // p2p takes 12 ms on a CPU and 5 ms on the GPU. With x of the 3 tasks there: 5 x = (20 + 12 (3 - x)) / 2, x = 28
  // / 11.
  CHECK(work_bound(trace) == ms(140.0 / 11));
  CHECK(summarise(trace).bound() == ms(22));

  for (auto& task : trace.tasks) task.after.clear();
  CHECK(summarise(trace).bound() == ms(140.0 / 11));

  // As if all were alike: 42 ms of work for three.
  trace.workers[2].kind = "cpu";
  CHECK(work_bound(trace) == ms(14));

  // A GPU ten times as fast takes all three.
  trace.workers[2].kind = "cuda";
  for (auto const i : {2, 8}) trace.tasks[std::size_t(i)].end = trace.tasks[std::size_t(i)].start + 1e-3;
  CHECK(work_bound(trace) == ms(10));
}

TEST_CASE("trace: solves in flight together count once") {
  auto trace = Synthetic().trace;
  trace.solves[1].submitted = 15e-3;
  CHECK(summarise(trace).seconds == ms(40));
  CHECK(summarise(trace).between == 0);
}

TEST_CASE("trace: damaged files are refused, with the reason") {
  CHECK(contains(refusal(""), "no whole trace of nearfar (byte"));
  CHECK(contains(refusal(synthetic_trace.substr(0, synthetic_trace.size() / 2)), "is not what JSON has there"));
  CHECK(contains(refusal("[]"), "a field is missing or of another type"));
  CHECK(contains(refusal("{\"traceEvents\":[]}"), "a field is missing"));
  CHECK(contains(refusal(with("nearfar trace 1", "nearfar trace 9")), "its format is \"nearfar trace 9\""));
  CHECK(contains(refusal(with("#bbbbbb", "#bbbbzz")), "the color of a stage is \"#bbbbzz\""));
  CHECK(contains(refusal(with("\"tasks\":10", "\"tasks\":11")), "10 of its 11 tasks are there"));
  CHECK(contains(refusal(with("\"task\":3", "\"task\":5")), "task 5 is out of its place"));
  CHECK(contains(refusal(with("\"after\":[1]", "\"after\":[7]")), "task 3 depends on a later one"));
  CHECK(
      contains(refusal(with("\"name\":\"fft\",\"pid\"", "\"name\":\"ffx\",\"pid\"")), "of a stage that is not listed"));
  CHECK(contains(refusal(with("\"tid\":2,\"ts\":4000", "\"tid\":3,\"ts\":4000")), "task 2 has no worker"));
  CHECK(contains(refusal(with("\"args\":{\"task\":8}}", "\"args\":{\"task\":80}}")), "a wait names a task"));
  auto const head = synthetic_trace.substr(0, synthetic_trace.find("\"traceEvents\""));
  auto empty = head + "\"traceEvents\":[]}";
  empty.replace(empty.find("\"tasks\":10"), 10, "\"tasks\":0");
  CHECK(contains(refusal(empty), "no task in it has run, so there is nothing to show; trace a solve with --trace"));
}

TEST_CASE("svg: well-formed, with every task, mark and label") {
  auto const trace = Synthetic().trace;
  auto const svg = gantt_svg(trace, summarise(trace));
  CHECK(xml_fault(svg) == "");
  for (auto const* part :
       {">bin 0, solve 1, 1 ms<", ">p2p 1, solve 1, 12 ms<", ">waiting for data 2 ms<", ">CPU &lt;1&gt;<", ">CUDA 0<",
        ">step 2 &lt;/script&gt;<", ">solve 2<", "first submission / ms", "#4477aa", "10 tasks", "73 % of the bound"})
    CHECK_MESSAGE(contains(svg, part), std::string(part));
  std::size_t bars = 0;
  for (std::size_t at = 0; (at = svg.find("<title>", at)) != svg.npos; ++at) ++bars;
  CHECK(bars == 10 + 3 + 2);  // tasks, waits, submissions
}

TEST_CASE("svg: a long trace makes no huge picture") {
  auto trace = Synthetic().trace;
  for (std::size_t i = trace.tasks.size(); i < 50000; ++i) {
    auto task = trace.tasks[i % 10];
    task.start = 1e-3 * double(i);
    task.end = task.start + 0.9e-3;
    task.worker = i % 3;
    task.after.clear();
    trace.tasks.push_back(task);
  }
  auto const svg = gantt_svg(trace, summarise(trace));
  CHECK(xml_fault(svg) == "");
  CHECK(svg.size() < 500000);
}

TEST_CASE("svg: steps of the axis are round and carry a unit") {
  CHECK(axis_for(0.7146, 10).step == doctest::Approx(0.1));
  CHECK(std::string(axis_for(0.7146, 10).unit) == "ms");
  CHECK(axis_for(0.04, 10).step == doctest::Approx(0.005));
  CHECK(axis_for(17, 10).step == doctest::Approx(2));
  CHECK(std::string(axis_for(17, 10).unit) == "s");
  CHECK(axis_for(3e-4, 10).scale == 1e6);
}

TEST_CASE("html: one page that asks for nothing else, with all of the data") {
  auto const trace = Synthetic().trace;
  auto const page = gantt_html(trace, summarise(trace));
  for (auto const* part : {"http:", "https:", "src=", "@import", "url("})
    CHECK_MESSAGE(!contains(page, part), std::string(part));
  std::string const before = "const trace = ";
  auto const begin = page.find(before) + before.size(), end = page.find(";\n", begin);
  auto const text = page.substr(begin, end - begin);
  CHECK(!contains(text, "</"));
  auto const data = nlohmann::json::parse(text);
  CHECK(data["tasks"].size() == 10);
  CHECK(data["tasks"][4] == nlohmann::json::parse("[2,1,3000.0,12000.0,1,1,2000.0,0.0,[0]]"));
  CHECK(data["tasks"][2][7] == 2000.0);
  CHECK(data["critical"] == nlohmann::json::parse("[0,4,5,6,7,9]"));
  CHECK(data["marks"][0][1] == "step 2 </script>");
  CHECK(data["waits"][2].size() == 2);
}
