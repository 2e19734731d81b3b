// SPDX-License-Identifier: BSD-3-Clause
// What a solve whose stages all run on GPUs of several ranks is predicted to take.
#include "tasks/ewald/prediction.hpp"
#include "core/plan/constants.hpp"
#include "core/plan/ewald/communication.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/ewald/work.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace nearfar;
using namespace nearfar::detail;

TEST_CASE("prediction: on GPUs of several ranks the near part covers messages, up to its own length") {
  constexpr std::size_t count = 20'000;
  EwaldOptions const options{.kernel = Kernel::stokeslet, .tolerance = 1e-4};
  Machine machine = default_machine<double>();
  machine.cpus = machine.gpus = 2;
  machine.all_stages = true;
  EwaldPlanning const p = choose_parameters<double>(options, count, count, {}, machine);
  REQUIRE(p.on_gpus);
  Runtime const runtime;
  auto const setup = std::make_shared<EwaldSetup<double>>(options, p);
  std::vector<BlockSize> sizes(std::size_t(setup->cells.block_count()));
  sizes.front() = {count, 1};
  auto const points = std::make_shared<PointSet<double>>(runtime.shared(), setup, sizes, 100);
  auto const seconds = [&](Part part) { return predicted_seconds(machine, options, *setup, *points, part); };
  double const near = p.near_gpu_seconds / 2, far = p.far_gpu_seconds / 2;
  CHECK(seconds(Part::whole) == doctest::Approx(near + far));
  machine.ranks = 2;
  for (double share : {0.5, 3.0}) {  // of the near part, that messages are under way
    machine.network = {share * near / 5, 0};
    double const communication =
        communication_seconds(predict_communication(options, p, double(count), machine), machine);
    CHECK(communication == doctest::Approx(share * near));
    CHECK(seconds(Part::near) == doctest::Approx(near));
    CHECK(seconds(Part::far) == doctest::Approx(far + communication));
    CHECK(seconds(Part::whole) == doctest::Approx(far + std::max(near, communication)));
  }
}

TEST_CASE("prediction: solves on one GPU are predicted to take what they took on an H200, within 30 %") {
  // Potential and gradient of so many charges in its memory, 16 cores, `nearfar-bench steps ewald --gpus 1`.
  struct Measured {
    double count, tolerance, seconds;
  };
  Machine machine = default_machine<double>();
  machine.cpus = 15;
  machine.gpus = 1;
  machine.all_stages = true;
  for (auto const& [count, tolerance, seconds] :
       {Measured{1e4, 1e-6, 3.04e-4}, Measured{1e5, 1e-6, 8.13e-4}, Measured{3e5, 1e-6, 2.07e-3},
        Measured{1e6, 1e-6, 6.56e-3}, Measured{3e6, 1e-6, 17.4e-3}, Measured{4e6, 1e-6, 22.1e-3},
        Measured{1e7, 1e-6, 57.9e-3}}) {
    CAPTURE(count);
    EwaldOptions const options{
        .kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .tolerance = tolerance};
    EwaldPlanning const p = choose_parameters<double>(options, std::size_t(count), std::size_t(count), {}, machine);
    REQUIRE(p.on_gpus);
    double const as_tasks = p.far_gpu_seconds + p.near_gpu_seconds;
    double const predicted =
        gpu_constants.review +
        (count <= 3e5 ? chain_seconds(as_tasks, 1 + far_gpu_stages, gpu_task, 0, gpu_constants.chain) : as_tasks);
    CHECK(predicted > 0.7 * seconds);
    CHECK(predicted < 1.3 * seconds);
  }
}
