// SPDX-License-Identifier: BSD-3-Clause
// Points and solves of a plan for sums over particles, Ewald or multipole, of either precision.
#include "bindings/c/handles.hpp"
#include "bindings/c/rows.hpp"
#include "bindings/c/submission.hpp"
#include "bindings/c/values.hpp"

#include <type_traits>
#include <utility>

namespace nearfar::c {

namespace {

template <class T>
T number_of(BasicEwald<T> const&);
template <class T>
T number_of(BasicFmm<T> const&);
/// The numbers that a plan works with: double or float.
template <class Plan>
using NumberOf = decltype(number_of(std::declval<Plan>()));

template <class T>
BasicPoints<T> points_of(BasicEwald<T> const&);
template <class T>
BasicFmmPoints<T> points_of(BasicFmm<T> const&);
template <class Plan>
using PointsOf = decltype(points_of(std::declval<Plan>()));

/// The points of that kind of plan.
template <class Plan>
PointsOf<Plan> const& matching(nearfar_points const* points, char const* argument = "points") {
  auto const* found = std::get_if<PointsOf<Plan>>(&expect_points(points, argument).points);
  if (found == nullptr)
    throw Error(Fault::bad_input,
                "points were set with another plan, of another method or precision; set points with "
                "the plan that gets them");
  return *found;
}

/// Calls body with the plan in its own type.
template <class Body>
auto with(nearfar_plan* plan, Body const& body) {
  return std::visit(body, expect_plan(plan).plan);
}

template <class Plan>
constexpr bool is_ewald = std::is_same_v<Plan, Ewald> || std::is_same_v<Plan, EwaldSingle>;

void expect_whole(Part part) {
  if (part != Part::whole)
    throw Error(Fault::bad_input,
                "a multipole plan computes whole sums, not parts; set part to whole (NEARFAR_PART_WHOLE), or "
                "use an Ewald plan");
}

/// Of arrays in place, after what the caller's stream holds. `arrays` makes strengths and result of a number's type.
template <class Arrays>
int submit(nearfar_plan* plan, nearfar_points const* points, nearfar_submit_options const* options,
           nearfar_solve** solve, Arrays const& arrays) {
  return guarded([&] {
    expect_place(solve, "solve");
    auto const how = submission(options);
    with(plan, [&]<class Plan>(Plan& p) {
      auto const& set = matching<Plan>(points);
      auto const [in, out] = arrays(NumberOf<Plan>());
      if constexpr (is_ewald<Plan>) store(solve, "solve", p.submit(set, in, out, how.part, how.after));
      else {
        expect_whole(how.part);
        store(solve, "solve", p.submit(set, in, out, how.after));
      }
    });
  });
}

}  // namespace

}  // namespace nearfar::c

using namespace nearfar;

