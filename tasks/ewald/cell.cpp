// SPDX-License-Identifier: BSD-3-Clause
// A plan whose cell changes.
#include "core/ewald/options.hpp"
#include "core/geometry/given_cell.hpp"
#include "core/plan/ewald/other_cell.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/particles/given_rows.hpp"
#include "tasks/points/extent.hpp"
#include "tasks/points/worker_loop.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

namespace {

/// Moves points by whole rows of a cell into it: they were given there, and nothing else says by how many rows they
/// have been wrapped since.
template <class T>
void take_into(CellRows const& rows, Periodicity periodicity, std::vector<T>& points) {
  constexpr double hair = 1e-9;  // of a row: a face belongs to the cell that begins there, however it was rounded
  double longest = 0;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t c = 0; c < 3 && is_periodic(periodicity, int(d)); ++c)
      longest = std::max(longest, std::fabs(rows[d][c]));
  LengthUnit const unit = LengthUnit::for_length(longest);
  CellRows in_unit = rows;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t c = 0; c < 3; ++c)
      in_unit[d][c] = is_periodic(periodicity, int(d)) ? unit.ours(rows[d][c]) : c == d ? 1 : 0;
  CellLattice const lattice = CellLattice::of(in_unit);
  for (std::size_t i = 0; i < points.size(); i += 3) {
    double const x[3] = {double(points[i]), double(points[i + 1]), double(points[i + 2])};
    double const ours[3] = {unit.ours(x[0]), unit.ours(x[1]), unit.ours(x[2])};
    double moved[3] = {x[0], x[1], x[2]};
    for (std::size_t d = 0; d < 3; ++d) {
      if (!is_periodic(periodicity, int(d))) continue;
      double const whole = std::floor(lattice.fraction(int(d), ours) + hair);
      for (std::size_t c = 0; whole != 0 && c < 3; ++c) moved[c] -= whole * rows[d][c];
    }
    for (std::size_t c = 0; c < 3; ++c) points[i + c] = T(moved[c]);
  }
}

}  // namespace

/// Up to whole edges, unless positions are kept as the caller gave them. The first of a block's holders sends its
/// points.
template <class T>
std::pair<std::vector<T>, std::vector<T>> EwaldPlan<T>::given_points(PointSet<T> const& points) const {
  Frame const& frame = points.frame();
  bool const keep_unwrapped = points.setup().zero_face_flux;
  auto const rows = [&](BlockedPoints<T> const& of, Parts const& of_ranks, auto const& holders) {
    of.bring_to_host(runtime_);
    auto const sends = [&](int b) { return holders[std::size_t(b)].front() == ranks_.rank(); };
    return given_rows(ranks_, of, of_ranks, ranks_.connected(), sends, [&](int b) {
      auto const at = of.arrays(b);
      T const* const from = !keep_unwrapped ? of.near(b) : at.given != nullptr ? at.given : at.position;
      return [&frame, keep_unwrapped, from, stride = at.stride](int i) {
        std::array<T, 3> row{};
        for (std::size_t d = 0; d < 3; ++d) {
          double x = double(from[std::int64_t(d) * stride + i]);
          // If T cannot represent a periodic edge, positions near the far face are relative to that face as T rounds
          // it.
          bool const rounded = frame.cells.periodic[d] && frame.cells.face[d] != frame.cells.edge[d];
          double const origin = frame.cells.periodic[d] ? 0 : frame.near_origin[d];
          if (!keep_unwrapped) x += rounded && x < 0 ? frame.cells.face[d] : origin;
          row[std::size_t(frame.axes[d])] = T(frame.unit.callers(x));
        }
        return row;
      };
    });
  };
  auto from = rows(points.sources(), points.source_parts(), points.owners().holders);
  if (points.same()) return {std::move(from), {}};
  return {std::move(from), rows(points.targets(), points.target_parts(), points.owners().target_holders)};
}

