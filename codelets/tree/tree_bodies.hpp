// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/curve.hpp"
#include "codelets/tree/leaf_points.hpp"
#include "codelets/tree/tree_stages.hpp"
#include "codelets/tree/uniform_sample.hpp"

namespace nearfar {

// What the stages do with their buffers, wherever that is.

template <class T, class Device>
void find_extent(Device& device, Buffers const& b, FindExtentArgs const& args) {
  find_extent(device, b.get<T const>(0), args.points, b.get<double>(1));
}

template <class T, class Device>
void sort_curve(Device& device, Buffers const& b, SortCurveArgs const& args) {
  KeyOfPoint<T> const key{args.place, args.shape, args.level, b.get<T const>(0), nullptr};
  sort_along_curve(device, key, args.points, args.last, {b.get<MortonKey>(1, 0), b.get<std::uint32_t>(1, 1)},
                   b.get<std::uint64_t>(2));
}

template <class Device>
void find_leaves(Device& device, Buffers const& b, FindLeavesArgs const& args) {
  find_leaves(device, b.get<MortonKey const>(0), args.points, args.level, args.depth, b.get<MortonKey>(1, 0),
              b.get<std::uint32_t>(1, 1));
}

inline BoxArrays boxes_in(Buffers const& b, int access) {
  return {b.get<MortonKey>(access, 0), b.get<std::int32_t>(access, 1), b.get<std::int32_t>(access, 2),
          b.get<std::int32_t>(access, 3), b.get<std::int32_t>(access, 4)};
}

/// Calls visit(list, counts, number) for each list, whose counts follow those of the runs of leaves.
template <class Visit>
void for_each_count(BoxCounts const& counts, BoxArrays const& boxes, int top, std::int32_t* memory,
                    Visit const& visit) {
  std::int32_t* next = memory + 2 * (counts.boxes[counts.depth] + 1);
  for_each_list(counts, boxes, top, [&](auto const& list, int number) {
    ListCounts const here = ListCounts::of(next, list.keys(counts.separation), list.level.size());
    next += here.size();
    visit(list, here, number);
  });
}

template <class Device>
void make_boxes(Device& device, Buffers const& b, MakeBoxesArgs const& args) {
  auto const& counts = args.counts;
  BoxArrays const boxes = boxes_in(b, 1);
  auto* const memory = b.get<std::int32_t>(1, 5);
  auto* const totals = b.get<std::uint64_t>(2);
  make_boxes(device, counts, b.get<MortonKey const>(0, 0), boxes);
  for_each_count(counts, boxes, args.top, memory, [&](auto const& list, ListCounts const& here, int number) {
    count_list(device, list, here, totals + 2 + 2 * number);
  });
  BoxLevel const leaves{counts, boxes, counts.depth};
  auto const* const begin = b.get<std::uint32_t const>(0, 1);
  std::int32_t* const sources = memory + counts.boxes[counts.depth] + 1;
  count_runs(device, {leaves, begin}, memory, sources, totals);
  count_sample(device, SampledTree::of(leaves, begin, double(args.points)), sources, totals + begin_of_sample(args));
}

template <class Device>
void make_tables(Device& device, Buffers const& b, MakeTablesArgs const& args) {
  auto const& counts = args.counts;
  BoxArrays const boxes = boxes_in(b, 1);
  auto* const memory = b.get<std::int32_t>(1, 5);
  for_each_count(counts, boxes, args.top, memory, [&](auto const& list, ListCounts const& here, int number) {
    write_list(device, list, here, b.get<std::int32_t>(2, 2 + number));
  });
  write_leaves(device, {{counts, boxes, counts.depth}, b.get<std::uint32_t const>(0, 1)}, memory,
               memory + counts.boxes[counts.depth] + 1, args.pairs, b.get<std::int32_t>(2, 1),
               b.get<std::int32_t>(2, 0));
}

template <class T, class Device>
void fill_leaves(Device& device, Buffers const& b, FillLeavesArgs const& args) {
  BlockArrays<T> out{.points = int(args.points),
                     .cells = int(b.size<std::int32_t>(3, 0)) - 1,
                     .stride = b.size<std::uint32_t>(3, 1),
                     .offset = b.get<std::int32_t>(3, 0),
                     .row = b.get<std::uint32_t>(3, 1),
                     .position = b.get<T>(3, 2)};
  if (b.count(3) > 3) out.near = b.get<T>(3, 3);
  place_in_leaves(device, PlaceAlongCurve<T>{args.place, b.get<T const>(0), b.get<std::uint32_t const>(1, 1), out},
                  b.get<MortonKey const>(1, 0), b.get<std::uint32_t const>(2), args.find_twins,
                  b.get<std::uint32_t>(4));
}

}  // namespace nearfar
