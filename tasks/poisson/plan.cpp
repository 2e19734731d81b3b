// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/poisson/plan.hpp"

#include "codelets/spectral/green/cosine.hpp"
#include "codelets/spectral/green/green.hpp"
#include "codelets/spectral/pad/pad.hpp"
#include "core/math/reject.hpp"
#include "core/spectral/mode_table.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/engine/runtime/memory.hpp"
#include "tasks/engine/solve/submit.hpp"
#include "tasks/nodes/deal.hpp"
#include "tasks/points/expect.hpp"
#include "tasks/poisson/graph.hpp"
#include "tasks/tune/machine.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <complex>
#include <limits>
#include <optional>
#include <starpu.h>
#include <string>

namespace nearfar::detail {

namespace {

/// CPU workers of this rank.
int cpu_workers() { return std::max(1, int(starpu_cpu_worker_get_count())); }

/// Number of components transformed back from the modes.
int components_of(PoissonOptions const& options) { return options.field ? 4 : 1; }

PoissonOptions const& checked(PoissonOptions const& options) {
  check_options(options);
  return options;
}

/// `cells`: that this rank gives or gets.
void expect_cells(char const* what, std::size_t length, std::size_t cells, PoissonOptions const& o, int per_cell) {
  if (length == cells * std::size_t(per_cell)) return;
  throw Error(Fault::bad_input, std::string("the ") + what + " has " + std::to_string(length) + " numbers (" +
                                    (o.slabs ? "this rank's slab of " : "") + "a grid of " + std::to_string(o.grid[0]) +
                                    " x " + std::to_string(o.grid[1]) + " x " + std::to_string(o.grid[2]) +
                                    " cells needs " + std::to_string(per_cell) + " for each" +
                                    (o.slabs ? " of " + std::to_string(cells) : "") + "); give " +
                                    std::to_string(cells * std::size_t(per_cell)));
}

/// Cells of one plane along x.
std::size_t plane_cells(PoissonOptions const& o) { return std::size_t(o.grid[1]) * std::size_t(o.grid[2]); }

/// Cells that each rank gives: all of them rank 0, or whole planes along x.
Parts given_cells(PoissonOptions const& o, int ranks) {
  Parts parts = even_parts(std::size_t(o.grid[0]), o.slabs ? ranks : 1);
  for (auto& first : parts.first) first *= plane_cells(o);
  parts.first.resize(std::size_t(ranks) + 1, parts.all());
  return parts;
}

/// Bytes of the caller's density, potential and field, given the bytes of a number.
double callers_bytes(PoissonOptions const& o, std::size_t number) {
  return double(o.grid[0]) * o.grid[1] * o.grid[2] * double(number) * (1 + components_of(o));
}

/// Throws Error{no_resource} where a solve and the caller's arrays are more than the machine has memory for.
void expect_room(PoissonOptions const& o, PoissonParameters const& p, std::size_t number) {
  double const callers = callers_bytes(o, number);
  double const made = double(p.green_bytes + p.setup_bytes), own = p.on_gpus ? made : std::max(double(p.bytes), made);
  expect_memory(std::size_t(callers + own),
                "a grid of " + std::to_string(o.grid[0]) + " x " + std::to_string(o.grid[1]) + " x " +
                    std::to_string(o.grid[2]) + " cells",
                std::string("take fewer cells, ") + (o.field ? "leave out the field, " : "") + "or single precision");
}

/// `all_workers`: CPU workers of all ranks; `gpus`: how many GPUs solve instead of them, or 0.
template <class T>
PoissonParameters count_parameters(PoissonOptions const& options, int all_workers, int gpus) {
  PoissonGrid const grid = make_poisson_grid(options);
  GreenFunction const green = make_green_function(options, grid);
  int const components = components_of(options), workers = cpu_workers();
  SpectralLayout const layout = poisson_layout(grid, components, all_workers, gpus);
  std::array<int, 3> transform{}, cut{};
  PoissonParameters p;
  for (std::size_t d = 0; d < 3; ++d) {
    p.spacing[d] = options.box[d] / options.grid[d];
    transform[d] = green.axis[d].transform();
    cut[d] = green.axis[d].cut > 0 ? green.axis[d].cut : transform[d];
  }
  p.transform = outside(grid.axes, transform);
  p.green_transform = outside(grid.axes, cut);
  p.truncation_radius = green.radius;
  p.green_bytes = sizeof(T) * std::size_t(ModeTable<T>::size(layout));
  p.setup_bytes = green_setup_bytes(green, workers);
  std::size_t const planes = std::size_t(layout.size[0]) * std::size_t(components);
  std::size_t const scratch = std::size_t(PlaneScratch(layout).size + components * column_scratch(layout));
  p.bytes = p.green_bytes + sizeof(T) * planes * std::size_t(layout.plane_size()) +
            sizeof(std::complex<T>) *
                (planes * std::size_t(layout.column_count()) + std::size_t(gpus > 0 ? gpus : workers) * scratch);
  p.on_gpus = gpus > 0;
  return p;
}

/// Numbers of the Green's function, by the normalisation of the transforms, go from the square of the spacing divided
/// by their number of points to the square of the box. Throws Error{bad_input} where T does not hold them: all of a
/// potential would be 0, or none of it a number.
template <class T>
void expect_range(PoissonOptions const& o, PoissonParameters const& p) {
  double smallest = p.spacing[0], largest = o.box[0], points = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    smallest = std::min(smallest, p.spacing[d]);
    largest = std::max(largest, o.box[d]);
    points *= p.transform[d];
  }
  if (smallest * smallest / points >= double(std::numeric_limits<T>::min()) &&
      largest * largest <= double(std::numeric_limits<T>::max()))
    return;
  reject("a box with edges up to ", largest, " and a spacing of ", smallest, " needs squares that ",
         sizeof(T) == 4 ? "single" : "double",
         " precision does not hold; take lengths in another unit, in which the box is near 1");
}

template <class T>
PoissonParameters parameters_for(PoissonOptions const& options, Ranks const& ranks, int all_workers, int gpus) {
  PoissonParameters const p = count_parameters<T>(options, all_workers, gpus);
  ranks.together([&] {
    expect_range<T>(options, p);
    expect_room(options, p, sizeof(T));
  });
  return p;
}

/// The number of GPUs that solve: all, if they have bodies of all stages and enough memory and the grid is large
/// enough; otherwise 0. With several ranks, each must have one. Collective.
template <class T>
int gpus_for(PoissonOptions const& options, Ranks const& ranks, int all_workers) {
  constexpr double min_cells = 32 * 32 * 32, parts = 1 << 29;  // bytes that transforms work in besides
  auto const here = gpu_workers(codelet_of<Fft<T>>());
  bool const each = each_has_a_gpu(ranks, codelet_of<Fft<T>>());
  int const gpus = each ? ranks.count() : ranks.several() ? 0 : int(here.size());
  if (gpus == 0) return 0;
  double const cells = callers_bytes(options, 1) / (1 + components_of(options));
  PoissonParameters const p = count_parameters<T>(options, all_workers, gpus);
  double const bytes = double(p.bytes + p.setup_bytes);
  bool const fits = callers_bytes(options, sizeof(T)) + bytes + parts < double(gpu_memory(here));
  return cells >= min_cells && ranks.sum(std::uint64_t(!fits)) == 0 ? gpus : 0;
}

}  // namespace

