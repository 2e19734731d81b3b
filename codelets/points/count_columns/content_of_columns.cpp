// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/count_columns/content_of_columns.hpp"

#include <algorithm>

namespace nearfar {

namespace {

/// Calls visit(block, its number, column) for the columns in a coarse layer along x.
template <class Visit>
void for_each_column(Cells const& cells, CoarseCells const& coarse, int layer, BlockOffsets const& offsets,
                     Visit const& visit) {
  int const first = coarse.first(0, layer), last = coarse.first(0, layer + 1);
  for (int b = 0; b < cells.block_count(); ++b) {
    if (offsets[std::size_t(b)] == nullptr) continue;
    Block const block = block_at(cells, b);
    int const begin = cells.first_cell(0, block.at[0]), end = begin + cells.cells_in(0, block.at[0]),
              deep = cells.cells_in(1, block.at[1]);
    for (int c = (std::max(first, begin) - begin) * deep; c < (std::min(last, end) - begin) * deep; ++c)
      visit(block, b, c);
  }
}

}  // namespace

std::vector<ColumnContent> content_of_columns(CellColumns const& columns, BlockOffsets const& sources,
                                              BlockOffsets const& targets, Loop const& loop) {
  CoarseCells const& coarse = columns.coarse;
  int const in_layer = coarse.count[1] * coarse.count[2];
  std::vector<std::int32_t> counts(std::size_t(coarse.all()), 0);
  std::vector<double> one(counts.size()), other(counts.size());
  auto const for_layers = [&](auto const& body) {
    loop(std::size_t(coarse.count[0]), [&](std::size_t layer) { body(int(layer)); });
  };
  auto const average = [&](int d, auto const& from, std::vector<double>& to, double factor) {
    for_layers([&](int layer) {
      for (int i = layer * in_layer; i < (layer + 1) * in_layer; ++i)
        to[std::size_t(i)] = factor * mean_along(coarse, d, from.data(), i);
    });
  };
  for_layers([&](int layer) {
    for_each_column(columns.cells, coarse, layer, sources, [&](Block const& block, int b, int column) {
      columns.for_each_run(block, column, sources[std::size_t(b)],
                           [&](int place, int, int points) { counts[std::size_t(place)] += points; });
    });
  });
  average(2, counts, one, 1);
  average(1, one, other, 1);
  average(0, other, one, coarse.sphere);
  std::vector<ColumnContent> content(std::size_t(columns.all_pieces()));
  for_layers([&](int layer) {
    for_each_column(columns.cells, coarse, layer, targets, [&](Block const& block, int b, int column) {
      auto const first = std::int64_t(columns.before(block) + column) * columns.pieces;
      columns.find_content(block, column, targets[std::size_t(b)], one.data(), content.data() + first);
    });
  });
  return content;
}

}  // namespace nearfar
