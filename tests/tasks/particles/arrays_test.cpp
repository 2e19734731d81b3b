// SPDX-License-Identifier: BSD-3-Clause
// Rows in several arrays have the bits of one array, on CPUs and in the form that GPUs run, in which CPUs stand for
// several GPUs that send each other packed strengths and results.
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/machine.hpp"
#include "tasks/ewald/block_owners.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/fmm/plan.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

using namespace nearfar;
using test::Problem;

namespace {

/// The numbers in arrays with so many rows each, in memory of their own; the last has the rest.
template <class T>
class InArrays {
 public:
  InArrays(std::vector<T> const& whole, std::size_t row, std::vector<std::size_t> const& counts) {
    std::size_t first = 0;
    for (std::size_t const count : counts) {
      std::size_t const last = std::min(whole.size(), first + count * row);
      parts_.emplace_back(whole.begin() + std::ptrdiff_t(first), whole.begin() + std::ptrdiff_t(last));
      first = last;
    }
    parts_.emplace_back(whole.begin() + std::ptrdiff_t(first), whole.end());
  }

  Arrays<T const> in() const { return Arrays<T const>({parts_.begin(), parts_.end()}); }
  Arrays<T> out() { return Arrays<T>({parts_.begin(), parts_.end()}); }
  std::vector<T> joined() const {
    std::vector<T> all;
    for (auto const& part : parts_) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

 private:
  std::vector<std::vector<T>> parts_;
};

using Counts = std::vector<std::size_t>;

/// Through the public interface; positions, strengths and results are cut differently, one array is empty.
template <class T, class Plan>
void expect_same_bits(Plan plan, int vectors, bool own_targets) {
  constexpr std::size_t sources = 3000, targets = 700;
  auto const& o = plan.options();
  auto const strengths = std::size_t(vectors * strength_components(o.kernel)),
             results = std::size_t(vectors * result_components(o.kernel, o.outputs));
  Problem<T> const p(sources, int(strengths)), q(targets, 1, 2);
  auto const& y = own_targets ? q.x : p.x;
  std::vector<T> one(y.size() / 3 * results), moved = one;
  auto const whole = own_targets ? plan.set_points(p.x, y) : plan.set_points(p.x);
  plan.submit(whole, p.f, one).wait();
  InArrays<T> const x(p.x, 3, {1000, 0, 900}), f(p.f, strengths, {10, 2000}), at(y, 3, {300});
  InArrays<T> u(std::vector<T>(one.size(), T(-1)), results, {200, 250}), v = u;
  auto const points = own_targets ? plan.set_points(x.in(), at.in()) : plan.set_points(x.in());
  plan.submit(points, f.in(), u.out()).wait();
  CHECK(u.joined() == one);
  auto const later = own_targets ? plan.move_points(points, x.in(), at.in()) : plan.move_points(points, x.in());
  auto const later_whole = own_targets ? plan.move_points(whole, p.x, y) : plan.move_points(whole, p.x);
  plan.submit(later, Arrays<T const>({p.f}), v.out()).wait();
  plan.submit(later_whole, p.f, moved).wait();
  CHECK(v.joined() == moved);
}

/// The graph of so many GPUs, for which CPUs stand.
struct AsGpus {
  EwaldOptions options;
  std::shared_ptr<detail::EwaldPlan<double>> plan;
  std::shared_ptr<detail::PointSet<double>> points;