template <class T>
PoissonPlan<T>::PoissonPlan(std::shared_ptr<RuntimeState> runtime, PoissonOptions const& options)
    : runtime_(std::move(runtime)), ranks_(runtime_->ranks()), workers_(int(ranks_.sum(std::uint64_t(cpu_workers())))),
      options_(ranks_.decide([&] { return checked(options); })), parts_(given_cells(options_, ranks_.count())),
      cells_(options_.slabs ? parts_.of(ranks_.rank()) : parts_.all()),
      planes_{int(parts_.first[std::size_t(ranks_.rank())] / plane_cells(options_)),
              int(parts_.first[std::size_t(ranks_.rank()) + 1] / plane_cells(options_))},
      grid_(make_poisson_grid(options_)), gpus_(gpus_for<T>(options_, ranks_, workers_)),
      parameters_(parameters_for<T>(options_, ranks_, workers_, gpus_)),
      transform_(poisson_layout(grid_, components_of(options_), workers_, gpus_), components_of(options_), ranks_,
                 gpus_),
      table_memory_(std::size_t(ModeTable<T>::size(transform_.layout()))),
      table_(Data::over("green", table_memory_.data(), std::int64_t(table_memory_.size()))) {
  make_green();
}

template <class T>
void PoissonPlan<T>::make_green() {
  std::erase_if(greens_, [](Solve const& s) { return s.ready(); });
  green_.reset();
  GreenFunction const green = make_green_function(options_, grid_);
  plan_alike<double>(ranks_, [&] { prepare_cosine_plans(green); });
  ranks_.together([&] {
    auto const setup = std::make_shared<GreenSetup>(green);
    greens_.push_back(submit_solve(runtime_, {setup}, {}, [&](Graph& graph) {
      build_green_graph<T>(graph, green, *setup, table_memory_, table_, gpus_ > 0);
    }));
  });
  green_ = greens_.back().state();
}

template <class T>
void PoissonPlan<T>::expect_green() const {
  if (!green_)
    throw Error(Fault::no_resource,
                "the Green's function of this plan is not made (there was not enough memory when set_spacing was "
                "called); call it again, or make another plan");
}

