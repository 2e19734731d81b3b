// SPDX-License-Identifier: BSD-3-Clause
// The parts of two ranks in one time line, and what near-field tasks cover there.
#include "cli/trace/overlap.hpp"
#include "cli/trace/trace_summary.hpp"
#include "tests/cli/message.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>

using namespace nearfar::cli;

namespace {

/// One solve, which rank 0 calls 4 and rank 1 calls 1; milliseconds of rank 0's clock:
///
///   0: CPU 0   fft 0-4  p2p 4-10  ifft 10-12
///   1: CPU 0                          scale 7.5-8.5
///   1: CPU 1             p2p 2-8
///   0 to 1               4-7, what fft made, for scale
///   1 to 0                            8.5-9, what scale made, for ifft
std::string const of_rank_0 =
    R"({"otherData":{"format":"nearfar trace 1","runtime":"StarPU","scheduler":"prio","tasks":3,
"starpu_bound":0.5,"rank":0,"ranks":2,"zero":5000,"workers":[{"name":"CPU 0","kind":"cpu"}],
"stages":[{"name":"fft","color":"#ccbb44","branch":"far"},{"name":"p2p","color":"#4477aa","branch":"near"},
{"name":"ifft","color":"#228833","branch":"far"}],"transfers":[]},"traceEvents":[
{"ph":"X","cat":"far","name":"fft","pid":0,"tid":0,"ts":0,"dur":4000,"args":{"task":0,"block":0,"solve":4,"submitted":0,"ready":0,"after":[]}},
{"ph":"X","cat":"near","name":"p2p","pid":0,"tid":0,"ts":4000,"dur":6000,"args":{"task":1,"block":0,"solve":4,"submitted":0,"ready":0,"after":[]}},
{"ph":"X","cat":"far","name":"ifft","pid":0,"tid":0,"ts":10000,"dur":2000,"args":{"task":2,"block":0,"solve":4,"submitted":0,"ready":9000,"after":[]}},
{"ph":"X","cat":"solve","name":"solve 4","pid":1,"tid":0,"ts":0,"dur":12000,"args":{"solve":4,"tasks":3,"submission":500,"together":true}},
{"ph":"X","cat":"message","name":"to 1","pid":2,"tid":1,"ts":4000,"dur":2000,"args":{"solve":4,"peer":1,"sent":true,"bytes":100,"writer":0,"readers":[]}},
{"ph":"X","cat":"message","name":"from 1","pid":2,"tid":1,"ts":9000,"dur":0,"args":{"solve":4,"peer":1,"sent":false,"bytes":50,"writer":-1,"readers":[2]}},
{"ph":"i","cat":"mark","name":"both","pid":0,"tid":0,"s":"g","ts":0}
]})";
std::string const of_rank_1 =
    R"({"otherData":{"format":"nearfar trace 1","runtime":"StarPU","scheduler":"prio","tasks":2,
"starpu_bound":0.5,"rank":1,"ranks":2,"zero":7000,"workers":[{"name":"CPU 0","kind":"cpu"},{"name":"CPU 1","kind":"cpu"}],
"stages":[{"name":"p2p","color":"#4477aa","branch":"near"},{"name":"scale","color":"#66ccee","branch":"far"}],"transfers":[]},"traceEvents":[
{"ph":"X","cat":"near","name":"p2p","pid":0,"tid":1,"ts":0,"dur":6000,"args":{"task":0,"block":1,"solve":1,"submitted":0,"ready":0,"after":[]}},
{"ph":"X","cat":"far","name":"scale","pid":0,"tid":0,"ts":5500,"dur":1000,"args":{"task":1,"block":0,"solve":1,"submitted":0,"ready":5000,"after":[]}},
{"ph":"X","cat":"wait","name":"wait for data","pid":0,"tid":0,"ts":5000,"dur":500,"args":{"task":1}},
{"ph":"X","cat":"solve","name":"solve 1","pid":1,"tid":0,"ts":500,"dur":7000,"args":{"solve":1,"tasks":2,"submission":500,"together":true}},
{"ph":"X","cat":"message","name":"from 0","pid":2,"tid":0,"ts":5000,"dur":0,"args":{"solve":1,"peer":0,"sent":false,"bytes":100,"writer":-1,"readers":[1]}},
{"ph":"X","cat":"message","name":"to 0","pid":2,"tid":0,"ts":6500,"dur":400,"args":{"solve":1,"peer":0,"sent":true,"bytes":50,"writer":1,"readers":[]}},
{"ph":"i","cat":"mark","name":"both","pid":0,"tid":0,"s":"g","ts":0}
]})";

auto ms(double milliseconds) { return doctest::Approx(1e-3 * milliseconds).epsilon(1e-9); }

Trace both() {
  TempFolder const folder;
  folder.write("trace.json", of_rank_0);
  folder.write("trace.1.json", of_rank_1);
  return read_trace(folder / "");
}