  AsGpus(Runtime const& runtime, Kernel kernel, int gpus, std::vector<double> const& x, bool on_gpus = true)
      : options{.kernel = kernel,
                .outputs = outputs_of(kernel),
                .tolerance = 1e-4,
                .implementation = Implementation::portable,
                .cutoff = 0.15} {
    EwaldPlanning p = choose_parameters<double>(options, x.size() / 3, x.size() / 3);
    p.blocks = {gpus, 1, 1};
    p.slabs = p.columns = gpus;
    p.on_gpus = on_gpus;
    plan = std::make_shared<detail::EwaldPlan<double>>(runtime.shared(), options, p);
    points = plan->set_points(detail::OnHost<double>(x), detail::OnHost<double>({}), Targets::sources);
  }
};

/// The points of such a plan, sorted by tasks as GPUs sort them, from the same arrays; each found to go where rows of
/// these go.
std::shared_ptr<detail::PointSet<double>> sorted_by_tasks(Runtime const& runtime, AsGpus const& as_gpus,
                                                          detail::GivenArrays<double const> const& x) {
  auto const& like = *as_gpus.points;
  auto& setup = like.setup();
  int const gpus = setup.owners().count;
  auto const sorting = std::make_shared<detail::GpuCellSort<double>>(
      runtime.shared(), like.frame(), x, detail::SortManner{"source", setup.zero_face_flux, true, gpus}, nullptr);
  detail::OnHost<double> const sources(x), none({});
  auto const points = std::make_shared<detail::PointSet<double>>(
      runtime.shared(), as_gpus.plan.get(), like.shared_setup(), like.frame(), sources, none, Targets::sources,
      setup.zero_face_flux, true, setup.rooms, gpus, sorting);
  points->set_owners(detail::block_owners(setup, *points));
  detail::Ranks const& ranks = detail::Ranks::one();
  points->set_parts(ranks.parts(x.size() / 3), ranks.parts(0), ranks);
  points->set_placement(like.placement());
  points->set_arrangement(like.arrangement());
  points->set_given_cell(like.given_cell());
  auto const stretches = detail::cut_for_gpus(x, 3, points->gpus(), "sources are");
  points->find_routes(stretches, stretches);
  return points;
}

}  // namespace

TEST_CASE("several arrays have the bits of one: Ewald sums") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  expect_same_bits<double>(Ewald(runtime, {.kernel = Kernel::stokes, .tolerance = 1e-4}), 1, false);
  expect_same_bits<double>(Ewald(runtime, {.kernel = Kernel::laplace, .tolerance = 1e-4}), 2, true);
  expect_same_bits<float>(EwaldSingle(runtime, {.kernel = Kernel::stokeslet, .tolerance = 1e-3}), 1, false);
}

TEST_CASE("several arrays have the bits of one: multipoles") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  expect_same_bits<double>(Fmm(runtime, {.kernel = Kernel::laplace, .tolerance = 1e-4}), 2, true);
  expect_same_bits<float>(FmmSingle(runtime, {.kernel = Kernel::stokeslet, .tolerance = 1e-3}), 1, false);
}

TEST_CASE("in the form of several GPUs, one array is dealt out, and several have its bits") {
  Runtime const runtime({.scheduler = "lws", .cpus = 4, .gpus = 0});
  detail::StagedRows<double>::least_bytes_of_piece = 0;
  for (Kernel kernel : {Kernel::stokes, Kernel::laplace})
    for (int gpus : {1, 2, 3})
      for (bool travel : {false, true}) {
        CAPTURE(name(kernel));
        CAPTURE(gpus);
        CAPTURE(travel);
        detail::StagedRows<double>::least_bytes = travel ? 0 : std::size_t(1) << 40;
        auto const strengths = std::size_t(strength_components(kernel)),
                   results = std::size_t(result_components(kernel, outputs_of(kernel)));
        Problem<> const p(3000, int(strengths));
        AsGpus as_gpus(runtime, kernel, gpus, p.x), plain(runtime, kernel, gpus, p.x, false);
        CHECK(as_gpus.points->gpus() == gpus);
        std::vector<double> one(3000 * results, -1), known = one;
        as_gpus.plan->submit({as_gpus.points, p.f, one}).wait();
        plain.plan->submit({plain.points, p.f, known}).wait();
        CHECK(test::relative_difference(one, known) < 1e-13);
        for (Counts const& counts : {Counts{1500}, Counts{100, 0, 2500}}) {
          InArrays<double> const f(p.f, strengths, counts);
          InArrays<double> u(std::vector<double>(one.size(), -1), results, counts);
          as_gpus.plan->submit({as_gpus.points, f.in(), u.out()}).wait();
          CHECK(u.joined() == one);
        }
      }
}