/// Throws Error{bad_input} for arrays in memory that this plan cannot work with.
template <class T>
typename PoissonPlan<T>::Homes PoissonPlan<T>::homes_of(std::span<T const> density, std::span<T> potential,
                                                        std::span<T> field) const {
  Homes const homes{{memory_node_of(density.data(), "the density is")},
                    {memory_node_of(potential.data(), "the potential is")},
                    {memory_node_of(field.data(), "the field is")}};
  auto const expect = [&](char const* what, Home home, bool supported, char const* why) {
    if (home.node == STARPU_MAIN_RAM || supported) return;
    throw Error(Fault::bad_input,
                std::string("the ") + what + " is in the memory of a GPU, and " + why + "; give an array of the host");
  };
  bool const alone = !ranks_.several();
  expect("density", homes.density, alone, "ranks share it by messages from the host's");
  char const* const why = "this solve ends with tasks that do not all run there";
  expect("potential", homes.potential, gpus_ == 1, why);
  expect("field", homes.field, gpus_ == 1, why);
  return homes;
}

template <class T>
Solve PoissonPlan<T>::submit(std::span<T const> density, std::span<T> potential, std::span<T> field,
                             std::optional<Stream> const& after) {
  std::lock_guard const lock(mutex_);
  if (!options_.slabs && ranks_.rank() > 0) density = {}, potential = field = {};  // rank 0 gives and gets all
  Homes homes{Home::host(), Home::host(), Home::host()};
  std::size_t const cells = parts_.of(ranks_.rank());
  ranks_.together([&] {
    expect_green();
    expect_cells("density", density.size(), cells, options_, 1);
    expect_cells("potential", potential.size(), cells, options_, 1);
    if (options_.field || !field.empty()) expect_cells("field", field.size(), cells, options_, options_.field ? 3 : 0);
    expect_apart({{"the array for the potential", potential}, {"that for the field", field}});
    homes = homes_of(density, potential, field);
  });
  std::vector<void const*> arrays{density.data(), potential.data()};
  if (!field.empty()) arrays.push_back(field.data());
  auto const event = after_callers_stream(after, gpus_ == 1 && !ranks_.several(), arrays);
  auto const copy = std::make_shared<std::vector<T>>();
  std::uint64_t const sent_bytes = ranks_.sent_to_all(density.size_bytes());
  density = ranks_.join(density, parts_, 1, *copy);
  SpectralLayout const& layout = transform_.layout();
  auto const make_space = [&] {
    PoissonSpace space{{}, transform_.make_tiles()};
    for (int s = 0; s < layout.slabs; ++s) space.slabs.push_back(transform_.make_slab(s, components_of(options_)));
    return space;
  };
  bool const one_memory = runs_in_one_memory(codelet_of<Restrict<T>>(), gpus_ == 0);
  SubmitOptions const how{.ranks = &ranks_, .sent_bytes = sent_bytes, .after = green_, .after_event = event};
  return submit_solve(runtime_, {this->shared_from_this(), copy}, how, [&](Graph& graph) {
    // Other ranks' rows are empty here.
    auto const rows_of = [&](int rank, std::span<T> array, Home home) {
      return std::make_unique<ResultRows>(graph.solve(), rank == ranks_.rank() ? array : std::span<T>(),
                                          std::size_t(layout.slabs), one_memory, home);
    };
    std::vector<PoissonResults> results;
    for (int r = 0; r < ranks_.count(); ++r)
      if (parts_.of(r) > 0)
        results.push_back({ranks_.several() ? r : transform_.owners().first(),
                           std::int64_t(parts_.first[std::size_t(r)]), std::int64_t(parts_.first[std::size_t(r) + 1]),
                           rows_of(r, potential, homes.potential),
                           options_.field ? rows_of(r, field, homes.field) : nullptr});
    PoissonJob<T> const job{
        .grid = grid_,
        .transform = transform_,
        .space = spaces_.next(graph.solve(), make_space),
        .table = table_,
        .density = SolveData::constant("density", density.data(), std::int64_t(density.size()), homes.density),
        .results = std::move(results),
        .field = options_.field,
        .on_gpus = gpus_ > 0};
    build_poisson_graph(graph, job);
  });
}

template <class T>
void PoissonPlan<T>::set_spacing(std::array<double, 3> const& spacing) {
  std::lock_guard const lock(mutex_);
  auto const agreed = ranks_.decide([&] { return spacing; });
  if (ranks_.decide([&] { return spacing == parameters_.spacing && green_ && !green_->failed(); })) return;
  PoissonOptions options = options_;
  for (std::size_t d = 0; d < 3; ++d) options.box[d] = agreed[d] * options.grid[d];
  check_options(options);
  parameters_ = parameters_for<T>(options, ranks_, workers_, gpus_);
  parameters_.spacing = agreed;
  options_ = options;
  grid_ = make_poisson_grid(options);
  transform_.set_edges(grid_.edge);
  make_green();
}

template <class T>
PoissonParameters PoissonPlan<T>::parameters() const {
  std::lock_guard const lock(mutex_);
  return parameters_;
}

template <class T>
PoissonOptions PoissonPlan<T>::options() const {
  std::lock_guard const lock(mutex_);
  return options_;
}

template <class T>
SolveReport PoissonPlan<T>::green_report() {
  std::lock_guard const lock(mutex_);
  expect_green();
  return greens_.back().report();
}

template class PoissonPlan<double>;
template class PoissonPlan<float>;

}  // namespace nearfar::detail
