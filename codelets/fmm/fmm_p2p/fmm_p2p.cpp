// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/fmm_p2p/fmm_p2p.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/common/simd/simd.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p_simd.hpp"
#include "core/kernels/kernels.hpp"

#include <algorithm>
#include <vector>

namespace nearfar {

template <class T, class K, class A>
char const* FmmP2P<T, K, A>::symbol() {
  static std::string const s = model_symbol<T>(sizeof(A) < sizeof(T) ? "fmm_p2p_in_single" : "fmm_p2p", K::symbol);
  return s.c_str();
}

template <class T, class K, class A>
void FmmP2P<T, K, A>::portable(Buffers const& buffers, Args const& args) {
  FmmP2PBuffers<T> const b(buffers);
  portable_for(b.table.targets(), [&](int i) {
    for (int t = b.leaf[i].first; t < b.leaf[i].last; ++t)
      pair_sums<T, 1, K>(b, args, i, t, t + 1, false, [](PointRun const& run) { return run; });
  });
}

namespace {

/// Memory for the points of the largest leaf and of the sources around any leaf.
template <class T, class A>
class SplitMemory {
 public:
  SplitMemory(FmmP2PBuffers<T> const& b, int strengths, int results) {
    int most_targets = 0, most_sources = 0, most_pieces = 1;
    for (int i = 0; i < b.table.targets(); ++i) {
      Range const& range = b.table.range(i);
      int sources = 0;
      for (int k = range.first; k < range.first + range.count; ++k)
        sources += b.table.item(k).last - b.table.item(k).first;
      most_targets = std::max(most_targets, b.leaf[i].last - b.leaf[i].first);
      most_sources = std::max(most_sources, sources);
      most_pieces = std::max(most_pieces, range.count);
    }
    piece_.resize(std::size_t(most_pieces) + 1);
    std::int64_t const of_targets = Points::stride_for(most_targets), of_sources = Points::stride_for(most_sources);
    number_.resize(std::size_t(6 * of_targets + (6 + strengths + results) * of_sources));
    A* const sources = number_.data() + 6 * of_targets;
    space_ = {{number_.data(), piece_.data(), of_targets},
              {sources, piece_.data() + 1, of_sources},
              sources + (6 + strengths) * of_sources};
  }
  SplitSpace<T, A> const& space() const { return space_; }

 private:
  using Points = SplitPoints<T, A>;

  std::vector<A> number_;
  std::vector<typename Points::Piece> piece_;
  SplitSpace<T, A> space_;
};

}  // namespace

template <class T, class K, class A>
void FmmP2P<T, K, A>::tuned(Buffers const& buffers, Args const& args) {
  FmmP2PBuffers<T> const b(buffers);
  auto const sum = [&](SplitSpace<T, A> const& space) {
    simd_dispatch([&](auto tag) { fmm_p2p_simd<decltype(tag), T, K, A>(b, args, space); });
  };
  if constexpr (sizeof(A) < sizeof(T))
    sum(SplitMemory<T, A>(b, args.vectors * K::strengths, args.vectors * K::results).space());
  else sum({});
}

#define NEARFAR_INSTANTIATE(T, A, K) template struct FmmP2P<T, K, A>;
NEARFAR_EACH_LEAF_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar
