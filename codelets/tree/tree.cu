// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/tree/on_gpu.hpp"
#include "codelets/tree/tree_bodies.hpp"
#include "codelets/tree/tree_gpu.hpp"

#if defined(__HIPCC__)
#pragma clang fp contract(off)  // places are those that the host finds
#endif

namespace nearfar {

#define NEARFAR_LAUNCH(function, Args)                                             \
  void launch_##function(Buffers const& buffers, Args const& args, void* stream) { \
    TreeOnGpu gpu(stream);                                                         \
    function(gpu, buffers, args);                                                  \
  }
NEARFAR_LAUNCH(make_boxes, MakeBoxesArgs)
NEARFAR_LAUNCH(prune_boxes, PruneBoxesArgs)
NEARFAR_LAUNCH(find_near_boxes, FindNearArgs)
NEARFAR_LAUNCH(count_all_lists, CountListsArgs)
NEARFAR_LAUNCH(make_tables, MakeTablesArgs)

#define NEARFAR_LAUNCH_OF_POINTS(function, Args)                                   \
  template <class T>                                                               \
  void launch_##function(Buffers const& buffers, Args const& args, void* stream) { \
    TreeOnGpu gpu(stream);                                                         \
    function<T>(gpu, buffers, args);                                               \
  }                                                                                \
  template void launch_##function<double>(Buffers const&, Args const&, void*);     \
  template void launch_##function<float>(Buffers const&, Args const&, void*);
NEARFAR_LAUNCH_OF_POINTS(find_extent, FindExtentArgs)
NEARFAR_LAUNCH_OF_POINTS(sort_curve, SortCurveArgs)
NEARFAR_LAUNCH_OF_POINTS(fill_leaves, FillLeavesArgs)

}  // namespace nearfar
