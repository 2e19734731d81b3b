// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/scale/column_lists.hpp"

#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/spectral/transform/plan_cache.hpp"

#include <algorithm>
#include <cstring>

namespace nearfar {

namespace {

using Columns = PaddedColumns;

/// Where x alone is free, the padding depends on both modes of a column. The key holds all that it depends on.
std::vector<int> key_of(SpectralLayout const& l, int group) {
  std::vector<int> key{l.size[0], l.size[1], l.size[2], l.columns, l.paddings, group};
  auto const add = [&](double value) {
    int halves[2];
    std::memcpy(halves, &value, sizeof value);
    key.insert(key.end(), halves, halves + 2);
  };
  for (double const edge : l.edge) add(edge);
  for (auto const& row : l.slant)
    for (double const number : row) add(number);
  for (int s = 0; s < l.sections; ++s) key.insert(key.end(), {l.section[s].first_z, l.section[s].rows});
  for (int p = 0; p < l.paddings; ++p) {
    key.insert(key.end(), l.padding[p].size, l.padding[p].size + 2);
    add(l.padding[p].lowest_squared);
  }
  return key;
}

std::vector<Columns> make_lists(SpectralLayout const& l, int group) {
  std::vector<std::vector<std::int32_t>> lists(std::size_t(l.paddings));
  for (int i = 0, first = l.first_column(group); i < l.columns_in(group); ++i)
    lists[std::size_t(l.column(first + i).padding)].push_back(i);
  std::vector<Columns> columns;
  for (auto const& list : lists) {
    void* memory = nullptr;
    gpu_expect(gpu_malloc_kept(&memory, std::max<std::size_t>(1, list.size()) * sizeof list[0]),
               "no memory for a list of columns");
    gpu_expect(gpu_upload(memory, list.data(), list.size() * sizeof list[0]), "a list of columns was not copied");
    columns.push_back({0, int(list.size()), static_cast<std::int32_t const*>(memory)});
  }
  return columns;
}

}  // namespace

PaddedColumns padded_columns(SpectralLayout const& l, int group, int padding) {
  if (l.free != 1) {
    // A section has one padding, and sections with the same padding are adjacent.
    int s = 0;
    while (s < l.sections && l.section[s].padding < padding) ++s;
    int const first = std::max(l.section[s].before, l.first_column(group));
    while (s < l.sections && l.section[s].padding == padding) ++s;
    int const last = std::min(l.section[s].before, l.first_column(group + 1));
    return {first - l.first_column(group), std::max(0, last - first), nullptr};
  }
  static auto& cache = *new PlanCache<std::vector<Columns>>;
  int device = 0;
  gpu_expect(gpu_device(&device), "no device for a list of columns");
  std::vector<int> key = key_of(l, group);
  key.push_back(device);
  return cache.get(std::move(key), [&] { return make_lists(l, group); })[std::size_t(padding)];
}

}  // namespace nearfar
