// SPDX-License-Identifier: BSD-3-Clause
// What solves of the multipole method are predicted to take, with speeds that make that easy to say.
#include "tasks/fmm/prediction.hpp"

#include "tasks/fmm/plan.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace nearfar;

TEST_CASE("prediction: a sum of all pairs is predicted to take their number times the cost of a pair") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  constexpr std::size_t n = 50;
  std::vector<double> x, q(2 * n, 1), u(2 * n);
  for (std::size_t i = 0; i < 3 * n; ++i) x.push_back(double(i * i % 149) / 149);
  Machine machine{.cpus = 2};
  machine.speed.cpu[WorkRow::leaf_p2p] = 1e-8;
  auto const plan = std::make_shared<detail::FmmPlan<double>>(
      runtime.shared(), FmmOptions{.near_precision = NearPrecision::double_, .depth = 0}, machine);
  auto const points = plan->set_points(detail::OnHost<double>(x), detail::OnHost<double>({}), Targets::sources);
  double const expected = n * n * fmm_seconds(Kernel::laplace, {}, 1, machine).pair;
  CHECK(points->parameters().seconds == doctest::Approx(expected));
  auto const predicted = [&](std::size_t vectors) {
    std::span const strengths(q.data(), vectors * n), result(u.data(), vectors * n);
    return plan->submit({points, strengths, result}).report().predicted_seconds;
  };
  // It is one task, in which no second worker helps.
  CHECK(predicted(1) == doctest::Approx(expected));
  CHECK(predicted(2) == doctest::Approx(2 * expected));
}

TEST_CASE("prediction: the stages of the multipole method are a chain, level by level") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  std::vector<double> x;  // eight points in each of the 512 leaves
  for (int i = 0; i < 4096; ++i)
    for (int const at : {i / 256, i / 16 % 16, i % 16}) x.push_back(at);
  auto const plan =
      std::make_shared<detail::FmmPlan<double>>(runtime.shared(), FmmOptions{.depth = 3}, Machine{.cpus = 2});
  auto const points = plan->set_points(detail::OnHost<double>(x), detail::OnHost<double>({}), Targets::sources);
  detail::FmmTree const& tree = *points->tree();
  double up = 0, down = 0, leaves = 0;  // of the largest blocks
  for (int b = 0; b < tree.blocks(); ++b) {
    if (tree.has_multipole(b)) up = std::max(up, tree.lists(b).m2m.work);
    down = std::max(down, tree.lists(b).l2l.work);
    if (tree.block(b).of_leaves) leaves = std::max(leaves, double(tree.block(b).targets));
  }
  // A second per shift, and per target: 512 children to their parents and back, 4096 points.
  FmmSeconds const seconds{.pair = 0, .interaction = 0, .shift = 1, .source = 0, .target = 1, .m2p = 0, .p2l = 0};
  auto const one = detail::predict_fmm(tree, seconds, {.cpus = 1}),
             thousand = detail::predict_fmm(tree, seconds, {.cpus = 1000});
  CHECK(one.work == doctest::Approx(2 * 512 + 4096));
  CHECK(one.chain == doctest::Approx(one.work));
  CHECK(thousand.chain == doctest::Approx(up + down + leaves));
  // Messages make it longer, and P2P covers them.
  auto const late = detail::predict_fmm(tree, seconds, {.cpus = 1000, .communication = 500});
  CHECK(late.chain == doctest::Approx(thousand.chain + 500));
  CHECK(late.shared == doctest::Approx(thousand.shared));
  double const most = double(points->parameters().pairs);
  for (double communication : {0.5 * most, 2 * most}) {
    FmmSeconds const gpu{.pair = 1};
    auto const on_gpu = detail::predict_fmm(tree, {1, 0, 0, 0, 0, 0, 0},
                                            {.gpus = 1, .gpu = gpu, .on_gpu = true, .communication = communication});
    CHECK(on_gpu.chain == doctest::Approx(std::max(most, communication)));
    CHECK(detail::predict_fmm(tree, {1, 0, 0, 0, 0, 0, 0}, {.cpus = 1, .communication = communication}).chain ==
          doctest::Approx(std::max(most, communication)));
  }
  // P2P is no interaction of it.
  auto const pairs = detail::predict_fmm(tree, {1, 0, 0, 0, 0, 0, 0}, {.cpus = 1000});
  CHECK(pairs.work == doctest::Approx(double(points->parameters().pairs)));
  CHECK(pairs.chain < pairs.work);
  CHECK(pairs.last <= pairs.chain);
  CHECK(pairs.last >= pairs.work / tree.blocks());
}

