// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/pic/plan.hpp"

#include "codelets/pic/totals/totals.hpp"
#include "codelets/pic/unload/unload.hpp"
#include "codelets/spectral/pad/pad.hpp"
#include "tasks/engine/gpu_workers.hpp"
#include "tasks/engine/memory.hpp"
#include "tasks/engine/submit.hpp"
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

template <class T>
PicOptions const& checked(Ranks const& ranks, PicOptions const& options, std::span<T const> positions,
                          std::span<T const> velocities, std::span<T const> charges, std::int64_t step) {
  if (ranks.several())
    throw Error(Fault::bad_input, "a particle-in-cell loop was begun on " + std::to_string(ranks.count()) +
                                      " ranks (each would go through all of it); begin it in one process, or give its "
                                      "runtime a communicator of one rank");
  check_options(options);
  check_particles(options, positions, velocities, charges);
  if (step < 0)
    throw Error(Fault::bad_input, "the loop begins after " + std::to_string(step) +
                                      " steps, which cannot have been taken; give 0, or the step that was saved");
  return options;
}

/// Bytes of the particles, and of grids beside those of a Poisson problem.
template <class T>
std::size_t loop_bytes(SpectralLayout const& layout, std::size_t particles, int blocks) {
  std::size_t const cells = std::size_t(layout.size[0]) * std::size_t(layout.plane_size());
  std::size_t const tiles = std::size_t(layout.size[0]) * std::size_t(layout.column_count()) * field_components;
  return PicParticles<T>::bytes(particles, blocks, layout.size[0]) + sizeof(T) * cells * (2 + field_components) +
         sizeof(std::complex<T>) * tiles;
}

/// GPUs that the loop runs on: those of its Poisson problem, where there is room for the particles too.
template <class T>
int gpus_for(PoissonPlan<T> const& poisson, std::size_t particles) {
  constexpr std::size_t parts = std::size_t(1) << 29;  // bytes that kernels work in besides
  if (poisson.gpus() == 0) return 0;
  auto const layout = poisson_layout(poisson.grid(), field_components, cpu_workers(), poisson.gpus());
  std::size_t const sorting = 2 * sizeof(std::int32_t) * particles;
  std::size_t const bytes = poisson.parameters().green_bytes + loop_bytes<T>(layout, particles, 1) + sorting + parts;
  return bytes < gpu_memory(gpu_workers(codelet_of<Fft<T>>())) ? poisson.gpus() : 0;
}

/// Throws Error{no_resource} where the loop finds no room. Gives the number of blocks.
template <class T>
int expect_room(PicOptions const& o, SpectralLayout const& layout, std::size_t particles, int gpus) {
  int const blocks = pic_blocks(particles, cpu_workers(), gpus);
  std::size_t const bytes =
      gpus > 0 ? PicParticles<T>::bytes(particles, blocks, layout.size[0]) : loop_bytes<T>(layout, particles, blocks);
  expect_memory(bytes,
                std::to_string(particles) + " particles on a grid of " + std::to_string(o.grid[0]) + " x " +
                    std::to_string(o.grid[1]) + " x " + std::to_string(o.grid[2]) + " cells",
                "take fewer of either, or single precision");
  return blocks;
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

std::vector<Handle> handles(std::vector<Data> const& data) { return {data.begin(), data.end()}; }

}  // namespace

template <class T>
PicPlan<T>::PicPlan(std::shared_ptr<RuntimeState> runtime, PicOptions const& options, std::span<T const> positions,
                    std::span<T const> velocities, std::span<T const> charges, std::int64_t step)
    : runtime_(std::move(runtime)), options_(checked(runtime_->ranks(), options, positions, velocities, charges, step)),
      poisson_(std::make_shared<PoissonPlan<T>>(runtime_, poisson_options(options))),
      gpus_(gpus_for(*poisson_, charges.size())),
      transform_(poisson_layout(poisson_->grid(), field_components, cpu_workers(), gpus_), field_components),
      grid_(make_grid(transform_.layout(), poisson_->grid().axes, options)), motion_(make_motion(options)),
      particles_(positions, velocities, charges, expect_room<T>(options, transform_.layout(), charges.size(), gpus_),
                 grid_.planes()),
      tiles_(transform_.make_tiles()), density_(make_slabs(transform_, 1)),
      field_(make_slabs(transform_, field_components)), potential_(make_slabs(transform_, 1)), step_(step) {}

template <class T>
PicJob<T> PicPlan<T>::job() const {
  return {grid_,  motion_,           particles_,      transform_,         poisson_->table(),
          tiles_, handles(density_), handles(field_), handles(potential_)};
}

/// Calls build(graph, job) in a solve, the first of which begins the loop.
template <class T>
template <class Build>
Solve PicPlan<T>::submit(Build const& build) {
  SubmitOptions const how{.after = poisson_->green()};
  return submit_solve(runtime_, {this->shared_from_this()}, how, [&](Graph& graph) {
    PicJob<T> const all = job();
    if (gpus_ > 0) graph.keep_to_gpus();
    if (!begun_) build_begin_graph(graph, all, step_);
    begun_ = true;
    build(graph, all);
  });
}

template <class T>
Solve PicPlan<T>::advance(int steps) {
  std::lock_guard const lock(mutex_);
  if (steps < 0)
    throw Error(Fault::bad_input,
                "the loop is to go " + std::to_string(steps) + " steps, and time does not go back; give 0 or more");
  return submit([&](Graph& graph, PicJob<T> const& all) {
    for (int i = 0; i < steps; ++i) build_step_graph(graph, all, ++step_);
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
}

template <class T>
Solve PicPlan<T>::read(PicRead<T> const& into) {
  std::lock_guard const lock(mutex_);
  expect_lengths(into);
  SpectralLayout const& layout = transform_.layout();
  PoissonGrid const& grid = poisson_->grid();
  bool const one_memory = runs_in_one_memory(codelet_of<Unload<T>>(), gpus_ == 0);
  return submit([&](Graph& graph, PicJob<T> const& all) {
    build_clock_graph(graph, all, step_);
    auto const restrict_to = [&](std::span<T> cells, std::vector<Handle> const& slabs) {
      if (cells.empty()) return;
      ResultRows const rows(graph.solve(), cells, std::size_t(layout.slabs), one_memory);
      for (int s = 0; s < layout.slabs; ++s)
        graph.insert<Restrict<T>>({layout, grid, s, 0, 1}, {s, double(layout.planes(s)) * double(layout.plane_size())},
                                  nearfar::read(slabs[std::size_t(s)]), write(rows.of(std::size_t(s))));
    };
    auto const unload = [&](std::span<T> rows, bool velocities) {
      if (rows.empty()) return;
      ResultRows const result(graph.solve(), rows, particles_.blocks().size(), one_memory);
      int b = 0;
      for (auto const& block : particles_.blocks()) {
        graph.insert<Unload<T>>({block.first, velocities}, {b, 3 * double(block.count)}, nearfar::read(block.phase),
                                write(result.of(std::size_t(b))));
        ++b;
      }
    };
    restrict_to(into.density, all.density);
    unload(into.positions, false);
    unload(into.velocities, true);
    if (into.totals == nullptr && into.potential.empty()) return;
    build_potential_graph(graph, all);
    restrict_to(into.potential, all.potential);
    if (into.totals == nullptr) return;
    double volume = 1;
    for (std::size_t d = 0; d < 3; ++d) volume *= options_.box[d] / options_.grid[d];
    ResultRows const totals(graph.solve(), std::span(into.totals, 1), 1, one_memory);
    build_totals_graph(graph, all, double(step_) * options_.time_step, volume, totals);
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
