// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm_gpu_rates.hpp"

#include "tasks/fmm_plan.hpp"
#include "tasks/fmm_prediction.hpp"
#include "tasks/fmm_sample.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <deque>
#include <vector>

using namespace nearfar;

TEST_CASE("rates: with a GPU, a sum of all pairs is predicted to take what the GPU takes for it") {
  setenv("NEARFAR_RATES", "default", 1);
  Runtime const runtime({.cpus = 2, .gpus = 0});
  constexpr std::size_t n = 50;
  std::vector<double> x;
  for (std::size_t i = 0; i < 3 * n; ++i) x.push_back(double(i * i % 149) / 149);
  FmmMachine machine{default_fmm_rates<double>(), 2, 1};
  machine.rates.pair = 1e-3;
  machine.gpu.pair = 1e-6;
  machine.gpu.task = 1e-2;
  auto const plan = std::make_shared<detail::FmmPlan<double>>(runtime.shared(), FmmOptions{.depth = 0}, machine);
  auto const points = plan->set_points(x, {}, true);
  double const flops = n * n * fmm_flops(Kernel::laplace, false, 1).pair;
  CHECK(points->parameters().seconds == doctest::Approx(1e-3 * flops));
  CHECK(points->parameters().shared_seconds == doctest::Approx(1e-2 + 1e-6 * flops));
  std::vector<double> q(n, 1), u(n);
  double const predicted =
      plan->submit(points, std::span<double const>(q), std::span<double>(u)).report().predicted_seconds;
  CHECK(predicted == doctest::Approx(1e-2 + 1e-6 * flops).epsilon(0.02));  // and submission
}

TEST_CASE("rates: GPUs share the multipole method's stages, all workers begin with P2M") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  std::vector<double> x;  // eight points in each of the 512 leaves
  for (int i = 0; i < 4096; ++i)
    for (int const at : {i / 256, i / 16 % 16, i % 16}) x.push_back(at);
  FmmMachine machine{default_fmm_rates<double>(), 2};
  machine.rates.pair *= 100;  // more blocks
  machine.rates.translation *= 100;
  auto const plan = std::make_shared<detail::FmmPlan<double>>(runtime.shared(), FmmOptions{.depth = 3}, machine);
  auto const points = plan->set_points(x, {}, true);
  detail::FmmTree const& tree = *points->tree();
  double const links = double(points->parameters().translations), pairs = double(points->parameters().pairs);
  int leaves = 0;
  for (int b = 0; b < tree.blocks(); ++b) leaves += tree.block(b).leaves;
  REQUIRE(leaves > 10);
  using detail::FmmWorkers;
  auto const predict = [&](FmmSeconds const& cpu, FmmGpuSeconds const& gpu, int gpus = 1) {
    return detail::predict_fmm(tree, cpu, FmmWorkers{4, gpus, gpu});
  };
  // P2P alone: a task costs 7, a pair 1 on a CPU worker and 1e-6 on a GPU, which is then done before one task is here.
  auto const near = predict({.pair = 1}, {.pair = 1e-6, .task = 7});
  CHECK(near.work == doctest::Approx(pairs));
  CHECK(near.shared == doctest::Approx(7 * leaves + 1e-6 * pairs));
  CHECK(predict({.pair = 1}, {.pair = 1e-6, .task = 7}, 2).shared == doctest::Approx(near.shared / 2));
  CHECK(predict({.pair = 1}, {.pair = 1e-6, .task = 7}, 0).shared == doctest::Approx(pairs / 4));
  // M2L alone, as dear on all five workers, in tasks that are a small part of it: shared evenly.
  auto const far = predict({.link = 1}, {.link = 1});
  CHECK(far.work == doctest::Approx(links));
  CHECK(far.shared == doctest::Approx(links / 5).epsilon(0.15));
  CHECK(far.shared > links / 5);  // each CPU worker leaves its last task to the GPU
  CHECK(far.chain >= far.shared);
  // P2M and L2P: 4096 points each; what bin and merge take of it only CPU workers do.
  FmmSeconds const ends{.source = 3, .target = 3, .particle = 1};
  auto const up = predict(ends, {.source = 2, .target = 2});
  CHECK(up.work == doctest::Approx(6 * 4096));
  // bin, and P2M on four CPU workers and a GPU that each take 2; then L2P and merge, shared by all.
  double const begin = 4096 / 4.0 + 4096 * 2 / 5.0, rest = 4096 * 3 / 5.0;
  CHECK(up.shared == doctest::Approx(begin + rest).epsilon(0.1));
  CHECK(up.shared > begin + rest);
  CHECK(up.chain == doctest::Approx(begin + 4096 / 4.0 + 4096 * 2 / 5.0).epsilon(0.1));
}

