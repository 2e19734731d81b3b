// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm_root.hpp"

#include "core/fmm/choice.hpp"
#include "tasks/extent.hpp"
#include "tasks/placement.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace nearfar::detail {

namespace {

bool is_periodic(FmmOptions const& options) { return options.periodicity == Periodicity::xyz; }

/// Where points may be.
Frame frame_of(FmmOptions const& options, Extent const& extent) {
  Frame frame;
  for (std::size_t d = 0; d < 3; ++d) {
    bool const open = options.box[d] == 0;
    frame.cells.periodic[d] = is_periodic(options);
    frame.cells.edge[d] = open ? extent.length(d) : options.box[d];
    frame.origin[d] = open ? extent.low[d] : 0;
  }
  return frame;
}

}  // namespace

template <class T>
FmmRoot root_of(FmmOptions const& options, std::span<T const> sources, std::span<T const> targets) {
  Extent const extent = extent_of(sources, targets);
  Frame const frame = frame_of(options, extent);
  for (std::size_t i = 0; i < sources.size() / 3; ++i) place(frame, &sources[3 * i], "source", i);
  for (std::size_t i = 0; i < targets.size() / 3; ++i) place(frame, &targets[3 * i], "target", i);
  FmmRoot root;
  if (is_periodic(options)) {
    root.half = *std::max_element(options.box.begin(), options.box.end()) / 2;
    root.aspect = cell_aspect(options);
    for (std::size_t d = 0; d < 3; ++d) root.centre[d] = options.box[d] / 2;
    return root;
  }
  double longest = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    root.centre[d] = extent.low[d] + extent.length(d) / 2;
    longest = std::max(longest, extent.length(d));
  }
  root.half = longest > 0 ? 0.5 * (1 + 1e-6) * longest : 1;
  if (!std::isfinite(root.half))
    throw Error(Fault::bad_input, "the points are farther apart than numbers go; scale them down");
  return root;
}

FmmRoot stretched(FmmRoot root, double factor) {
  for (std::size_t d = 0; d < 3; ++d) root.centre[d] += (factor - 1) * root.half * root.aspect[d];
  root.half *= factor;
  return root;
}

template <class T>
PlacedRows<T> placed_rows(FmmOptions const& options, FmmRoot const& root, std::span<T const> rows, char const* what) {
  PlacedRows<T> placed;
  placed.relative.resize(rows.size());
  if (std::is_same_v<T, float>) placed.exact.resize(rows.size());
  Frame const frame = frame_of(options, {});
  for (std::size_t i = 0; i < rows.size() / 3; ++i) {
    std::array<T, 3> x{rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]};
    if (is_periodic(options)) x = place(frame, &rows[3 * i], what, i);
    for (std::size_t d = 0; d < 3; ++d) placed.relative[3 * i + d] = T(double(x[d]) - root.centre[d]);
    if (!placed.exact.empty()) std::copy(x.begin(), x.end(), placed.exact.begin() + std::ptrdiff_t(3 * i));
  }
  return placed;
}

template <class T>
bool still_fits(Tree const& tree, std::span<T const> rows) {
  for (int level = 0; level <= tree.depth(); ++level) {
    double const side = 2 * tree.half(level);
    auto const& aspect = tree.shape.aspect;
    for (TreeBox const& box : tree.levels[std::size_t(level)]) {
      if (!box.is_leaf()) continue;
      for (std::uint32_t p = box.source[0]; p < box.source[1]; ++p)
        for (std::size_t d = 0; d < 3; ++d) {
          double const x =
              (double(rows[3 * std::size_t(tree.source_order[p]) + d]) / aspect[d] + tree.shape.half) / side;
          if (!(x >= box.at[d] && x <= box.at[d] + 1)) return false;
        }
    }
  }
  return true;
}

#define NEARFAR_INSTANTIATE(T)                                                                            \
  template FmmRoot root_of(FmmOptions const&, std::span<T const>, std::span<T const>);                    \
  template PlacedRows<T> placed_rows(FmmOptions const&, FmmRoot const&, std::span<T const>, char const*); \
  template bool still_fits(Tree const&, std::span<T const>);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