TEST_CASE("in the form of several GPUs, points that tasks sort and route have the bits of those that loops do") {
  Runtime const runtime({.scheduler = "lws", .cpus = 4, .gpus = 0});
  detail::StagedRows<double>::least_bytes = std::size_t(1) << 40;
  for (int gpus : {2, 3}) {
    CAPTURE(gpus);
    Problem<> const p(3000, strength_components(Kernel::stokes));
    auto const strengths = std::size_t(strength_components(Kernel::stokes)),
               results = std::size_t(result_components(Kernel::stokes, outputs_of(Kernel::stokes)));
    AsGpus const as_gpus(runtime, Kernel::stokes, gpus, p.x);
    std::vector<double> known(3000 * results, -1);
    as_gpus.plan->submit({as_gpus.points, p.f, known}).wait();
    InArrays<double> const x(p.x, 3, {1200}), f(p.f, strengths, {1200});
    for (bool const one_array : {true, false}) {
      CAPTURE(one_array);
      auto const points = one_array ? sorted_by_tasks(runtime, as_gpus, std::span<double const>(p.x))
                                    : sorted_by_tasks(runtime, as_gpus, x.in());
      REQUIRE(points->gpus() == gpus);
      CHECK(points->owners().chunk == as_gpus.points->owners().chunk);
      REQUIRE(points->chunks().size() == as_gpus.points->chunks().size());
      for (std::size_t i = 0; i < points->chunks().size(); ++i) {
        CHECK(points->chunks()[i].points.last == as_gpus.points->chunks()[i].points.last);
        CHECK(points->chunks()[i].pairs == as_gpus.points->chunks()[i].pairs);
      }
      std::vector<double> whole(known.size(), -1);
      InArrays<double> u(whole, results, {1200}), other(whole, results, {200, 250});
      as_gpus.plan->submit({points, p.f, whole}).wait();  // dealt out, as one array of points is
      CHECK(whole == known);
      as_gpus.plan->submit({points, f.in(), u.out()}).wait();  // as two of points are
      CHECK(u.joined() == known);
      as_gpus.plan->submit({points, f.in(), other.out()}).wait();  // in stretches that points did not come in
      CHECK(other.joined() == known);
    }
  }
}

TEST_CASE("the same of multipoles") {
  Runtime const runtime({.scheduler = "lws", .cpus = 2, .gpus = 0});
  detail::StagedRows<double>::least_bytes = std::size_t(1) << 40;
  FmmOptions const options{.kernel = Kernel::laplace,
                           .outputs = outputs_of(Kernel::laplace),
                           .tolerance = 1e-4,
                           .implementation = Implementation::portable,
                           .depth = 3};
  auto const results = std::size_t(result_components(options.kernel, options.outputs));
  constexpr std::size_t count = 40000;  // of which GPUs take all
  Problem<> const p(count, 1);
  std::vector<double> known(count * results, -1);
  for (int gpus : {0, 1, 3}) {
    CAPTURE(gpus);
    Machine machine = default_machine<double>();
    machine.cpus = 2;
    machine.gpus = gpus;
    machine.all_stages = gpus > 0;
    machine.speed.gpu = machine.speed.cpu;
    auto const plan = std::make_shared<detail::FmmPlan<double>>(runtime.shared(), options, machine);
    auto const points = plan->set_points(detail::OnHost<double>(p.x), detail::OnHost<double>({}), Targets::sources);
    CHECK(points->gpus() == std::max(1, gpus));
    std::vector<double> one(known.size(), -1);
    plan->submit({points, p.f, one}).wait();
    if (gpus == 0) known = one;
    CHECK(test::relative_difference(one, known) < 1e-12);
    InArrays<double> const f(p.f, 1, {100, 0, 25000});
    InArrays<double> u(std::vector<double>(one.size(), -1), results, {20000});
    plan->submit({points, f.in(), u.out()}).wait();
    CHECK(u.joined() == one);
  }
}

TEST_CASE("what is wrong with arrays is told") {
  Problem<> p(3000, 1);
  Runtime const runtime({.scheduler = "lws", .cpus = 2, .gpus = 0});
  AsGpus const two(runtime, Kernel::laplace, 2, p.x);
  std::vector<double> u(3000 * std::size_t(result_components(Kernel::laplace, outputs_of(Kernel::laplace))));
  p.f[1234] = std::numeric_limits<double>::quiet_NaN();
  auto const message = [&](auto const& fails) {
    try {
      fails();
    } catch (Error const& e) {
      CHECK(e.fault() == Fault::bad_input);
      return std::string(e.what());
    }
    return std::string();
  };
  InArrays<double> const f(p.f, 1, {1000});
  CHECK(message([&] {
          two.plan->submit({two.points, f.in(), u}).wait();
        }).find("strength 0 of source 1234 is nan") != std::string::npos);
  InArrays<double> odd(u, 1, {1001});
  CHECK(message([&] {
          two.plan->submit({two.points, p.f, odd.out()}).wait();
        }).find("array 0 of results has 1001 numbers (a row has 10") != std::string::npos);
  InArrays<double> const many(p.f, 1, Counts(16, 1));
  CHECK(message([&] {
          two.plan->submit({two.points, many.in(), u}).wait();
        }).find("come in 17 arrays") != std::string::npos);
  Ewald plan(runtime, {.kernel = Kernel::laplace});
  InArrays<double> const points(p.x, 1, {1});
  CHECK(message([&] { plan.set_points(points.in()); }).find("array 0 of sources has 1 numbers") != std::string::npos);
}
