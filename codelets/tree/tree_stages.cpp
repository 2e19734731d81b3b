// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/tree/tree_stages.hpp"

#include "codelets/common/names.hpp"
#include "codelets/tree/tree_bodies.hpp"

namespace nearfar {

std::int64_t words_of_counts(MakeBoxesArgs const& args) {
  std::int64_t words = 2 * (args.counts.boxes[args.counts.depth] + 1);
  for_each_list(args.counts, {}, args.top, [&](auto const& list, int) {
    words += ListCounts::of(nullptr, list.keys(args.counts.separation), list.level.size()).size();
  });
  return words;
}
std::int64_t begin_of_sample(MakeBoxesArgs const& args) { return 2 + 2 * lists_of_tree(args); }
std::int64_t numbers_of_totals(MakeBoxesArgs const& args) {
  BoxLevel const leaves{args.counts, {}, args.counts.depth};
  return begin_of_sample(args) + SampledTree::of(leaves, nullptr, double(args.points)).size();
}
int lists_of_tree(MakeBoxesArgs const& args) {
  int lists = 0;
  for_each_list(args.counts, {}, args.top, [&](auto const&, int) { ++lists; });
  return lists;
}

#define NEARFAR_STAGE(Stage, function)                         \
  char const* Stage::symbol() { return "nearfar_" #function; } \
  void Stage::portable(Buffers const& b, Args const& args) {   \
    TreeOnHost host;                                           \
    function(host, b, args);                                   \
  }
NEARFAR_STAGE(FindLeaves, find_leaves)
NEARFAR_STAGE(MakeBoxes, make_boxes)
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
