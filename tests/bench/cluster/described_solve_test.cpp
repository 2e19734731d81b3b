// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of a described solve is what its ranks do: their messages by the formula of docs/nodes.md, and task
// for task what each of them submits, that for which others wait first.
#include "bench/cluster/described_solve.hpp"
#include "core/math/constants.hpp"
#include "tests/mpi/ewald_volume.hpp"
#include "tests/tasks/leaving.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

using namespace nearfar;
using namespace nearfar::cluster;

namespace {

Description small(Kernel kernel, int ranks) {
  return {.kernel = kernel,
          .ranks = ranks,
          .points = 5000,
          .box = {4, 1, 1},
          .cutoff = 0.2,
          .split = 13,
          .window = 8,
          .grid = {162, 40, 42},
          .cells = {48, 13, 40},
          .blocks = {14, 2, 1},
          .slabs = 13,
          .columns = 9,
          .near_in_single = true,
          .mutual = true};
}

struct Counts {
  std::map<int, std::size_t> tasks;
  std::map<int, std::uint64_t> sent;
  std::uint64_t all = 0;

  explicit Counts(detail::Recording const& recording) {
    for (auto const& step : recording.steps()) {
      if (!step.stage.empty()) ++tasks[step.rank];
      else sent[step.rank] += step.bytes, all += step.bytes;
    }
  }
};

}  // namespace

TEST_CASE("recorded messages are those of the formula") {
  Runtime const runtime({.cpus = 1});
  for (int const ranks : {1, 2, 3, 8})
    for (bool const in_single : {true, false}) {
      Description d = small(Kernel::stokeslet, ranks);
      d.near_in_single = in_single;
      DescribedSolve solve(runtime.shared(), d);
      CHECK(Counts(solve.record()).all == test::ewald_bytes(solve.points(), {.kernel = d.kernel}, ranks, false));
    }
}

TEST_CASE("what is recorded of a rank is what it submits") {
  Runtime const runtime({.cpus = 1});
  Description const d = small(Kernel::stokes, 5);
  Counts counts(DescribedSolve(runtime.shared(), d).record());
  for (int rank = 0; rank < d.ranks; ++rank) {
    auto const part = DescribedSolve(runtime.shared(), d, rank).submit_part();
    CHECK(part.tasks == counts.tasks[rank]);
    CHECK(part.sent_bytes == counts.sent[rank]);
  }
}

TEST_CASE("GPUs read of each other's slabs and blocks what they need") {
  Runtime const runtime({.cpus = 1});
  Description d = small(Kernel::stokes, 4);
  d.points = 40000;
  d.grid = {160, 40, 42};
  d.cells = {48, 13, 10};
  d.blocks = {4, 1, 1};
  d.slabs = d.columns = 4;
  d.mutual = false;
  // Bytes of messages by what reads them first.
  auto const read_by = [&](bool on_gpus) {
    d.on_gpus = on_gpus;
    DescribedSolve solve(runtime.shared(), d);
    auto const recording = solve.record();
    auto const& steps = recording.steps();
    std::map<std::string, std::uint64_t> bytes;
    std::vector<bool> found(steps.size());
    for (auto const& step : steps)
      for (int const before : step.after)
        if (auto const& message = steps[std::size_t(before)];
            message.stage.empty() && message.to == step.rank && !step.stage.empty() && !found[std::size_t(before)])
          found[std::size_t(before)] = true, bytes[std::string(step.stage)] += message.bytes;
    return bytes;
  };
  auto whole = read_by(false), parts = read_by(true);
  // Each block of 12 layers of cells of 1/12 goes to two others: all of it, or three layers for a cutoff of 0.2.
  std::uint64_t const strengths = 9, packed = 20, points = 40000, stride = points / 4 + 16;
  CHECK(whole["p2p"] == doctest::Approx(8.0 * stride * packed * 4).epsilon(1e-2));
  CHECK(whole["p2g"] == doctest::Approx(8.0 * stride * strengths * 8).epsilon(1e-2));
  CHECK(whole.count("bin") == 0);
  CHECK(parts.count("p2p") == 0);
  CHECK(parts.count("p2g") == 0);
  CHECK(parts.count("g2p") == 0);
  // Windows of eight points reach four planes of 1/40 beyond a slab, and so two layers of cells.
  CHECK(parts["bin"] == doctest::Approx(8.0 * points / 48 * (3 * packed * 4 + 2 * strengths * 8)).epsilon(1e-2));
  CHECK(parts["scale"] == whole["scale"]);
}

TEST_CASE("steps wait for what they read, and end with merge") {
  Runtime const runtime({.cpus = 1});
  auto const recording = DescribedSolve(runtime.shared(), small(Kernel::stokes, 2)).record();
  auto const& steps = recording.steps();
  std::vector<bool> waited_for(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    bool made_here = !steps[i].stage.empty();
    for (int const before : steps[i].after) {
      REQUIRE(before < int(i));
      waited_for[std::size_t(before)] = true;
      auto const& other = steps[std::size_t(before)];
      bool const comes_here = other.to == steps[i].rank,
                 was_here = other.rank == steps[i].rank || other.rank == steps[i].to;
      CHECK((comes_here || was_here));
      if (!other.stage.empty() && other.rank == steps[i].rank) made_here = true;
    }
    CHECK(made_here);
  }
  for (std::size_t i = 0; i < steps.size(); ++i) CHECK((waited_for[i] || steps[i].stage == "merge"));
}

TEST_CASE("tasks whose output other ranks read go before others of their stage") {
  Runtime const runtime({.cpus = 1});
  auto const stages = test::expect_leaving_first(DescribedSolve(runtime.shared(), small(Kernel::stokes, 3)).record());
  for (char const* stage : {"bin", "ifft", "p2p", "merge"}) CHECK(stages.contains(stage));
}

TEST_CASE("a grid and points that would not fit into any machine") {
  Runtime const runtime({.cpus = 1});
  Description d = small(Kernel::stokes, 64);
  d.points = 2.56e8;
  d.grid = {23040, 360, 360};
  d.cells = {64 * 48, 48, 360};
  d.blocks = {64, 1, 1};
  d.slabs = d.columns = 64;
  d.cutoff = 0.02;
  d.split = 0.02 * 2 * pi<double> * 180;  // all modes along an axis, and so pi / 4 of the columns
  d.box = {64, 1, 1};
  auto const tile = 64 * 63 * std::uint64_t(4) * 16 * 360 * (pi<double> / 4 * 360 * 181 / 64.0);
  auto const recording = DescribedSolve(runtime.shared(), d).record();
  CHECK(Counts(recording).all > 2 * tile);  // there and back
  CHECK(std::ranges::count(recording.steps(), "scale", &detail::GraphStep::stage) == 64);
}
