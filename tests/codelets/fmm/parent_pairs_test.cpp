// SPDX-License-Identifier: BSD-3-Clause
// M2L of whole trees, whose interactions are those of parent pairs for the most part.
#include "codelets/fmm/translate/translate.hpp"
#include "core/fmm/direct_shift.hpp"
#include "core/tree/lists/lists.hpp"
#include "core/tree/vectors.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/core/tree/tree_points.hpp"

#include <nearfar/runtime.hpp>

#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <random>

using namespace nearfar;
using namespace nearfar::test;

namespace {

struct Case {
  TreeShape shape;
  std::size_t points;  ///< few of them leave boxes empty
  int order, rhs;
  double grain;
};

/// The last level's M2L, block by block, against direct shifts of every interaction.
template <class T>
void check(Case const& c, double tolerance) {
  CAPTURE(c.order);
  CAPTURE(c.points);
  CAPTURE(c.shape.separation);
  auto const x = tree_points("uniform", c.points);
  auto const keys = point_keys(c.shape, std::span<double const>(x), c.shape.depth);
  Tree const tree = make_tree(c.shape, sorted(keys, c.shape.depth), {}, Targets::sources);
  InteractionLists const lists(tree);
  TreeBlocks const cut = cut_blocks(
      tree, [](int, int) { return 1.0; }, c.grain);
  auto operators = make_fmm_operators<T>(c.order, c.shape.separation, c.shape.aspect);
  int const stride = expansion_stride<T>(c.order), count = coefficient_count(c.order), size = c.rhs * stride;

  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<AlignedVector<T>> multipole;
  for (auto const& block : cut.blocks) {
    multipole.emplace_back(std::size_t(expansion_size<T>(c.order, c.rhs, block.size())), T(0));
    for (int e = 0; e < c.rhs * block.size(); ++e)
      for (int n = 0; n <= c.order; ++n)
        for (int m = 0; m <= n; ++m) {
          double const natural = 1 / std::sqrt(std::tgamma(n - m + 1.0) * std::tgamma(n + m + 1.0));
          multipole.back()[std::size_t(e * stride + real_index(n, m))] = T(natural * uniform(random));
          if (m > 0) multipole.back()[std::size_t(e * stride + imag_index(n, m))] = T(natural * uniform(random));
        }
  }
  std::int64_t parent_pairs = 0;
  for (std::size_t b = 0; b < cut.blocks.size(); ++b) {
    auto const& block = cut.blocks[b];
    if (block.level < c.shape.depth) continue;
    Gather gather = lists_of(tree, lists, cut, int(b), {top_of(c.shape)}).m2l;
    RunTable const table(gather.words.data());
    for (int r = 0; r < table.parent_pair_runs(); ++r) parent_pairs += table.parent_pair_run(r).count;

    std::vector<double> exact(std::size_t(block.size() * size));
    for (int r = 0; r < table.runs(); ++r) {
      int v[3];
      vector_of(table.run(r).key, c.shape.separation, v);
      double const d[3] = {2.0 * v[0] * c.shape.aspect[0], 2.0 * v[1] * c.shape.aspect[1],
                           2.0 * v[2] * c.shape.aspect[2]};
      for (int i = 0; i < table.run(r).count; ++i) {
        Interaction const& l = table.interaction(table.run(r).first + i);
        auto const& from = multipole[std::size_t(gather.blocks[std::size_t(l.buffer)])];
        for (int q = 0; q < c.rhs; ++q) {
          auto const* first = from.data() + l.local * size + q * stride;
          std::vector<double> const source(first, first + count);
          multipole_to_local(c.order, d, source.data(), exact.data() + l.target * size + q * stride);
        }
      }
    }
    LocalBuffers task;
    task.access().add(operators).access().add(gather.words).access();
    for (std::int32_t from : gather.blocks) task.add(multipole[std::size_t(from)]);
    AlignedVector<T> local(exact.size(), T(7));
    task.access().add(local);
    for (bool tuned : {false, true}) {
      M2LArgs const args{c.order, c.rhs, c.shape.separation};
      if (tuned) M2L<T>::tuned(task.view(), args);
      else M2L<T>::portable(task.view(), args);
      double worst = 0;
      for (int n = 0; n <= c.order; ++n) {
        double size_of_degree = 0, error = 0;
        for (int e = 0; e < c.rhs * block.size(); ++e)
          for (int i = n * n; i < (n + 1) * (n + 1); ++i) {
            auto const at = std::size_t(e * stride + i);
            size_of_degree = std::max(size_of_degree, std::abs(exact[at]));
            error = std::max(error, std::abs(double(local[at]) - exact[at]));
          }
        worst = std::max(worst, error / size_of_degree);
      }
      CAPTURE(tuned);
      CHECK(worst < tolerance);
      for (int e = 0; e < c.rhs * block.size(); ++e)
        for (int i = count; i < stride; ++i) REQUIRE(local[std::size_t(e * stride + i)] == 0);
    }
  }
  CHECK(parent_pairs > 0);
}

}  // namespace

TEST_CASE("parent_pairs: M2L of whole blocks equals direct shifts") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  check<double>({{.depth = 3}, 5000, 3, 1, 1e9}, 1e-12);
  check<double>({{.depth = 3}, 1200, 4, 1, 40}, 1e-12);
  check<double>({{.depth = 2}, 1000, 8, 1, 1e9}, 1e-12);
  check<double>({{.periodic = true, .depth = 2}, 160, 5, 1, 1e9}, 1e-12);
  check<double>({{.periodic = true, .depth = 2, .aspect = {0.8, 1, 0.7}}, 1000, 4, 3, 20}, 1e-12);
  check<double>({{.periodic = true, .separation = 2, .depth = 2}, 300, 4, 1, 1e9}, 1e-12);
  check<float>({{.depth = 3}, 1200, 4, 1, 1e9}, 1e-5);
  check<float>({{.periodic = true, .depth = 2}, 160, 7, 2, 1e9}, 1e-5);
}
