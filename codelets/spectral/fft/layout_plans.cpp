// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/fft/layout_plans.hpp"

#include "codelets/spectral/transform/plan_cache.hpp"

namespace nearfar {

namespace {

/// Adjacent columns of n numbers, in place: `count` of them, `stride` from one number of a column to the next.
template <class T>
ColumnTransforms<T> column_transforms(TransformPlanning<T> const& planning, int n, int stride, int count) {
  TransformShape::Side const side{{1, n}, stride, 1};
  TransformShape const shape{false, 1, {1, n}, side, side, count};
  return {{planning, shape, Direction::forward, {.in_place = true}},
          {planning, shape, Direction::inverse, {.in_place = true}}};
}

template <class T>
LayoutPlans<T> make_plans(SpectralLayout const& l) {
  TransformPlanning<T> const planning;
  PlaneScratch const scratch(l);
  LayoutPlans<T> plans{};
  // Single rows are padded in scratch memory, so nothing is transformed in the slab itself and its alignment is
  // irrelevant.
  auto const plane_bytes = std::size_t(l.plane_size()) * sizeof(T);
  bool const single_rows = l.free == 3,
             whole_steps = is_aligned_for_transforms<T>(reinterpret_cast<void const*>(plane_bytes));
  plans.aligned_slabs = whole_steps && !single_rows;
  // All rows of a plane at once if they need no zeros, otherwise one by one through a padded row.
  int const n = l.row_transform(), rows = single_rows ? 1 : l.size[1], between = l.row_length,
            stride = int(scratch.row_stride);
  TransformShape const shape{true, 1, {1, n}, {{1, n}, 1, between}, {{1, n}, 1, stride}, rows};
  PlanUse const use{.aligned = whole_steps || single_rows};
  plans.forward_rows = {planning, shape, Direction::forward, use};
  plans.inverse_rows = {planning, shape, Direction::inverse, use};
  if (!by_rows(l)) plans.of_plane = column_transforms(planning, l.size[1], stride, l.section[l.sections].first_z);
  for (int const length : column_lengths(l))
    plans.columns.emplace(length, column_transforms(planning, length, column_batch, column_batch));
  return plans;
}

}  // namespace

template <class T>
LayoutPlans<T> const& layout_plans(SpectralLayout const& layout) {
  static auto& cache = *new PlanCache<LayoutPlans<T>>;
  return cache.get(plan_key(layout), [&] { return make_plans<T>(layout); });
}

template LayoutPlans<double> const& layout_plans<double>(SpectralLayout const&);
template LayoutPlans<float> const& layout_plans<float>(SpectralLayout const&);

}  // namespace nearfar
