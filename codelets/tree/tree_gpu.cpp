// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/tree/tree_gpu.hpp"

namespace nearfar {

void MakeBoxes::gpu(Buffers const& b, Args const& args, void* stream) { launch_make_boxes(b, args, stream); }
void PruneBoxes::gpu(Buffers const& b, Args const& args, void* stream) { launch_prune_boxes(b, args, stream); }
void FindNearBoxes::gpu(Buffers const& b, Args const& args, void* stream) { launch_find_near_boxes(b, args, stream); }
void CountLists::gpu(Buffers const& b, Args const& args, void* stream) { launch_count_all_lists(b, args, stream); }
void MakeTables::gpu(Buffers const& b, Args const& args, void* stream) { launch_make_tables(b, args, stream); }

#define NEARFAR_STAGE_OF_POINTS(Stage, function)                         \
  template <class T>                                                     \
  void Stage<T>::gpu(Buffers const& b, Args const& args, void* stream) { \
    launch_##function<T>(b, args, stream);                               \
  }                                                                      \
  template void Stage<double>::gpu(Buffers const&, Args const&, void*);  \
  template void Stage<float>::gpu(Buffers const&, Args const&, void*);
NEARFAR_STAGE_OF_POINTS(FindExtent, find_extent)
NEARFAR_STAGE_OF_POINTS(SortCurve, sort_curve)
NEARFAR_STAGE_OF_POINTS(FillLeaves, fill_leaves)

}  // namespace nearfar
