// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/solve.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace nearfar;

namespace {

constexpr Kernel kernels[] = {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace};
constexpr double tolerance = 1e-9;

}  // namespace

TEST_CASE("ewald: two cells side by side") {
  Runtime const runtime;
  for (Kernel kernel : kernels) {
    auto const one = random_system(kernel, {1, 1.2, .9}, 1500, 200, 11);
    // With zero face flux, the field of sources that are not balanced depends on the cell.
    EwaldOptions options{.tolerance = tolerance};
    if (kernel == Kernel::stresslet || kernel == Kernel::stokes) options.zero_mode = ZeroMode::zero_mean_flow;
    auto const u = solve_whole(runtime, one, options);
    for (int d = 0; d < 3; ++d) {
      System two = one;
      two.box[d] *= 2;
      for (std::size_t i = 0; i < one.sources.size(); ++i)
        two.sources.push_back(one.sources[i] + (int(i % 3) == d ? one.box[d] : 0));
      two.strengths.insert(two.strengths.end(), one.strengths.begin(), one.strengths.end());
      check_error("two cells along " + std::to_string(d), one, solve_whole(runtime, two, options), u, 2 * tolerance);
    }
  }
}

TEST_CASE("ewald: all points moved, out of the cell too") {
  Runtime const runtime;
  for (Kernel kernel : kernels) {
    auto const here = random_system(kernel, {1, 1.2, .9}, 1500, 200, 12, false);
    auto const u = solve_whole(runtime, here, {.tolerance = tolerance});
    for (auto const& shift : {std::array{.37, .12, .81}, {-3.0, 2.4, 9.0}, {-.2, 7.7, -5.3}}) {
      System there = here;
      for (auto* points : {&there.sources, &there.targets})
        for (std::size_t i = 0; i < points->size(); ++i) (*points)[i] += shift[i % 3];
      check_error("moved", here, solve_whole(runtime, there, {.tolerance = tolerance}), u, 2 * tolerance);
    }
  }
}

TEST_CASE("ewald: reciprocity") {
  // g . S f = f . S g holds for the sum as computed, to rounding and whatever the tolerance, because spreading and
  // gathering use the same window.
  Runtime const runtime;
  for (Split split : {Split::pswf, Split::gaussian}) {
    auto const f = random_system(Kernel::stokeslet, {1, 1.2, .9}, 1500, 1500, 13);
    System g = f;
    g.strengths = random_strengths(Kernel::stokeslet, 1500, 14);
    auto const sf = solve_whole(runtime, f, {.tolerance = 1e-4, .split = split});
    auto const sg = solve_whole(runtime, g, {.tolerance = 1e-4, .split = split});
    double forth = 0, back = 0, size = 0;
    for (std::size_t i = 0; i < sf.size(); ++i) {
      forth += g.strengths[i] * sf[i];
      back += f.strengths[i] * sg[i];
      size += std::abs(g.strengths[i] * sf[i]);
    }
    CAPTURE(forth);
    CHECK(std::abs(forth - back) < 1e-12 * size);
  }
}

TEST_CASE("ewald: near and far part add up to the whole") {
  Runtime const runtime;
  for (Kernel kernel : kernels) {
    auto const system = random_system(kernel, {1, 1, 1}, 2000, 300, 15);
    Ewald ewald(runtime, {.kernel = kernel, .outputs = system.outputs(), .tolerance = tolerance, .count = 2000});
    auto const points = ewald.set_points(system.sources, system.targets);
    std::vector<double> whole(300 * oracle::result_row(kernel, system.gradient())), near(whole), sum(whole);
    ewald.submit(points, system.strengths, whole).wait();
    ewald.submit(points, system.strengths, near, Part::near).wait();
    ewald.submit(points, system.strengths, sum, Part::far).wait();
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += near[i];
    check_error("near + far", system, sum, whole, 1e-14);
    auto const exact = whole_reference(system);
    auto far = far_reference(system, exact, Split::pswf, ewald.parameters());
    for (std::size_t i = 0; i < far.size(); ++i) far[i] = exact[i] - far[i];
    check_error("near", system, near, far, tolerance);
  }
}

TEST_CASE("ewald: targets that are the sources, by one set of points or two") {
  Runtime const runtime;
  for (Kernel kernel : kernels) {
    auto const system = random_system(kernel, {1, 1, 1}, 2000, 2000, 16);
    Ewald ewald(runtime, {.kernel = kernel, .outputs = system.outputs(), .tolerance = tolerance, .count = 2000});
    std::vector<double> one(2000 * oracle::result_row(kernel, system.gradient())), two(one);
    ewald.submit(ewald.set_points(system.sources), system.strengths, one).wait();
    ewald.submit(ewald.set_points(system.sources, system.targets), system.strengths, two).wait();
    check_error("one set", system, one, whole_reference(system), tolerance);
    check_error("two sets", system, two, one, 1e-13);
  }
}