TEST_CASE("rates: a worker is occupied by a task from when it could begin with it") {
  std::deque<detail::TaskRecord> tasks(5);
  auto const set = [&](std::size_t i, char const* stage, int worker, double ready, double end, double flops) {
    tasks[i].stage = stage;
    tasks[i].worker = worker;
    tasks[i].ready = ready;
    tasks[i].start = end - 1;
    tasks[i].end = end;
    tasks[i].flops = flops;
  };
  set(0, "m2l", 3, 10, 30, 5);
  set(1, "p2p", 3, 5, 70, 7);  // after that: 40
  set(2, "p2p", 2, 0, 90, 100);
  set(3, "p2p", 3, 80, 95, 8);   // the worker had waited for it: 15
  set(4, "l2p", 3, 80, 100, 1);  // 5
  auto const p2p = detail::occupied(tasks, 3, {"p2p"});
  CHECK(p2p.seconds == doctest::Approx(55e-6));
  CHECK(p2p.flops == 15);
  CHECK(p2p.tasks == 2);
  auto const others = detail::occupied(tasks, 3, {"m2l", "l2p"});
  CHECK(others.seconds == doctest::Approx(25e-6));
  CHECK(others.tasks == 2);
  CHECK(detail::occupied(tasks, 1, {"p2p"}).tasks == 0);
  CHECK(detail::start_seconds(tasks, 3, "m2l") == 0);  // none to compare with
  CHECK(detail::start_seconds(tasks, 3, "p2p") == 0);  // not the first
  tasks[4].stage = "m2l";
  CHECK(detail::start_seconds(tasks, 3, "m2l") == doctest::Approx(15e-6));  // 20, and 5
}

TEST_CASE("rates: the fit of a GPU's multipole stages finds what its times were made of") {
  FmmGpuRates const truth{.pair = 1e-13,
                          .low_link = 1e-9,
                          .middle_link = 4e-9,
                          .high_link = 4e-8,
                          .shift = 7e-12,
                          .high_shift = 9e-12,
                          .source = 1e-12,
                          .high_source = 5e-12,
                          .target = 3e-13,
                          .task = 3e-5,
                          .short_task = 1e-5,
                          .start = 3e-4};
  auto const time = [&](double pairs, double links, double link, double shift, double source, double points) {
    int const tasks = 40;
    auto const of = [&](double flops, double rate, double task) {
      return detail::Occupied{flops * rate + task * tasks, flops, tasks};
    };
    detail::FmmGpuTime t{of(pairs, truth.pair, truth.task),
                         {links * link + truth.task * tasks, 1, tasks},
                         of(5e8, shift, truth.short_task),
                         of(points, source, truth.short_task),
                         of(2 * points, truth.target, truth.short_task),
                         truth.start};
    t.link_count = links;
    return t;
  };
  auto const found =
      detail::fit_fmm_gpu_rates(time(7e9, 6e6, truth.low_link, truth.shift, truth.source, 2e8),
                                time(7e9, 6e6, truth.middle_link, truth.shift, truth.source, 1e9),
                                time(5e10, 6e5, truth.high_link, truth.high_shift, truth.high_source, 3e9));
  for (auto const rate :
       {&FmmGpuRates::pair, &FmmGpuRates::low_link, &FmmGpuRates::middle_link, &FmmGpuRates::high_link,
        &FmmGpuRates::shift, &FmmGpuRates::high_shift, &FmmGpuRates::source, &FmmGpuRates::high_source,
        &FmmGpuRates::target, &FmmGpuRates::task, &FmmGpuRates::short_task, &FmmGpuRates::start})
    CHECK(found.*rate / truth.*rate == doctest::Approx(1));
}

TEST_CASE("rates: the worker of a trial runs all that it has a body of, under every scheduler") {
  for (char const* scheduler : {"lws", "overlap", "heteroprio", "dmdas"}) {
    CAPTURE(scheduler);
    Runtime const runtime({.scheduler = scheduler, .cpus = 2, .gpus = 0});
    detail::FmmSample<double> sample(runtime.shared(), {.gradient = true, .order = 4, .depth = 3}, 1, 2000);
    for (unsigned worker : {0U, 1U}) {
      Solve const solve = sample.solve(detail::Trial{worker});
      auto const& tasks = solve.state()->tasks();
      CHECK(detail::occupied(tasks, int(worker), {"p2p", "m2l", "bin", "merge"}).tasks > 4);
      CHECK(detail::occupied(tasks, 1 - int(worker), {"p2p", "m2l", "bin", "merge"}).tasks == 0);
    }
  }
}

TEST_CASE("rates: the multipole stages on one worker, as on a GPU") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  FmmGpuRates const r = detail::measure_fmm_gpu<double>(runtime.shared(), 1, 10000, 4);
  for (double rate : {r.pair, r.shift, r.high_shift, r.source, r.high_source, r.target}) {
    CHECK(rate > 1e-14);
    CHECK(rate < 1e-8);
  }
  CHECK(r.low_link > 0);
  CHECK(r.low_link < r.middle_link);
  CHECK(r.middle_link < r.high_link);
  CHECK(r.task > 0);
  CHECK(r.short_task > 0);
}
