// SPDX-License-Identifier: BSD-3-Clause
// What a solve whose stages all run on GPUs of several ranks is predicted to take.
#include "tasks/ewald/prediction.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/ewald/wire.hpp"

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
    double const wire = wire_seconds(predict_wire(options, p, double(count), machine), machine);
    CHECK(wire == doctest::Approx(share * near));
    CHECK(seconds(Part::near) == doctest::Approx(near));
    CHECK(seconds(Part::far) == doctest::Approx(far + wire));
    CHECK(seconds(Part::whole) == doctest::Approx(far + std::max(near, wire)));
  }
}
