// SPDX-License-Identifier: BSD-3-Clause
#include "cli/trace_records.hpp"
#include "tests/cli/message.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>

using namespace nearfar::cli;

namespace {

// As starpu_fxt_tool writes it: blocks, unknown keys, and tasks that never ran.
constexpr auto records = R"(Name: p2g s0
Model: nearfar_p2g_laplace_f64
JobId: 3
SubmitOrder: 1
Priority: 5
WorkerId: 0
MemoryNode: 0
SubmitTime: 1.000000
StartTime: 10.000000
EndTime: 14.000000
Handles: 0x1 0x2

Name: p2p b3
JobId: 4
WorkerId: 1
StartTime: 12.000000
EndTime: 20.000000

Control: WHEN
JobId: 5
SubmitTime: 2.000000

Model: fft
JobId: 6
WorkerId: 0
StartTime: 16.000000
EndTime: 18.000000
)";

}  // namespace

TEST_CASE("trace: the tasks that ran, by stage") {
  TempFolder const folder;
  auto const tasks = read_task_records(folder.write("tasks.rec", records));
  REQUIRE(tasks.size() == 3);
  CHECK(tasks[0].stage == "p2g");
  CHECK(tasks[1].stage == "p2p");
  CHECK(tasks[2].stage == "fft");
  CHECK(tasks[1].worker == 1);
  CHECK(tasks[1].start == doctest::Approx(0.012));
}

TEST_CASE("trace: sums, workers and overlap") {
  TempFolder const folder;
  auto const summary = summarise(read_task_records(folder.write("tasks.rec", records)));
  CHECK(summary.seconds == doctest::Approx(0.010));
  CHECK(summary.stages.at("p2p").seconds == doctest::Approx(0.008));
  CHECK(summary.workers.at(0).tasks == 2);
  CHECK(summary.workers.at(0).seconds == doctest::Approx(0.006));
  CHECK(summary.far_seconds == doctest::Approx(0.006));
  CHECK(summary.overlap_fraction == doctest::Approx(4.0 / 6));  // 12-14 ms and 16-18 ms
}

TEST_CASE("trace: no task is an error") {
  TempFolder const folder;
  auto const path = folder.write("tasks.rec", "JobId: 1\nSubmitTime: 3\n");
  CHECK(message([&] { read_task_records(path); }).find("no task in it has run") != std::string::npos);
}
