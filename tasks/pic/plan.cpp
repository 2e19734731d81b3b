// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/pic/plan.hpp"

#include "codelets/pic/totals/totals.hpp"
#include "codelets/pic/unload/unload.hpp"
#include "codelets/spectral/pad/pad.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/engine/runtime/memory.hpp"
#include "tasks/engine/solve/submit.hpp"
#include "tasks/points/expect.hpp"
#include "tasks/poisson/graph.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <complex>
#include <starpu.h>
#include <string>

namespace nearfar::detail {

namespace {

constexpr int field_components = 3;

int cpu_workers() { return std::max(1, int(starpu_cpu_worker_get_count())); }

int workers_of(Ranks const& ranks) { return int(ranks.sum(std::uint64_t(cpu_workers()))); }

/// The options of rank 0, which hold for all ranks.
PicOptions checked(Ranks const& ranks, PicOptions const& options) {
  return ranks.decide([&] {
    check_options(options);
    return options;
  });
}

std::int64_t checked_step(Ranks const& ranks, std::int64_t step) {
  return ranks.decide([&] {
    if (step < 0)
      throw Error(Fault::bad_input, "the loop begins after " + std::to_string(step) +
                                        " steps, which cannot have been taken; give 0, or the step that was saved");
    return step;
  });
}

/// The numbers of particles that the ranks give; throws if some cannot be used.
template <class T>
Parts checked_parts(Ranks const& ranks, PicOptions const& options, std::span<T const> positions,
                    std::span<T const> velocities, std::span<T const> charges) {
  Parts const given = ranks.parts(charges.size());
  ranks.together([&] {
    check_particles(options, positions, velocities, charges, given.first[std::size_t(ranks.rank())]);
    check_particle_count(given.all());
  });
  return given;
}

/// Bytes of this rank's particles, and of grids besides those of a Poisson problem. With several ranks, each holds all
/// of the field for gathering and all of the potential for measuring, its part of the density, and all parts of its
/// slabs.
template <class T>
std::size_t loop_bytes(SpectralLayout const& layout, std::size_t particles, int blocks, int ranks = 1) {
  std::size_t const cells = std::size_t(layout.size[0]) * std::size_t(layout.plane_size());
  std::size_t const tiles = std::size_t(layout.size[0]) * std::size_t(layout.column_count()) * field_components;
  return PicParticles<T>::bytes(particles, blocks, layout.size[0]) +
         sizeof(T) * cells * std::size_t((ranks > 1 ? 4 : 2) + field_components) +
         sizeof(std::complex<T>) * tiles / std::size_t(ranks);
}

/// GPUs that the loop runs on: those of its Poisson problem, where there is room for the particles too. Collective.
template <class T>
int gpus_for(PoissonPlan<T> const& poisson, Ranks const& ranks, std::size_t particles) {
  constexpr std::size_t parts = std::size_t(1) << 29;  // bytes that kernels work in besides
  if (poisson.gpus() == 0) return 0;
  auto const layout = poisson_layout(poisson.grid(), field_components, cpu_workers(), poisson.gpus());
  std::size_t const sorting = 2 * sizeof(std::int32_t) * particles;
  std::size_t const bytes = poisson.parameters().green_bytes + loop_bytes<T>(layout, particles, 1) + sorting + parts;
  bool const fits = bytes < gpu_memory(gpu_workers(codelet_of<Fft<T>>()));
  return ranks.sum(std::uint64_t(!fits)) == 0 ? poisson.gpus() : 0;
}

/// Throws Error{no_resource} where the loop finds no room. Gives the number of blocks of a rank.
template <class T>
int expect_room(PicOptions const& o, Ranks const& ranks, Parts const& shares, SpectralLayout const& layout, int gpus) {
  int const workers = workers_of(ranks), blocks = (pic_blocks(shares.all(), workers, gpus) - 1) / ranks.count() + 1;
  std::size_t const particles = shares.of(ranks.rank());
  std::size_t const bytes = gpus > 0 ? PicParticles<T>::bytes(particles, blocks, layout.size[0])
                                     : loop_bytes<T>(layout, particles, blocks, ranks.count());
  ranks.together([&] {
    expect_memory(bytes,
                  std::to_string(particles) + " particles on a grid of " + std::to_string(o.grid[0]) + " x " +
                      std::to_string(o.grid[1]) + " x " + std::to_string(o.grid[2]) + " cells",
                  "take fewer of either, or single precision");
  });
  return blocks;
}

/// The particles that this rank holds, received from the ranks that gave them.
template <class T>
PicParticles<T> make_particles(Ranks const& ranks, Parts const& given, Parts const& shares,
                               std::span<T const> positions, std::span<T const> velocities, std::span<T const> charges,
                               int blocks, int planes) {
  std::vector<T> store[3];
  auto const x = deal(ranks, given, shares, positions, 3, store[0]),
             v = deal(ranks, given, shares, velocities, 3, store[1]),
             q = deal(ranks, given, shares, charges, 1, store[2]);
  return {ranks, shares, x, v, q, blocks, planes};
}

PicGrid make_grid(SpectralLayout const& layout, Axes const& axes, PicOptions const& options) {
  PicGrid grid{layout, {}, make_cloud_grid(options)};
  std::ranges::copy(axes, grid.axes);
  return grid;
}

template <class T>
std::vector<Data> make_slabs(SpectralTransform<T> const& transform, int components) {
  std::vector<Data> slabs;
  for (int s = 0; s < transform.layout().slabs; ++s) slabs.push_back(transform.make_slab(s, components));
  return slabs;
}

/// A slab for the particles of each of several ranks: on that rank, and on the owner, who adds them up.
template <class T>
std::vector<std::vector<Data>> make_parts(Ranks const& ranks, SpectralTransform<T> const& transform) {
  SpectralLayout const& layout = transform.layout();
  std::vector<std::vector<Data>> parts(ranks.several() ? std::size_t(ranks.count()) : 0);
  for (int r = 0; r < int(parts.size()); ++r)
    for (int s = 0; s < layout.slabs; ++s)
      parts[std::size_t(r)].push_back(
          Data::temporary<T>("part of slab", layout.planes(s) * layout.plane_size(), r,
                             r == ranks.rank() || transform.owners().of(s, layout.slabs) == ranks.rank()));
  return parts;
}

std::vector<Handle> handles(std::vector<Data> const& data) { return {data.begin(), data.end()}; }

/// The ranks that want such numbers, if each wants this many.
std::vector<int> takers_of(Ranks const& ranks, std::size_t wanted) {
  Parts const all = ranks.parts(wanted);
  std::vector<int> takers;
  for (int r = 0; r < ranks.count(); ++r)
    if (all.of(r) > 0) takers.push_back(r);
  return takers;
}

}  // namespace

template <class T>
PicPlan<T>::PicPlan(std::shared_ptr<RuntimeState> runtime, PicOptions const& options, std::span<T const> positions,
                    std::span<T const> velocities, std::span<T const> charges, std::int64_t step)
    : runtime_(std::move(runtime)), ranks_(runtime_->ranks()), options_(checked(ranks_, options)),
      given_(checked_parts(ranks_, options_, positions, velocities, charges)),
      shares_(even_parts(given_.all(), ranks_.count())),
      poisson_(std::make_shared<PoissonPlan<T>>(runtime_, poisson_options(options_))),
      gpus_(gpus_for(*poisson_, ranks_, given_.all())),
      transform_(poisson_layout(poisson_->grid(), field_components, workers_of(ranks_), gpus_), field_components,
                 ranks_),
      grid_(make_grid(transform_.layout(), poisson_->grid().axes, options_)), motion_(make_motion(options_)),
      particles_(make_particles(ranks_, given_, shares_, positions, velocities, charges,
                                expect_room<T>(options_, ranks_, shares_, transform_.layout(), gpus_), grid_.planes())),
      tiles_(transform_.make_tiles()), density_(make_slabs(transform_, 1)),
      field_(make_slabs(transform_, field_components)), potential_(make_slabs(transform_, 1)),
      parts_(make_parts(ranks_, transform_)), step_(checked_step(ranks_, step)) {}

template <class T>
PicJob<T> PicPlan<T>::job() const {
  PicJob<T> job{grid_,  motion_,           particles_,      transform_,          poisson_->table(),
                tiles_, handles(density_), handles(field_), handles(potential_), {}};
  for (auto const& part : parts_) job.shares.push_back(handles(part));
  if (parts_.empty()) job.shares.push_back(job.density);
  return job;
}

/// Calls build(graph, job) in a solve, the first of which begins the loop.
template <class T>
template <class Build>
Solve PicPlan<T>::submit(Build const& build) {
  auto const before = before_.lock();
  SubmitOptions const how{.ranks = &ranks_, .after = before ? before : poisson_->green()};
  Solve solve = submit_solve(runtime_, {this->shared_from_this()}, how, [&](Graph& graph) {
    PicJob<T> const all = job();
    if (gpus_ > 0) graph.keep_to_gpus();
    if (!begun_) build_begin_graph(graph, all, step_);
    begun_ = true;
    build(graph, all);
  });
  if (ranks_.several()) before_ = solve.state();
  return solve;
}

template <class T>
Solve PicPlan<T>::advance(int steps) {
  std::lock_guard const lock(mutex_);
  int const agreed = ranks_.decide([&] {
    if (steps < 0)
      throw Error(Fault::bad_input,
                  "the loop is to go " + std::to_string(steps) + " steps, and time does not go back; give 0 or more");
    return steps;
  });
  return submit([&](Graph& graph, PicJob<T> const& all) {
    for (int i = 0; i < agreed; ++i) build_step_graph(graph, all, ++step_);
  });
}

template <class T>
void PicPlan<T>::expect_lengths(PicRead<T> const& into) const {
  std::size_t const cells =
      std::size_t(options_.grid[0]) * std::size_t(options_.grid[1]) * std::size_t(options_.grid[2]);
  auto const expect = [](char const* what, std::size_t length, std::size_t right) {
    if (length != 0 && length != right)
      throw Error(Fault::bad_input, std::string("the array for ") + what + " has " + std::to_string(length) +
                                        " numbers, and the loop has " + std::to_string(right) +
                                        " of them; give room for as many, or none");
  };
  expect("the density", into.density.size(), cells);
  expect("the potential", into.potential.size(), cells);
  expect("positions", into.positions.size(), 3 * particles());
  expect("velocities", into.velocities.size(), 3 * particles());
  expect_apart({{"the array for the density", into.density},
                {"that for the potential", into.potential},
                {"that for positions", into.positions},
                {"that for velocities", into.velocities}});
}

/// Copies slabs to the arrays of the ranks in `takers`; this rank's array is `cells`.
template <class T>
void PicPlan<T>::insert_restrict(Graph& graph, std::span<T> cells, std::vector<int> const& takers,
                                 std::vector<Handle> const& slabs) const {
  if (takers.empty()) return;
  SpectralLayout const& layout = transform_.layout();
  bool const one_memory = runs_in_one_memory(codelet_of<Restrict<T>>(), gpus_ == 0);
  ResultRows const rows(graph.solve(), cells, std::size_t(layout.slabs), one_memory);
  for (int const r : takers)
    for (int s = 0; s < layout.slabs; ++s)
      graph.insert<Restrict<T>>({layout, poisson_->grid(), s, 0, 1},
                                {s, double(layout.planes(s)) * double(layout.plane_size()), owner(r)},
                                nearfar::read(slabs[std::size_t(s)]), write(rows.of(std::size_t(s))));
}

/// Copies particles back to those ranks that gave them and want them.
template <class T>
void PicPlan<T>::insert_unload(Graph& graph, std::span<T> rows, std::vector<int> const& takers, bool velocities) const {
  if (takers.empty()) return;
  auto const& blocks = particles_.blocks();
  bool const one_memory = runs_in_one_memory(codelet_of<Unload<T>>(), gpus_ == 0);
  ResultRows const result(graph.solve(), rows, blocks.size(), one_memory);
  for (int const r : takers)
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      auto const& block = blocks[b];
      auto const begin = std::int64_t(given_.first[std::size_t(r)]),
                 end = std::int64_t(given_.first[std::size_t(r) + 1]);
      std::int64_t const first = std::max(begin, block.first), last = std::min(end, block.first + block.count);
      if (first >= last) continue;
      graph.insert<Unload<T>>({first - begin, first - block.first, last - first, velocities},
                              {int(b), 3 * double(last - first), owner(r)}, nearfar::read(block.phase),
                              write(result.of(b)));
    }
}

