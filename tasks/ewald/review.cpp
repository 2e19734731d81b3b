// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/ewald/split_level.hpp"
#include "tasks/engine/gpu_workers.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/points/extent.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

namespace {

using Real = long double;  // its range is that of squares

/// Sums of squares of what is in columns [first, last) of rows, by row: over all of them, or runs of rows from all
/// over.
template <class T>
class Squares {
 public:
  Squares(std::span<T const> rows, int columns, bool all) : columns_(std::size_t(columns)) {
    constexpr std::size_t run = 64;
    std::size_t const count = rows.size() / columns_, runs = is_on_gpu(rows.data()) ? 32 : 64;
    if (all || count <= run * runs) add(rows);
    else
      for (std::size_t i = 0; i < runs; ++i)
        add(rows.subspan((count - run) * i / (runs - 1) * columns_, run * columns_));
  }

  /// Of columns [first, last), the mean over the rows.
  Real mean(int first, int last) const {
    Real sum = 0;
    for (int c = first; c < last; ++c) sum += sums_[std::size_t(c)];
    return sum / Real(rows_);
  }
  /// Of sources and strengths of dipoles: the mean of |q|^2 |n|^2.
  Real mean_of_products() const { return products_ / Real(rows_); }

 private:
  void add(std::span<T const> given) {
    OnHost<T> const copy(given);
    std::span<T const> const rows = copy;
    for (std::size_t i = 0; i < rows.size(); i += columns_) {
      Real square[9];
      for (std::size_t c = 0; c < columns_; ++c) sums_[c] += square[c] = Real(rows[i + c]) * Real(rows[i + c]);
      if (columns_ < 6) continue;
      Real const* const q = square + columns_ - 6;
      products_ += (q[0] + q[1] + q[2]) * (q[3] + q[4] + q[5]);
    }
    rows_ += rows.size() / columns_;
  }

  std::size_t columns_, rows_ = 0;
  std::array<Real, 9> sums_{};
  Real products_ = 0;
};

/// The caller's rows of points, but for whole edges where only differences of points count.
template <class T>
std::vector<T> rows_of(BlockedPoints<T> const& points, Frame const& frame, bool keep_unwrapped) {
  std::vector<T> rows(3 * points.size());
  for (int b = 0; b < points.blocks(); ++b) {
    auto const at = points.arrays(b);
    T const* const given = at.given != nullptr ? at.given : at.position;
    for (std::size_t d = 0; d < 3; ++d) {
      // Near the far face of a periodic edge that T does not have, points were counted from what T has of it.
      auto const axis = std::int64_t(d);
      bool const rounded = frame.cells.periodic[d] && frame.cells.face[d] != frame.cells.edge[d];
      double const origin = frame.cells.periodic[d] ? 0 : frame.near_origin[d];
      for (int i = 0; i < points.count(b); ++i) {
        double x = double((keep_unwrapped ? given : points.near(b))[axis * at.stride + i]);
        if (!keep_unwrapped) x += rounded && x < 0 ? frame.cells.face[d] : origin;
        rows[3 * std::size_t(points.rows(b)[i]) + std::size_t(frame.axes[d])] = T(frame.unit.callers(x));
      }
    }
  }
  return rows;
}

}  // namespace

/// Relative l2 error of a solve, by what the model says of its plan's errors for these strengths, relative to the field
/// that came out: where fields cancel, as in a crystal, that is much weaker than plans count on.
template <class T>
double EwaldPlan<T>::error_found(PointSet<T> const& points, std::span<T const> strengths,
                                 std::span<T const> result) const {
  constexpr double surely_met = 0.7;  // by a sample
  auto const& setup = points.setup();
  int const in = strength_components(options_.kernel), out = result_components(options_.kernel, options_.gradient);
  Real const sources = Real(points.sources().size()), unit = Real(setup.unit.callers(1));
  auto const error = [&](bool all) {
    Squares<T> const given(strengths, in, all), found(result, out, all);
    auto const relative = [](Real noise, Real field) {
      return noise == 0 ? 0.0 : field > noise ? error_of(double(noise / field)) : 1.0;
    };
    Real const units[] = {sources / (unit * unit), sources / (unit * unit * unit * unit)};
    if (options_.kernel == Kernel::laplace) {
      Real const charges = given.mean(0, 1);
      double const potential = relative(setup.noise[0] * units[0] * charges, found.mean(0, 1));
      if (!options_.gradient) return potential;
      return std::max(potential, relative(setup.noise[1] * units[1] * charges, found.mean(1, 4)));
    }
    Real const forces = options_.kernel == Kernel::stresslet ? 0 : given.mean(0, 3);
    return relative(setup.noise[0] * units[0] * forces + setup.noise[1] * units[1] * given.mean_of_products(),
                    found.mean(0, 3));
  };
  double const sampled = error(false);
  return std::min(1.0, sampled > surely_met * options_.tolerance ? error(true) : sampled);
}

