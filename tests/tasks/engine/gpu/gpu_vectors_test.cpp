// SPDX-License-Identifier: BSD-3-Clause
// Several vectors of strengths in one Ewald solve on a GPU.
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/problem.hpp"

#include <nearfar/ewald.hpp>
#include <nearfar/runtime.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace nearfar;
using namespace nearfar::test;

TEST_CASE("several vectors on a GPU have the bits that each has alone, with and without further outputs") {
  if (DeviceMemory::devices() == 0) return;
  constexpr std::size_t count = 20000, vectors = 3;
  Runtime const runtime({.cpus = 1, .gpus = 1});
  for (auto const kernel : {Kernel::stokeslet, Kernel::rotlet, Kernel::dipole, Kernel::laplace})
    for (bool const further : {false, true}) {
      CAPTURE(name(kernel));
      CAPTURE(further);
      EwaldOptions options{.kernel = kernel};
      options.vectors = int(vectors);
      if (further) options.outputs = outputs_of(kernel);
      Ewald plan(runtime, options);
      std::size_t const strengths = std::size_t(strength_components(kernel)),
                        results = std::size_t(result_components(kernel, options.outputs));
      Problem<double> const p(count, int(strengths * vectors));
      auto const points = plan.set_points(p.x);
      std::vector<double> found(count * results * vectors);
      plan.submit(points, p.f, found).wait();
      for (std::size_t v = 0; v < vectors; ++v) {
        std::vector<double> one, alone(count * results), column;
        for (std::size_t i = 0; i < count * strengths; ++i)
          one.push_back(p.f[(i / strengths * vectors + v) * strengths + i % strengths]);
        plan.submit(points, one, alone).wait();
        for (std::size_t i = 0; i < count * results; ++i)
          column.push_back(found[(i / results * vectors + v) * results + i % results]);
        CHECK(column == alone);
      }
    }
}
