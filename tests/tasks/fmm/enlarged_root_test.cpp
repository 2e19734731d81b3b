// SPDX-License-Identifier: BSD-3-Clause
// Trees as GPUs make them, in a root other than that in which points were sorted first.
#include "tasks/fmm/gpu/gpu_tree.hpp"
#include "tests/tasks/problem.hpp"

#include <nearfar/runtime.hpp>

#include <doctest/doctest.h>

using namespace nearfar;
using namespace nearfar::detail;
using test::Problem;

TEST_CASE("a tree in an enlarged root has more boxes on a level than in the least one, and all of them") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  std::vector<double> x = Problem<>(5000, 1).x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.24 * x[i] + (i < x.size() / 2 ? 0.0 : 0.76);
  FmmOptions const options{.tolerance = 1e-3};
  GpuTree<double> made(runtime.shared(), x, {}), alone(runtime.shared(), x, {});
  auto const least = root_in<double>(options, made.extent());
  REQUIRE(least);
  auto const in = [&](FmmRoot const& root) {
    PointsInRoot<double> const points(options, root, x, "source");
    return GivenToGpu<double>{points, points};
  };
  made.sort(in(*least), 16, 4);
  for (double const factor : {8.0 / 7, 8.0 / 6, 8.0 / 5}) {
    CAPTURE(factor);
    FmmRoot const root = stretched(*least, factor);
    TreeShape shape = in(root).sources.shape();
    shape.centre = root.centre;
    shape.depth = 4;
    shape.separation = 1;
    made.begin(in(root), 16, shape, shape.depth);
    alone.sort(in(root), 16, 4);
    CHECK(made.boxes(shape) == alone.boxes(shape));
    CHECK(made.pairs_in_leaves(shape) == alone.pairs_in_leaves(shape));
    made.sort(in(*least), 16, 4);
  }
}
