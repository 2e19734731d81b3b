// SPDX-License-Identifier: BSD-3-Clause
#include "bench/plans/plans.hpp"

#include "cli/bench/measurement.hpp"
#include "cli/parameters.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

namespace nearfar::cli {

namespace {

template <class T>
constexpr Precision precision = sizeof(T) == sizeof(double) ? Precision::double_ : Precision::single;

/// A plan, its points and room for results.
template <class T, class Plan>
struct Ready {
  using Points = decltype(std::declval<Plan&>().set_points(std::span<T const>()));
  Plan plan;
  Points points;
  std::vector<T> result;

  template <class Options>
  Ready(Runtime const& runtime, Options const& options, Rows<T> const& rows)
      : plan(runtime, options), points(plan.set_points(rows.positions)),
        result(rows.positions.size() / 3 * std::size_t(result_components(options.kernel, options.outputs))) {}
};

template <class T, class Plan>
Entrant entrant(std::string name, std::shared_ptr<Ready<T, Plan>> const& ready, Rows<T> const& rows) {
  return {std::move(name), [ready, &rows] {
            double const before = cpu_seconds();
            double const seconds = ready->plan.submit(ready->points, rows.strengths, ready->result).report().seconds;
            return Timing{seconds, cpu_seconds() - before};
          }};
}

/// Makes an entrant; none if the options contradict each other, or the error is above `most`.
template <class T, class Plan, class Options>
MakeEntrant maker(Runtime const& runtime, Options const& options, Rows<T> const& rows, double most) {
  return [=, &rows]() -> std::optional<Entrant> {
    try {
      auto const ready = std::make_shared<Ready<T, Plan>>(runtime, options, rows);
      if (ready->plan.estimated_error() > most) return {};
      return entrant(shown(ready->plan.parameters(), precision<T>).dump(), ready, rows);
    } catch (Error const& error) {
      if (error.fault() != Fault::bad_input) throw;
      return {};
    }
  };
}

int even(double points) { return 2 * int(std::lround(points / 2)); }

}  // namespace

template <class T>
PlanField ewald_field(Runtime const& runtime, EwaldOptions const& options, Rows<T> const& rows) {
  using Plan = BasicEwald<T>;
  auto const chosen = std::make_shared<Ready<T, Plan>>(runtime, options, rows);
  EwaldPlanning const p = chosen->plan.parameters();
  std::string const name = shown(p, precision<T>).dump();
  PlanField field{
      [=, &rows] { return std::optional(entrant(name, chosen, rows)); }, {}, p.near_seconds + p.far_seconds};
  // The fraction of the tolerance that the plan's own search allows split and window while rounding is negligible.
  constexpr double allowed = 0.5;
  double const most = std::max(p.estimated_error, allowed * options.tolerance);
  auto const add = [&](EwaldOptions const& o) { field.others.push_back(maker<T, Plan>(runtime, o, rows, most)); };
  auto const with = [&](double cutoff, double grid, int window) {
    EwaldOptions o = options;
    if (cutoff != 1) o.cutoff = cutoff * p.cutoff;
    if (window != 0) o.window_points = p.window_points + window;
    if (grid != 1) {
      o.grid = p.grid;
      for (int& points : *o.grid) points = even(grid * points);
    }
    if (o.window_points.value_or(4) >= 4 && o.window_points.value_or(4) <= 20) add(o);
  };
  for (double cutoff : {0.95, 1.05, 0.9, 1.1, 0.85, 1.16, 0.8, 1.25, 0.75, 1.35}) with(cutoff, 1, 0);
  for (int window : {-2, 2, 4}) with(1, 1, window);
  // The same plan cut into more and fewer tasks, as for other numbers of points.
  for (double share : {0.5, 2.0, 0.25, 4.0}) {
    EwaldOptions o = options;
    o.cutoff = p.cutoff;
    o.split_parameter = p.split_parameter;
    o.grid = p.grid;
    o.window_points = p.window_points;
    o.count = std::max<std::size_t>(1, std::size_t(share * double(rows.positions.size() / 3)));
    add(o);
  }
  for (double cutoff : {0.95, 1.05, 0.9, 1.1, 1.2})
    for (int window : {-2, 2}) with(cutoff, 1, window);
  for (double grid : {0.95, 1.05, 0.9, 1.1, 0.8, 1.25})
    for (int window : {0, 2, -2}) with(1, grid, window);
  // More cutoffs, in case few of the windows above are possible.
  for (double cutoff : {0.975, 1.025, 0.925, 1.075, 0.875, 1.13, 0.825, 1.2, 0.7, 1.5, 0.6, 1.7})
    for (int window : {0, 2}) with(cutoff, 1, window);
  return field;
}

template <class T>
PlanField fmm_field(Runtime const& runtime, FmmOptions const& options, Rows<T> const& rows) {
  using Plan = BasicFmm<T>;
  auto const chosen = std::make_shared<Ready<T, Plan>>(runtime, options, rows);
  int const first_order = chosen->plan.parameters().order;
  chosen->plan.submit(chosen->points, rows.strengths, chosen->result).wait();  // this may switch to a finer plan
  FmmPlanning const p = chosen->points.parameters();
  std::string const name = shown(p, precision<T>).dump();
  PlanField field{[=, &rows] { return std::optional(entrant(name, chosen, rows)); }, {}, p.seconds};
  auto const add = [&](FmmOptions o) {
    if (p.order > first_order && !o.order) o.order = p.order;  // the others must be as accurate
    field.others.push_back(maker<T, Plan>(runtime, o, rows, std::max(p.estimated_error, o.tolerance)));
  };
  for (int separation : {p.well_separation, 3 - p.well_separation})
    for (int depth : {p.depth, p.depth - 1, p.depth + 1}) {
      FmmOptions o = options;
      o.well_separation = separation;
      o.capacity = 0;
      o.depth = depth;
      if (depth >= 0 && depth <= 9) add(o);
    }
  for (int more : {1, 2}) {
    FmmOptions o = options;
    o.order = p.order + more;
    add(o);
  }
  for (int capacity : {32, 48, 64, 24, 96, 40, 128, 80, 160, 56, 20, 112, 200, 16, 256, 320})
    for (int separation : {p.well_separation, 3 - p.well_separation}) {
      FmmOptions o = options;
      o.well_separation = separation;
      o.capacity = capacity;
      add(o);
    }
  return field;
}

#define NEARFAR_INSTANTIATE(T)                                                            \
  template PlanField ewald_field<T>(Runtime const&, EwaldOptions const&, Rows<T> const&); \
  template PlanField fmm_field<T>(Runtime const&, FmmOptions const&, Rows<T> const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::cli