TEST_CASE("plans: the same machine gives the same tree, and dear pairs a deeper one") {
  Runtime const runtime;
  std::vector<double> x;
  for (std::size_t i = 0; i < 30000; ++i) x.push_back(std::fmod(double(i) * 0.6180339887498949, 1));
  Machine machine;
  auto const parameters = [&] {
    return std::make_shared<detail::FmmPlan<double>>(runtime.shared(), FmmOptions{.capacity = 0}, machine)
        ->set_points(detail::OnHost<double>(x), detail::OnHost<double>({}), Targets::sources)
        ->parameters();
  };
  FmmPlanning const first = parameters(), again = parameters();
  CHECK(first.depth == again.depth);
  CHECK(first.blocks == again.blocks);
  CHECK(first.seconds == again.seconds);
  machine.speed.cpu[WorkRow::leaf_p2p] /= 100;
  CHECK(parameters().depth > first.depth);
}

TEST_CASE("prediction: with a GPU, a sum of all pairs is predicted to take what the GPU takes for it") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  constexpr std::size_t n = 50;
  std::vector<double> x;
  for (std::size_t i = 0; i < 3 * n; ++i) x.push_back(double(i * i % 149) / 149);
  Machine machine{.cpus = 2, .gpus = 1};
  machine.speed.cpu[WorkRow::leaf_p2p] = 1e-8;
  machine.speed.gpu[WorkRow::leaf_p2p] = 1e-5;
  auto const plan = std::make_shared<detail::FmmPlan<double>>(
      runtime.shared(), FmmOptions{.near_precision = NearPrecision::double_, .depth = 0}, machine);
  auto const points = plan->set_points(detail::OnHost<double>(x), detail::OnHost<double>({}), Targets::sources);
  double const pairs = n * n, on_gpu = gpu_start + gpu_task +
                                       pairs * fmm_seconds(Kernel::laplace, {}, 1, machine, WorkerKind::gpu).pair;
  CHECK(points->parameters().seconds == doctest::Approx(pairs * fmm_seconds(Kernel::laplace, {}, 1, machine).pair));
  CHECK(points->parameters().shared_seconds == doctest::Approx(on_gpu));
  std::vector<double> q(n, 1), u(n);
  double const predicted = plan->submit({points, q, u}).report().predicted_seconds;
  CHECK(predicted == doctest::Approx(on_gpu).epsilon(0.05));  // and submission
}

TEST_CASE("prediction: GPUs share the multipole method's stages, all workers begin with P2M") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  std::vector<double> x;  // eight points in each of the 512 leaves
  for (int i = 0; i < 4096; ++i)
    for (int const at : {i / 256, i / 16 % 16, i % 16}) x.push_back(at);
  Machine machine{.cpus = 2};
  machine.speed.cpu = Speeds(0.01);  // more blocks
  auto const plan = std::make_shared<detail::FmmPlan<double>>(runtime.shared(), FmmOptions{.depth = 3}, machine);
  auto const points = plan->set_points(detail::OnHost<double>(x), detail::OnHost<double>({}), Targets::sources);
  detail::FmmTree const& tree = *points->tree();
  double const interactions = double(points->parameters().translations), pairs = double(points->parameters().pairs);
  int leaves = 0;
  for (int b = 0; b < tree.blocks(); ++b) leaves += tree.block(b).of_leaves;
  REQUIRE(leaves > 10);
  using detail::FmmWorkers;
  auto const predict = [&](FmmSeconds const& cpu, FmmSeconds const& gpu, int gpus = 1, double task = 0) {
    return detail::predict_fmm(tree, cpu, FmmWorkers{.cpus = 4, .gpus = gpus, .gpu = gpu, .task = task});
  };
  // P2P alone: a task costs 7, a pair 1 on a CPU worker and 1e-6 on a GPU, which is then done before one task is here.
  auto const near = predict({.pair = 1}, {.pair = 1e-6}, 1, 7);
  CHECK(near.work == doctest::Approx(pairs));
  CHECK(near.shared == doctest::Approx(7 * leaves + 1e-6 * pairs));
  CHECK(predict({.pair = 1}, {.pair = 1e-6}, 2, 7).shared == doctest::Approx(near.shared / 2));
  CHECK(predict({.pair = 1}, {.pair = 1e-6}, 0, 7).shared == doctest::Approx(pairs / 4));
  // M2L alone, as dear on all five workers, in tasks that are a small part of it: shared evenly.
  auto const far = predict({.interaction = 1}, {.interaction = 1});
  CHECK(far.work == doctest::Approx(interactions));
  CHECK(far.shared == doctest::Approx(interactions / 5).epsilon(0.15));
  CHECK(far.shared > interactions / 5);  // each CPU worker leaves its last task to the GPU
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
