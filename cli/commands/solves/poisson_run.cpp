// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/solves/poisson_run.hpp"

#include "cli/commands/solves/run_outputs.hpp"
#include "cli/io/grids/grid_file.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"
#include "cli/text.hpp"

#include <nearfar/error.hpp>
#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <optional>
#include <type_traits>

namespace nearfar::cli {

namespace {

struct Found {
  SolveReport solve, green;
  PoissonParameters parameters;
  std::vector<double> potential, field;
  std::optional<double> potential_error, field_error;
};

/// Calls visit(number of the cell, its centre).
template <class Visit>
void for_each_cell(PoissonOptions const& o, Visit visit) {
  std::size_t cell = 0;
  for (int x = 0; x < o.grid[0]; ++x)
    for (int y = 0; y < o.grid[1]; ++y)
      for (int z = 0; z < o.grid[2]; ++z, ++cell)
        visit(cell, std::array{(x + 0.5) * o.box[0] / o.grid[0], (y + 0.5) * o.box[1] / o.grid[1],
                               (z + 0.5) * o.box[2] / o.grid[2]});
}

/// A density in units of a power of two, so that neither it nor sums over it leave single precision.
template <class T>
struct ScaledDensity {
  std::vector<T> values;
  double unit = 1;
};

/// A power of two near a number; 1 for 0.
double power_of_two_near(double largest) {
  constexpr int most = 1000;  // its reciprocal is a double too
  return largest > 0 && std::isfinite(largest) ? std::ldexp(1.0, std::clamp(std::ilogb(largest), -most, most)) : 1;
}

template <class T>
ScaledDensity<T> density_of(PoissonSettings const& s) {
  ScaledDensity<T> density;
  if (!s.known) {
    auto values = read_grid(s.files.sources, "density", s.plan.grid);
    double largest = 0;
    for (double const value : values) largest = std::max(largest, std::abs(value));
    density.unit = power_of_two_near(largest);
    for (double& value : values) value /= density.unit;
    if constexpr (std::is_same_v<T, double>) density.values = std::move(values);
    else density.values.assign(values.begin(), values.end());
    return density;
  }
  auto const& box = s.plan.box;
  double const largest = poisson_values(*s.known, box, {box[0] / 2, box[1] / 2, box[2] / 2}).density;
  if (!std::isnormal(largest))
    throw Error{Fault::bad_input, "the density would be " + text("%g", largest) + " in the middle of --box " +
                                      digits(box[0]) + ',' + digits(box[1]) + ',' + digits(box[2]) +
                                      " (beyond the range of double precision, which is 2.3e-308 to 1.8e308); take "
                                      "edges nearer to 1"};
  density.unit = power_of_two_near(largest);
  density.values.resize(std::size_t(s.plan.grid[0]) * std::size_t(s.plan.grid[1]) * std::size_t(s.plan.grid[2]));
  for_each_cell(s.plan, [&](std::size_t cell, std::array<double, 3> const& at) {
    density.values[cell] = T(poisson_values(*s.known, box, at).density / density.unit);
  });
  return density;
}

/// Compares with the exact potential in free space, if the problem was a known one in free space.
void compare(PoissonSettings const& s, Found& found) {
  auto const& plan = s.plan;
  if (!s.known || plan.conductor || std::ranges::count(plan.periodic, true) > 0) return;
  auto const& box = plan.box;
  double const largest = poisson_values(*s.known, box, {box[0] / 2, box[1] / 2, box[2] / 2}).potential,
               unit[2] = {power_of_two_near(largest), power_of_two_near(largest / *std::ranges::min_element(box))};
  double difference[2] = {}, all[2] = {};
  auto const add = [&](int which, double value, double exact) {  // squares of large numbers would be beyond double
    difference[which] += std::pow((value - exact) / unit[which], 2);
    all[which] += std::pow(exact / unit[which], 2);
  };
  for_each_cell(plan, [&](std::size_t cell, std::array<double, 3> const& at) {
    auto const exact = poisson_values(*s.known, plan.box, at);
    add(0, found.potential[cell], exact.potential);
    for (std::size_t d = 0; d < 3 && plan.field; ++d) add(1, found.field[3 * cell + d], exact.field[d]);
  });
  found.potential_error = std::sqrt(difference[0] / all[0]);
  if (plan.field) found.field_error = std::sqrt(difference[1] / all[1]);
}

/// The largest of them by size, or one that is not finite.
double largest_of(std::vector<double> const& values) {
  double largest = 0;
  for (double const value : values) {
    if (!std::isfinite(value)) return value;
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

/// Results in the caller's units. Throws Error{bad_input} for what is beyond double precision there.
template <class T>
std::vector<double> in_units(std::vector<T>&& scaled, std::initializer_list<double> units) {
  std::vector<double> values;
  if constexpr (std::is_same_v<T, double>) values = std::move(scaled);
  else values.assign(scaled.begin(), scaled.end());
  bool const is_zero = largest_of(values) == 0;
  for (double const unit : units)
    for (double& value : values) value *= unit;
  double const largest = largest_of(values);
  if (!is_zero && !std::isnormal(largest))
    throw Error{Fault::bad_input,
                std::string("the potential or its field is beyond the range of double precision, which is 2.3e-308 to "
                            "1.8e308; scale the density ") +
                    (largest < 1 ? "up" : "down")};
  return values;
}

/// A unit of length in which the box is near 1, so that squares of lengths are in the range of every precision. Other
/// units change no bit, but for a potential with two open directions, by the logarithm of the unit, and for
/// HockneyGreen::constant, whose sample is the same for any spacing.
double unit_of_length(PoissonOptions const& o) {
  bool const constant = o.method == PoissonMethod::hockney && o.green == HockneyGreen::constant;
  if (constant || std::ranges::count(o.periodic, true) == 1) return 1;
  return power_of_two_near(*std::ranges::max_element(o.box));
}

template <class T>
Found solve(PoissonSettings const& s, Runtime const& runtime, OutputFiles& outputs, Progress& progress) {
  progress.step("planning");
  double const length = unit_of_length(s.plan);
  auto options = s.plan;
  for (double& edge : options.box) edge /= length;
  BasicPoisson<T> plan{runtime, options};  // first, since it may find too little memory
  ScaledDensity<T> density;
  std::vector<T> potential, field;
  on_first(runtime, [&] {
    progress.step("reading");
    density = density_of<T>(s);
    potential.resize(density.values.size());
    field.resize(s.plan.field ? 3 * density.values.size() : 0);
  });
  progress.step("Green's function");
  auto const green = plan.green_report();
  progress.step("solving");
  auto solve = plan.submit(density.values, potential, field);
  progress.wait(solve);
  progress.end();
  on_first(runtime, [&] { write_dag(outputs, s.files.dag, solve); });
  Found found{solve.report(), green, plan.parameters(), {}, {}, {}, {}};
  on_first(runtime, [&] {
    found.potential = in_units(std::move(potential), {density.unit, length, length});
    found.field = in_units(std::move(field), {density.unit, length});
  });
  for (double& spacing : found.parameters.spacing) spacing *= length;
  found.parameters.truncation_radius *= length;
  return found;
}

std::string periodic_name(std::array<bool, 3> const& periodic) {
  std::string text;
  for (std::size_t d = 0; d < 3; ++d)
    if (periodic[d]) text += "xyz"[d];
  return text.empty() ? "none" : text;
}

nlohmann::ordered_json report_json(PoissonSettings const& s, Found const& f, Runtime const& runtime) {
  auto const& p = f.parameters;
  nlohmann::ordered_json report;
  report["solver"] = "poisson";
  report["version"] = NEARFAR_VERSION;
  report["method"] = name(s.plan.method);
  if (s.plan.method == PoissonMethod::hockney) report["green"] = name(s.plan.green);
  report["grid"] = s.plan.grid;
  report["box"] = s.plan.box;
  report["periodic"] = periodic_name(s.plan.periodic);
  if (s.plan.conductor) report["conductor"] = name(*s.plan.conductor);
  report["precision"] = name_of(s.precision);
  add_solve(report, f.solve, runtime.workers(), runtime.scheduler());
  report["green_seconds"] = f.green.seconds;
  report["cells_per_second"] = double(f.potential.size()) / f.solve.seconds;
  report["parameters"] = {{"spacing", p.spacing},
                          {"transform", p.transform},
                          {"green_transform", p.green_transform},
                          {"truncation_radius", p.truncation_radius},
                          {"green_bytes", p.green_bytes},
                          {"setup_bytes", p.setup_bytes},
                          {"bytes", p.bytes},
                          {"on_gpus", p.on_gpus}};
  if (f.potential_error) report["relative_error"] = *f.potential_error;
  if (f.field_error) report["relative_error_field"] = *f.field_error;
  return report;
}

void print_summary(PoissonSettings const& s, Found const& f, std::size_t workers, std::string const& scheduler) {
  auto const& plan = s.plan;
  auto const& p = f.parameters;
  std::fprintf(stderr, "nearfar poisson: %s, grid %d x %d x %d, box %s, periodic %s, %s precision\n",
               std::string(name(plan.method)).c_str(), plan.grid[0], plan.grid[1], plan.grid[2],
               edges_text(plan.box, plan.box).c_str(), periodic_name(plan.periodic).c_str(), name_of(s.precision));
  std::fprintf(stderr, "  parameters   transforms of %d x %d x %d, Green's function of %d x %d x %d\n", p.transform[0],
               p.transform[1], p.transform[2], p.green_transform[0], p.green_transform[1], p.green_transform[2]);
  std::fprintf(stderr, "  memory       %s beside density and results, of that %s Green's function\n",
               bytes_text(double(p.bytes)).c_str(), bytes_text(double(p.green_bytes)).c_str());
  std::fprintf(stderr, "  time         %.3g s, Green's function before it %.3g s, %s (%s), idle %.0f %%\n",
               f.solve.seconds, f.green.seconds, counted(workers, "worker").c_str(), scheduler.c_str(),
               100 * f.solve.idle_fraction);
  if (f.potential_error)
    std::fprintf(stderr, "  error        %.3g of the potential, relative l2\n", *f.potential_error);
  if (f.field_error) std::fprintf(stderr, "               %.3g of the field\n", *f.field_error);
  print_end(f.solve, s.files);
}

void write(PoissonSettings const& s, Found const& found, Runtime const& runtime, OutputFiles& outputs,
           Progress& progress) {
  GridFields grid{s.plan.grid, found.parameters.spacing, {{"potential", 1, found.potential}}};
  if (s.plan.field) grid.fields.push_back({"field", 3, found.field});
  if (!s.files.output.empty()) {
    progress.step("writing");
    write_grid(outputs, s.files.output, grid);
    progress.end();
  }
  write_report(outputs, s.files.report, report_json(s, found, runtime), progress);
}

}  // namespace

template <class T>
int run_poisson(PoissonSettings const& s) {
  Progress progress{s.files.quiet || launch().rank > 0};
  progress.step("starting StarPU");
  TraceFolder const trace{s.files.runtime.trace};
  OutputFiles outputs;
  std::optional<Runtime> runtime{s.files.runtime};
  auto found = solve<T>(s, *runtime, outputs, progress);
  on_first(*runtime, [&] {
    compare(s, found);
    write(s, found, *runtime, outputs, progress);
  });
  auto const workers = runtime->workers().size();
  auto const scheduler = runtime->scheduler();
  bool const first = runtime->rank() == 0;
  runtime.reset();  // collective
  if (!first) return 0;
  trace.expect_new_trace();
  outputs.commit();
  if (!s.files.quiet) print_summary(s, found, workers, scheduler);
  return 0;
}

template int run_poisson<double>(PoissonSettings const&);
template int run_poisson<float>(PoissonSettings const&);

}  // namespace nearfar::cli