template <class T>
std::shared_ptr<EwaldSetup<T>> EwaldPlan<T>::in_present_cell(std::shared_ptr<EwaldSetup<T>> const& setup) {
  EwaldOptions options = setup->options;
  options.cell = options_.cell;
  for (std::size_t d = 0; d < 3; ++d)
    if (options_.box[d] > 0) options.box[d] = options_.box[d];
  if (options.cell == setup->options.cell && options.box == setup->box) return setup;
  LengthUnit const& unit = setup->unit;
  double const announced = std::min(1.0, setup->finer);
  auto const kept = ranks_.decide([&] {
    EwaldPlanning chosen = setup->chosen.parameters;
    chosen.estimated_error /= announced;
    return in_other_cell<T>(in_our_unit(unit, setup->chosen.options), in_our_unit(unit, chosen),
                            in_our_unit(unit, options));
  });
  if (!kept) return nullptr;
  EwaldPlanning p = in_callers_unit(unit, *kept);
  p.estimated_error *= announced;
  std::size_t const modes = std::size_t(p.grid[0]) * std::size_t(p.grid[1]) * std::size_t(p.grid[2]);
  auto const made = std::make_shared<EwaldSetup<T>>(*setup, options, p, ranks_, worker_loop(runtime_, modes));
  made->given_box = options_.box;
  complete(*made);
  return made;
}

template <class T>
typename EwaldPlan<T>::PresentCell EwaldPlan<T>::present_cell() const {
  std::lock_guard const lock(mutex_);
  return {options_.box, options_.cell, cell_};
}

template <class T>
void EwaldPlan<T>::take(PresentCell const& cell) {
  std::lock_guard const lock(mutex_);
  options_.box = cell.box;
  options_.cell = cell.reduced;
  cell_ = cell.given;
}

template <class T>
void EwaldPlan<T>::set_cell(CellRows const& cell) {
  CellRows const given = ranks_.decide([&] { return cell; });
  EwaldOptions options = given_;
  options.box = EwaldOptions().box;
  options.cell = given;
  options = with_reduced_cell(options);
  check_options<T>(options);
  if (!has_open_edges(options)) check_proportions(options, options.box);
  take({options.box, options.cell, given});
}

template <class T>
std::shared_ptr<PointSet<T>> EwaldPlan<T>::set_cell(Points const& before, CellRows const& cell) {
  ranks_.together([&] { this->expect_own(before); });
  PresentCell const former = present_cell();
  set_cell(cell);
  try {
    auto given = before->given_rows();
    if (!given) {
      auto found = given_points(*before);
      if (!before->setup().zero_face_flux)
        for (auto* points : {&found.first, &found.second}) take_into(before->given_cell(), given_.periodicity, *points);
      given = std::make_shared<typename PointSet<T>::GivenRows const>(std::move(found));
    }
    OnHost<T> const from((std::span<T const>(given->first))), to((std::span<T const>(given->second)));
    auto const after = set_rows(from, to, before->which());
    after->set_packed(before->offset(), before->moved());
    after->set_given_rows(given);
    return after;
  } catch (...) {
    take(former);
    throw;
  }
}

#define NEARFAR_INSTANTIATE(T)                                                                                  \
  template std::pair<std::vector<T>, std::vector<T>> EwaldPlan<T>::given_points(PointSet<T> const&) const;      \
  template std::shared_ptr<EwaldSetup<T>> EwaldPlan<T>::in_present_cell(std::shared_ptr<EwaldSetup<T>> const&); \
  template typename EwaldPlan<T>::PresentCell EwaldPlan<T>::present_cell() const;                               \
  template void EwaldPlan<T>::take(PresentCell const&);                                                         \
  template void EwaldPlan<T>::set_cell(CellRows const&);                                                        \
  template std::shared_ptr<PointSet<T>> EwaldPlan<T>::set_cell(std::shared_ptr<PointSet<T>> const&, CellRows const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