std::string refusal(std::string const& second) {
  TempFolder const folder;
  folder.write("trace.json", of_rank_0);
  if (!second.empty()) folder.write("trace.1.json", second);
  return message([&] { read_trace(folder / ""); });
}

std::string with(std::string text, std::string const& before, std::string const& after) {
  auto const at = text.find(before);
  REQUIRE(at != text.npos);
  return text.replace(at, before.size(), after);
}

bool contains(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("ranks: tasks of all in one time line, by the clock of the first") {
  auto const trace = both();
  CHECK(trace.ranks == 2);
  CHECK(trace.starpu_bound == 0);
  REQUIRE(trace.workers.size() == 3);
  CHECK(trace.workers[0].name == "0: CPU 0");
  CHECK(trace.workers[2].name == "1: CPU 1");
  CHECK(trace.workers[2].rank == 1);
  REQUIRE(trace.tasks.size() == 5);
  char const* const stages[] = {"fft", "p2p", "p2p", "scale", "ifft"};
  double const starts[] = {0, 2, 4, 7.5, 10}, ends[] = {4, 8, 10, 8.5, 12};
  std::size_t const workers[] = {0, 2, 0, 1, 0};
  for (std::size_t i = 0; i < 5; ++i) {
    CAPTURE(i);
    CHECK(trace.stages[trace.tasks[i].stage].name == stages[i]);
    CHECK(trace.tasks[i].start == ms(starts[i]));
    CHECK(trace.tasks[i].end == ms(ends[i]));
    CHECK(trace.tasks[i].worker == workers[i]);
    CHECK(trace.tasks[i].solve == 4);
  }
  CHECK(trace.tasks[3].ready == ms(7));
  REQUIRE(trace.waits.size() == 1);
  CHECK(trace.waits[0].task == 3);
  CHECK(trace.waits[0].start == ms(7));
  CHECK(trace.marks.size() == 1);
}

TEST_CASE("ranks: a solve of all of them is one, from the first submission to the last end") {
  auto const trace = both();
  REQUIRE(trace.solves.size() == 1);
  CHECK(trace.solves[0].number == 4);
  CHECK(trace.solves[0].submitted == 0);
  CHECK(trace.solves[0].submission == ms(3));  // rank 1 begins 2.5 ms later
  CHECK(trace.solves[0].end == ms(12));
}

TEST_CASE("ranks: messages last from when they could go until they were there, and tasks wait for them") {
  auto const trace = both();
  REQUIRE(trace.messages.size() == 2);
  auto const& back = trace.messages[trace.messages[0].from == 0];
  auto const& there = trace.messages[trace.messages[0].from != 0];
  CHECK(there.to == 1);
  CHECK(there.start == ms(4));
  CHECK(there.end == ms(7));
  CHECK(back.to == 0);
  CHECK(back.start == ms(8.5));
  CHECK(back.end == ms(9));
  CHECK(back.solve == 4);
  CHECK(sent_bytes(trace) == 150);
  CHECK(trace.tasks[3].after == std::vector<std::size_t>{0});
  CHECK(trace.tasks[4].after == std::vector<std::size_t>{3});
  CHECK(summarise(trace).critical_path == ms(7));  // fft, scale, ifft
}

TEST_CASE("ranks: what P2P covers, rank by rank") {
  auto const overlap = overlap_of(both(), 4);
  CHECK(overlap.transforms.seconds == ms(4 + 2 + 1));
  CHECK(overlap.transforms.covered == ms(0.5));
  CHECK(overlap.messages.seconds == ms(2 * 3.5));
  CHECK(overlap.messages.covered == ms(3.5 + 3));
  CHECK(overlap.messages.share() == doctest::Approx(6.5 / 7));
  CHECK(overlap.either.seconds == ms(9.5 + 4.5));
  CHECK(overlap.either.covered == ms(3.5 + 3.5));
  CHECK(overlap.idle == ms(12 - (12.0 + 1 + 6) / 3));
  CHECK(overlap_of(both(), 5).idle == 0);
  CHECK(overlap_of(both(), 5).either.seconds == 0);
  CHECK(overlap_of(both(), 5).either.share() == 0);
}

TEST_CASE("ranks: parts that are missing, damaged or of another trace are refused") {
  CHECK(refusal(of_rank_1) == "(no error)");
  CHECK(contains(refusal(""), "trace.1.json: this is no whole trace"));
  CHECK(contains(refusal(of_rank_0), "the part of rank 0 of 2"));
  CHECK(contains(refusal(with(of_rank_1, "\"ranks\":2", "\"ranks\":3")), "belongs to another trace"));
  CHECK(contains(refusal(with(of_rank_1, "\"writer\":1", "\"writer\":2")), "a message names a task"));
  CHECK(contains(refusal(with(of_rank_1, "\"readers\":[1]", "\"readers\":[9]")), "a message names a task"));
}