template <class T>
Solve PicPlan<T>::read(PicRead<T> const& into) {
  std::lock_guard const lock(mutex_);
  ranks_.together([&] { expect_lengths(into); });
  struct Takers {
    std::vector<int> totals, density, potential, positions, velocities;
  } const takers{takers_of(ranks_, into.totals != nullptr), takers_of(ranks_, into.density.size()),
                 takers_of(ranks_, into.potential.size()), takers_of(ranks_, into.positions.size()),
                 takers_of(ranks_, into.velocities.size())};
  return submit([&](Graph& graph, PicJob<T> const& all) {
    build_clock_graph(graph, all, step_);
    insert_restrict(graph, into.density, takers.density, all.density);
    insert_unload(graph, into.positions, takers.positions, false);
    insert_unload(graph, into.velocities, takers.velocities, true);
    if (takers.totals.empty() && takers.potential.empty()) return;
    build_potential_graph(graph, all);
    insert_restrict(graph, into.potential, takers.potential, all.potential);
    if (takers.totals.empty()) return;
    double volume = 1;
    for (std::size_t d = 0; d < 3; ++d) volume *= options_.box[d] / options_.grid[d];
    bool const one_memory = runs_in_one_memory(codelet_of<Tally<T>>(), gpus_ == 0);
    ResultRows const totals(graph.solve(), std::span(into.totals, into.totals != nullptr ? 1 : 0), 1, one_memory);
    build_totals_graph(graph, all, double(step_) * options_.time_step, volume, takers.totals, totals);
  });
}

template <class T>
std::int64_t PicPlan<T>::step() const {
  std::lock_guard const lock(mutex_);
  return step_;
}

template class PicPlan<double>;
template class PicPlan<float>;

}  // namespace nearfar::detail
