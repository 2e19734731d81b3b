// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/tree/tree_stages.hpp"

#include "codelets/common/names.hpp"
#include "codelets/tree/tree_bodies.hpp"

namespace nearfar {

std::int64_t numbers_of_sample(FindNearArgs const& args) {
  if (args.points == 0) return 0;
  return SampledTree::of({{args.counts, {}, nullptr, nullptr}, args.few}, double(args.points)).size();
}
std::int64_t numbers_of_near(FindNearArgs const& args) {
  return std::max<std::int64_t>(1, numbers_of_sample(args) + PartNumbers::of(args.counts).size());
}
TableCounts counts_of_tables(CountListsArgs const& args, std::uint64_t* totals) {
  return table_counts({args.counts, {}, nullptr, nullptr}, args.parts, args.top, nullptr, totals);
}

#define NEARFAR_STAGE(Stage, function)                         \
  char const* Stage::symbol() { return "nearfar_" #function; } \
  void Stage::portable(Buffers const& b, Args const& args) {   \
    TreeOnHost host;                                           \
    function(host, b, args);                                   \
  }
NEARFAR_STAGE(MakeBoxes, make_boxes)
NEARFAR_STAGE(PruneBoxes, prune_boxes)
NEARFAR_STAGE(FindNearBoxes, find_near_boxes)
NEARFAR_STAGE(CountLists, count_all_lists)
NEARFAR_STAGE(MakeTables, make_tables)

#define NEARFAR_STAGE_OF_POINTS(Stage, function)                               \
  template <class T>                                                           \
  char const* Stage<T>::symbol() {                                             \
    static std::string const s = "nearfar_" #function + precision_suffix<T>(); \
    return s.c_str();                                                          \
  }                                                                            \
  template <class T>                                                           \
  void Stage<T>::portable(Buffers const& b, Args const& args) {                \
    TreeOnHost host;                                                           \
    function<T>(host, b, args);                                                \
  }                                                                            \
  template struct Stage<double>;                                               \
  template struct Stage<float>;
NEARFAR_STAGE_OF_POINTS(FindExtent, find_extent)
NEARFAR_STAGE_OF_POINTS(SortCurve, sort_curve)
NEARFAR_STAGE_OF_POINTS(FillLeaves, fill_leaves)

}  // namespace nearfar
