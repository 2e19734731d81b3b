// SPDX-License-Identifier: BSD-3-Clause
// A cell that changes, on a GPU that runs all stages: sums are those of CPUs and of new plans.
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/motion.hpp"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <vector>

using namespace nearfar;
using namespace nearfar::test;

namespace {

using Rows = std::array<std::array<double, 3>, 3>;
using Numbers = std::vector<double>;

constexpr double tolerance = 1e-7;
constexpr std::size_t count = 30000;  // the GPU runs all stages of so many
constexpr double tilts[] = {0, 0.01, 0.02, 0.3, 0.5, 0.75, 1.01};

Rows sheared(double tilt, Periodicity periodicity) {
  Rows rows{{{1, 0, 0}, {tilt, 1, 0}, {0, 0, 1}}};
  if (periodicity == Periodicity::xy) rows[2] = {};
  return rows;
}

struct Sums {
  Numbers field;
  double virial = 0;  ///< xy
};

Sums at(Ewald& plan, Points const& points, Numbers const& f) {
  auto const& options = plan.options();
  Sums sums{Numbers(points.targets() * std::size_t(result_components(options.kernel, options.outputs)))};
  auto solve = plan.submit(points, f, sums.field);
  solve.wait();
  if (options.virial) sums.virial = solve.report().virial.value()[3];
  return sums;
}

EwaldOptions options_for(Kernel kernel, Periodicity periodicity) {
  EwaldOptions options{.kernel = kernel, .periodicity = periodicity};
  options.tolerance = tolerance;
  options.outputs = kernel == Kernel::laplace ? Output::potential | Output::gradient : Outputs(Output::velocity);
  options.virial = kernel == Kernel::laplace;
  return options;
}

/// Sums of all steps, one plan for them all.
std::vector<Sums> steps(Runtime const& runtime, EwaldOptions const& options, Problem<double> const& p) {
  Ewald plan(runtime, options);
  auto points = plan.set_points(p.x);
  std::vector<Sums> all;
  for (double const tilt : tilts) {
    points = plan.set_cell(points, sheared(tilt, options.periodicity));
    all.push_back(at(plan, points, p.f));
  }
  return all;
}

}  // namespace

TEST_CASE("a cell that is sheared, on a GPU: the sums of CPUs, and of new plans on the GPU") {
  if (DeviceMemory::devices() == 0) return;  // another test case says that it is skipped
  for (Kernel const kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::laplace})
    for (Periodicity const periodicity : {Periodicity::xyz, Periodicity::xy}) {
      CAPTURE(name(kernel));
      CAPTURE(name(periodicity));
      EwaldOptions const options = options_for(kernel, periodicity);
      auto const p = inside_unit_box(count, strength_components(kernel));
      std::vector<Sums> const on_cpus = steps(Runtime({.cpus = 2, .gpus = 0}), options, p);
      Runtime const runtime({.cpus = 2, .gpus = 1});
      std::vector<Sums> const on_gpu = steps(runtime, options, p);
      for (std::size_t i = 0; i < std::size(tilts); ++i) {
        CAPTURE(tilts[i]);
        CHECK(relative_difference(on_gpu[i].field, on_cpus[i].field) < 2 * tolerance);
        CHECK(on_gpu[i].virial == doctest::Approx(on_cpus[i].virial).epsilon(1e-5));
        EwaldOptions of_cell = options;
        of_cell.cell = sheared(tilts[i], periodicity);
        Ewald plan(runtime, of_cell);
        CHECK(relative_difference(on_gpu[i].field, at(plan, plan.set_points(p.x), p.f).field) < 2 * tolerance);
      }
    }
}

TEST_CASE("a cell that is sheared, on a GPU: points in its memory, moved in every step, and the same bits again") {
  if (DeviceMemory::devices() == 0) return;
  Runtime const runtime({.cpus = 2, .gpus = 1});
  auto const p = inside_unit_box(count, 3);
  DeviceMemory memory(sizeof(double) * p.x.size());
  std::span<double const> const on_device(reinterpret_cast<double const*>(memory.data()), p.x.size());
  EwaldOptions const options = options_for(Kernel::stokeslet, Periodicity::xyz);
  Ewald plan(runtime, options), of_host(runtime, options);
  auto const place = [&](double tilt) {
    Numbers x = p.x;
    for (std::size_t i = 0; i < x.size(); i += 3) x[i] += tilt * x[i + 1];
    memory.upload(0, x.data(), sizeof(double) * x.size());
    return x;
  };
  Numbers x = place(0);
  auto points = plan.set_points(on_device), others = of_host.set_points(x);
  std::vector<Numbers> found;
  for (double const tilt : {0.1, 0.099, 0.098, 0.1}) {
    CAPTURE(tilt);
    x = place(tilt);
    plan.set_cell(sheared(tilt, Periodicity::xyz));
    points = plan.move_points(points, on_device);
    of_host.set_cell(sheared(tilt, Periodicity::xyz));
    others = of_host.move_points(others, x);
    found.push_back(at(plan, points, p.f).field);
    CHECK(relative_difference(found.back(), at(of_host, others, p.f).field) < 2 * tolerance);
  }
  CHECK(found.back() == found.front());
}