/// Where the field turns out to be so weak that the tolerance is missed, the solve is done again by a finer plan. Of
/// several ranks each says what it finds in what it gave and got, and no solve is done again.
template <class T>
Review EwaldPlan<T>::review(Points const& points, std::span<T const> strengths, std::span<T> result) {
  auto const error = [this, points, strengths, result] {
    if (strengths.empty() || result.empty()) return 0.0;
    double const found = error_found(*points, strengths, result);
    if (found <= options_.tolerance && points->setup().finer > 1) {
      std::lock_guard const lock(finer_mutex_);
      finer_ = points->shared_setup();
    }
    return found;
  };
  if (ranks_.several()) return {error, options_.tolerance, nullptr};
  auto const again = [this, points, strengths, result](double found) {
    if (found >= 1) points->give_up_all();
    if (points->gave_up()) return Solve();
    Points better = points->finest();
    if (better == points) better = finer(points, found);
    return better ? submit(better, strengths, result, Part::whole) : Solve();
  };
  return {error, options_.tolerance, again};
}

/// The same points in a finer plan, since a solve had this error; none if there is none, or it hardly helps.
template <class T>
typename EwaldPlan<T>::Points EwaldPlan<T>::finer(Points const& points, double error) {
  constexpr double margin = 1.5, mostly_error = 0.3, worth_while = 0.5;
  EwaldSetup<T> const& before = points->setup();
  try {
    if (before.tolerance <= finest(options_)) throw Error(Fault::no_resource, "there is no finer plan");
    EwaldOptions options = options_;
    options.box = before.box;
    points->sources().bring_to_host(runtime_);
    points->targets().bring_to_host(runtime_);
    auto const sources = rows_of(points->sources(), points->frame(), before.zero_face_flux),
               targets = points->same() ? std::vector<T>()
                                        : rows_of(points->targets(), points->frame(), before.zero_face_flux);
    std::span<T const> const from(sources), to = points->same() ? from : std::span<T const>(targets);
    auto const extent = has_open_edges(options_) ? extent_of(from, to) : Extent{};
    std::array<double, 3> box = options.box, origin = extent.origin(options_);
    for (std::size_t d = 0; d < 3; ++d) box[d] = before.unit.ours(box[d]), origin[d] = before.unit.ours(origin[d]);
    // What is mostly error does not say how weak the field is: then nothing less than the finest plan.
    double const wanted = margin * error / options_.tolerance, most = options_.tolerance / finest(options_),
                 finer = error < mostly_error ? std::min(before.finer * wanted, most) : most;
    auto const setup = make_setup(options, from.size() / 3, to.size() / 3, {box, origin, from, to, before.unit}, finer);
    bool helps = false;
    for (std::size_t q = 0; q < 2; ++q) helps = helps || setup->noise[q] < worth_while * before.noise[q];
    if (helps) {
      auto const made = block_points(setup, extent, OnHost<T>(from), OnHost<T>(targets), points->same());
      made->set_parts(points->source_parts(), points->target_parts(), ranks_);
      made->set_coarser(points);
      points->set_finer(made);
      return made;
    }
  } catch (Error const& e) {
    if (e.fault() != Fault::no_resource) throw;  // the result that there is stands
  }
  points->give_up();
  return nullptr;
}

#define NEARFAR_INSTANTIATE(T)                                                                                 \
  template Review EwaldPlan<T>::review(Points const&, std::span<T const>, std::span<T>);                       \
  template double EwaldPlan<T>::error_found(PointSet<T> const&, std::span<T const>, std::span<T const>) const; \
  template typename EwaldPlan<T>::Points EwaldPlan<T>::finer(Points const&, double);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