extern "C" {

void nearfar_plan_destroy(nearfar_plan* plan) { delete plan; }

int nearfar_plan_strength_components(nearfar_plan const* plan) {
  if (plan == nullptr) return 0;
  return std::visit([](auto const& p) { return strength_components(p.options().kernel); }, plan->plan);
}

int nearfar_plan_result_components(nearfar_plan const* plan) {
  if (plan == nullptr) return 0;
  return std::visit([](auto const& p) { return result_components(p.options().kernel, p.options().outputs); },
                    plan->plan);
}

int nearfar_plan_estimated_error(nearfar_plan const* plan, double* error) {
  return c::guarded([&] {
    c::expect_place(error, "error") =
        std::visit([](auto const& p) { return p.estimated_error(); }, c::expect_plan(plan).plan);
  });
}

int nearfar_set_points(nearfar_plan* plan, void const* sources, size_t source_count, void const* targets,
                       size_t target_count, nearfar_points** points) {
  return c::guarded([&] {
    c::expect_place(points, "points");
    c::with(plan, [&]<class Plan>(Plan& p) {
      using T = c::NumberOf<Plan>;
      auto const from = c::positions<T>(sources, source_count, "sources");
      if (targets == nullptr && target_count == 0) c::store(points, "points", p.set_points(from));
      else c::store(points, "points", p.set_points(from, c::positions<T>(targets, target_count, "targets")));
    });
  });
}

int nearfar_set_points_rows(nearfar_plan* plan, nearfar_rows const* sources, nearfar_rows const* targets,
                            nearfar_points** points) {
  return c::guarded([&] {
    c::expect_place(points, "points");
    c::with(plan, [&](auto& p) {
      auto const from = c::rows_in(sources, "sources");
      if (targets == nullptr) c::store(points, "points", p.set_points(from));
      else c::store(points, "points", p.set_points(from, c::rows_in(targets, "targets")));
    });
  });
}

int nearfar_set_points_arrays(nearfar_plan* plan, nearfar_array const* sources, size_t source_arrays,
                              nearfar_array const* targets, size_t target_arrays, nearfar_points** points) {
  return c::guarded([&] {
    c::expect_place(points, "points");
    c::with(plan, [&]<class Plan>(Plan& p) {
      using T = c::NumberOf<Plan> const;
      auto const from = c::arrays<T>(sources, source_arrays, "sources");
      if (targets == nullptr && target_arrays == 0) c::store(points, "points", p.set_points(from));
      else c::store(points, "points", p.set_points(from, c::arrays<T>(targets, target_arrays, "targets")));
    });
  });
}

int nearfar_move_points(nearfar_plan* plan, nearfar_points const* before, void const* sources, size_t source_count,
                        void const* targets, size_t target_count, nearfar_points** points) {
  return c::guarded([&] {
    c::expect_place(points, "points");
    c::with(plan, [&]<class Plan>(Plan& p) {
      using T = c::NumberOf<Plan>;
      auto const& old = c::matching<Plan>(before, "before");
      auto const from = c::positions<T>(sources, source_count, "sources");
      if (targets == nullptr && target_count == 0) c::store(points, "points", p.move_points(old, from));
      else c::store(points, "points", p.move_points(old, from, c::positions<T>(targets, target_count, "targets")));
    });
  });
}

int nearfar_move_points_rows(nearfar_plan* plan, nearfar_points const* before, nearfar_rows const* sources,
                             nearfar_rows const* targets, nearfar_points** points) {
  return c::guarded([&] {
    c::expect_place(points, "points");
    c::with(plan, [&]<class Plan>(Plan& p) {
      auto const& old = c::matching<Plan>(before, "before");
      auto const from = c::rows_in(sources, "sources");
      if (targets == nullptr) c::store(points, "points", p.move_points(old, from));
      else c::store(points, "points", p.move_points(old, from, c::rows_in(targets, "targets")));
    });
  });
}

int nearfar_move_points_arrays(nearfar_plan* plan, nearfar_points const* before, nearfar_array const* sources,
                               size_t source_arrays, nearfar_array const* targets, size_t target_arrays,
                               nearfar_points** points) {
  return c::guarded([&] {
    c::expect_place(points, "points");
    c::with(plan, [&]<class Plan>(Plan& p) {
      using T = c::NumberOf<Plan> const;
      auto const& old = c::matching<Plan>(before, "before");
      auto const from = c::arrays<T>(sources, source_arrays, "sources");
      if (targets == nullptr && target_arrays == 0) c::store(points, "points", p.move_points(old, from));
      else c::store(points, "points", p.move_points(old, from, c::arrays<T>(targets, target_arrays, "targets")));
    });
  });
}

int nearfar_set_cell(nearfar_plan* plan, double const* cell, nearfar_points const* before, nearfar_points** points) {
  return c::guarded([&] {
    c::expect(cell, "cell", "an array of nine numbers, the vectors a, b and c");
    std::array<std::array<double, 3>, 3> rows;
    for (std::size_t i = 0; i < 9; ++i) rows[i / 3][i % 3] = cell[i];
    c::with(plan, [&]<class Plan>(Plan& p) {
      if constexpr (!c::is_ewald<Plan>)
        throw Error(Fault::bad_input,
                    "plan is one of multipole sums, whose boxes stay as they are and have right angles; use an Ewald "
                    "plan, which takes any cell");
      else if (before == nullptr && points == nullptr) p.set_cell(rows);
      else {
        c::expect_place(points, "points");
        c::store(points, "points", p.set_cell(c::matching<Plan>(before, "before"), rows));
      }
    });
  });
}

size_t nearfar_points_sources(nearfar_points const* points) {
  return points != nullptr ? std::visit([](auto const& p) { return p.sources(); }, points->points) : 0;
}
size_t nearfar_points_targets(nearfar_points const* points) {
  return points != nullptr ? std::visit([](auto const& p) { return p.targets(); }, points->points) : 0;
}
void nearfar_points_destroy(nearfar_points* points) { delete points; }

int nearfar_submit(nearfar_plan* plan, nearfar_points const* points, void const* strengths, size_t strengths_length,
                   void* result, size_t result_length, nearfar_submit_options const* options, nearfar_solve** solve) {
  return c::submit(plan, points, options, solve, [&]<class T>(T) {
    return std::pair{c::numbers<T const>(strengths, strengths_length, "strengths"),
                     c::numbers<T>(result, result_length, "result")};
  });
}

int nearfar_submit_rows(nearfar_plan* plan, nearfar_points const* points, nearfar_rows const* strengths,
                        nearfar_rows const* result, nearfar_submit_options const* options, nearfar_solve** solve) {
  return c::guarded([&] {
    c::expect_place(solve, "solve");
    auto const how = c::submission(options);
    if (how.after)
      throw Error(Fault::bad_input,
                  "views are read in host memory at once, so no stream can go before; wait for the "
                  "stream first, or give packed arrays to nearfar_submit");
    c::with(plan, [&]<class Plan>(Plan& p) {
      auto const& set = c::matching<Plan>(points);
      auto const in = c::rows_in(strengths, "strengths");
      auto const out = c::rows_out(result, "result");
      if constexpr (c::is_ewald<Plan>) c::store(solve, "solve", p.submit(set, in, out, how.part));
      else {
        c::expect_whole(how.part);
        c::store(solve, "solve", p.submit(set, in, out));
      }
    });
  });
}

int nearfar_submit_arrays(nearfar_plan* plan, nearfar_points const* points, nearfar_array const* strengths,
                          size_t strength_arrays, nearfar_array const* result, size_t result_arrays,
                          nearfar_submit_options const* options, nearfar_solve** solve) {
  return c::submit(plan, points, options, solve, [&]<class T>(T) {
    return std::pair{c::arrays<T const>(strengths, strength_arrays, "strengths"),
                     c::arrays<T>(result, result_arrays, "result")};
  });
}

int nearfar_execute(nearfar_plan* plan, nearfar_points const* points, void const* strengths, size_t strengths_length,
                    void* result, size_t result_length) {
  nearfar_solve* solve = nullptr;
  int code = nearfar_submit(plan, points, strengths, strengths_length, result, result_length, nullptr, &solve);
  if (code == NEARFAR_OK) code = nearfar_solve_wait(solve);
  nearfar_solve_destroy(solve);
  return code;
}
}
