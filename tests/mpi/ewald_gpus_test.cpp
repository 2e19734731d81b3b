// SPDX-License-Identifier: BSD-3-Clause
// The graphs that GPUs of ranks run have the bits of the same plan in one process; CPUs stand for the GPUs.
#include "core/geometry/axes.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "tasks/ewald/plan.hpp"
#include "tests/mpi/ranks.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace nearfar;
using namespace nearfar::test;

namespace {

struct Case {
  EwaldOptions options;
  std::size_t points = 3000;
};

Case case_of(Kernel kernel, Periodicity periodicity, int gpus) {
  return {{.kernel = kernel,
           .periodicity = periodicity,
           .tolerance = 1e-3,
           .implementation = Implementation::portable,
           .cutoff = std::min(0.06, 0.3 / gpus)}};
}

Problem<double> points_of(Case const& c) {
  Problem<double> p(c.points, strength_components(c.options.kernel), 1);
  if (c.options.periodicity != Periodicity::xyz)
    for (double& x : p.x) x = 0.15 + 0.7 * x;
  return p;
}

/// The graph of one GPU for each rank, in which CPUs stand for them: here, or over all ranks. Rank 0's result.
std::vector<double> as_gpus(detail::Ranks const& ranks, Case const& c, EwaldPlanning const& parameters) {
  Problem<double> const in = points_of(c);
  std::vector<double> result(c.points * std::size_t(result_components(c.options.kernel, c.options.outputs)));
  auto const plan = std::make_shared<detail::EwaldPlan<double>>(runtime().shared(), c.options, parameters, ranks);
  auto const mine = [&](auto const& rows) { return ranks.several() ? given(rows) : std::span(rows); };
  auto const points =
      plan->set_points(detail::OnHost<double>(mine(in.x)), detail::OnHost<double>({}), Targets::sources);
  plan->submit({points, mine(in.f), ranks.several() ? taken(result) : std::span(result), Part::whole}).wait();
  return result;
}

/// Has blocks and slabs for so many GPUs, with what their neighbours read cut off.
EwaldPlanning shared_among(int gpus, Case const& c) {
  EwaldPlanning p = choose_parameters<double>(c.options, c.points, c.points);
  p.on_gpus = true;
  auto const axes = axes_of(c.options.periodicity);
  auto const along = static_cast<std::size_t>(axes[0]);
  p.cells[along] = std::max(p.cells[along], 3 * gpus);
  p.blocks = outside(axes, std::array{3 * gpus, 1, 1});
  p.slabs = 3 * gpus;
  p.columns = gpus;
  p.halo_cells = 1;
  p.halo_planes = 3;
  return p;
}

/// The same where ranks have several each: a block and a slab for each, of which parts are sent.
EwaldPlanning shared_whole(int gpus, Case const& c) {
  EwaldPlanning p = shared_among(gpus, c);
  auto const axes = axes_of(c.options.periodicity);
  auto const along = static_cast<std::size_t>(axes[0]);
  p.cells[along] = std::max(p.cells[along], 8 * gpus);
  p.blocks = outside(axes, std::array{gpus, 1, 1});
  p.slabs = gpus;
  p.halo_cells = p.halo_planes = 0;
  return p;
}

}  // namespace

TEST_CASE("the graph for a GPU on each rank: blocks and slabs with a halo") {
  for (Periodicity periodicity : {Periodicity::xyz, Periodicity::x, Periodicity::none}) {
    CAPTURE(name(periodicity));
    Case const c =
        case_of(periodicity == Periodicity::x ? Kernel::laplace : Kernel::stokes, periodicity, runtime().ranks());
    EwaldPlanning const parameters = shared_among(runtime().ranks(), c);
    auto const together = as_gpus(runtime().shared()->ranks(), c, parameters);
    auto const alone = as_gpus(detail::Ranks::one(), c, parameters);  // on all ranks: their data keep the same tags
    if (runtime().rank() > 0) continue;
    CHECK(together == alone);
    EwaldPlanning plain = choose_parameters<double>(c.options, c.points, c.points);
    plain.cells = parameters.cells;  // they say where the grid begins
    auto const cut_otherwise = as_gpus(detail::Ranks::one(), c, plain);
    double difference = 0, all = 0;
    for (std::size_t i = 0; i < together.size(); ++i) {
      difference += std::pow(together[i] - cut_otherwise[i], 2);
      all += std::pow(cut_otherwise[i], 2);
    }
    CHECK(difference < 1e-24 * all);
  }
}

TEST_CASE("the graph for several GPUs on each rank: of blocks and slabs, what neighbours read is sent") {
  int const gpus = 2 * runtime().ranks();
  for (Periodicity periodicity : {Periodicity::xyz, Periodicity::none}) {
    CAPTURE(name(periodicity));
    Case const c = case_of(Kernel::stokes, periodicity, gpus);
    EwaldPlanning const parameters = shared_whole(gpus, c);
    auto const together = as_gpus(runtime().shared()->ranks(), c, parameters);
    auto const alone = as_gpus(detail::Ranks::one(), c, parameters);
    if (runtime().rank() == 0) CHECK(together == alone);
  }
}
