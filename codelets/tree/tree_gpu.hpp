// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/tree_stages.hpp"

namespace nearfar {

/// The stages on a stream; they return at once. Throw std::runtime_error if the device refuses.
template <class T>
void launch_find_extent(Buffers const& buffers, FindExtentArgs const& args, void* stream);
template <class T>
void launch_sort_curve(Buffers const& buffers, SortCurveArgs const& args, void* stream);
void launch_make_boxes(Buffers const& buffers, MakeBoxesArgs const& args, void* stream);
void launch_prune_boxes(Buffers const& buffers, PruneBoxesArgs const& args, void* stream);
void launch_find_near_boxes(Buffers const& buffers, FindNearArgs const& args, void* stream);
void launch_count_all_lists(Buffers const& buffers, CountListsArgs const& args, void* stream);
void launch_make_tables(Buffers const& buffers, MakeTablesArgs const& args, void* stream);
template <class T>
void launch_fill_leaves(Buffers const& buffers, FillLeavesArgs const& args, void* stream);

}  // namespace nearfar
