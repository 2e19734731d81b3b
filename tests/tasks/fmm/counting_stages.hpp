// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/fmm/cell/cell.hpp"
#include "codelets/fmm/fmm_args.hpp"
#include "core/fmm/packed.hpp"
#include "core/kernels/description/description.hpp"
#include "core/tree/tables.hpp"

#include <algorithm>
#include <vector>

namespace nearfar::test {

/// The counting kernel as stages: all operators add up strengths, in the buffers and by the tables of the real ones.
/// Every target must get the sum of all strengths.
struct Counting {
  using Number = double;
  static constexpr int rhs = 1;
  static constexpr UnitShape unit = describe<Laplace>().unit;
  static constexpr RowShape results = describe<Laplace>().result_shape;

  static double* box(Buffers const& b, int access, int buffer, int local) {
    return b.get<double>(access, buffer) + local * expansion_stride<double>(0);
  }
  static std::int64_t points(Buffers const& b, int positions) { return b.size<double>(positions) / 3; }
  static std::vector<Leaf> leaves(Buffers const& b) {
    auto const* first = b.get<Leaf const>(0);
    return {first, first + b.size<Leaf>(0)};
  }
  static void clear(Buffers const& b, int access) { std::fill_n(b.get<double>(access), b.size<double>(access), 0.0); }

  /// All interactions, added.
  static void follow(Buffers const& b) {
    RunTable const table(b.get<std::int32_t const>(1));
    for (int i = 0; i < table.interactions(); ++i) {
      Interaction const& interaction = table.interaction(i);
      *box(b, 3, 0, interaction.target) += *box(b, 2, interaction.buffer, interaction.local);
    }
  }
  static double sum(double const* strength, int first, int last) {
    double total = 0;
    for (int j = first; j < last; ++j) total += strength[j];
    return total;
  }

  struct P2M {
    using Args = P2MArgs;
    using Accesses = AccessList<Read, Read, Read, Write>;
    static constexpr char const* name = "p2m";
    static constexpr unsigned color = 0;
    static char const* symbol() { return "counting_p2m"; }
    static void portable(Buffers const& b, Args const&) {
      clear(b, 3);
      int box_number = 0;
      for (Leaf const& leaf : leaves(b)) *box(b, 3, 0, box_number++) = sum(b.get<double>(2), leaf.first, leaf.last);
    }
  };
  struct M2M {
    using Args = M2MArgs;
    using Accesses = AccessList<Read, Read, ReadMany, Write>;
    static constexpr char const* name = "m2m";
    static constexpr unsigned color = 0;
    static char const* symbol() { return "counting_m2m"; }
    static void portable(Buffers const& b, Args const&) { clear(b, 3), follow(b); }
  };
  struct M2L : M2M {
    using Args = M2LArgs;
    static constexpr char const* name = "m2l";
    static char const* symbol() { return "counting_m2l"; }
    static void portable(Buffers const& b, Args const&) { clear(b, 3), follow(b); }
  };
  struct L2L {
    using Args = L2LArgs;
    using Accesses = AccessList<Read, Read, ReadMany, ReadWrite>;
    static constexpr char const* name = "l2l";
    static constexpr unsigned color = 0;
    static char const* symbol() { return "counting_l2l"; }
    static void portable(Buffers const& b, Args const&) { follow(b); }
  };
  struct P2L {
    using Args = P2LArgs;
    using Accesses = AccessList<Read, Read, ReadEach<LeafSources>, ReadWrite>;
    static constexpr char const* name = "p2l";
    static constexpr unsigned color = 0;
    static char const* symbol() { return "counting_p2l"; }
    static void portable(Buffers const& b, Args const&) {
      PairTable<PointRun> const table(b.get<std::int32_t const>(1));
      for (int t = 0; t < table.targets(); ++t)
        for (int i = 0; i < table.range(t).count; ++i) {
          PointRun const& run = table.item(table.range(t).first + i);
          *box(b, 3, 0, t) += sum(b.get<double>(2, run.buffer, &LeafSources::strengths), run.first, run.last);
        }
    }
  };
  struct L2P {
    using Args = L2PArgs;
    using Accesses = AccessList<Read, Read, Read, Write>;
    static constexpr char const* name = "l2p";
    static constexpr unsigned color = 0;
    static char const* symbol() { return "counting_l2p"; }
    static void portable(Buffers const& b, Args const&) {
      int box_number = 0;
      for (Leaf const& leaf : leaves(b))
        for (double const local = *box(b, 2, 0, box_number++); int i : range(leaf)) b.get<double>(3)[i] = local;
    }
    static std::vector<int> range(Leaf const& leaf) {
      std::vector<int> all;
      for (int i = leaf.first; i < leaf.last; ++i) all.push_back(i);
      return all;
    }
  };
  struct M2P {
    using Args = M2PArgs;
    using Accesses = AccessList<Read, Read, Read, ReadMany, Write>;
    static constexpr char const* name = "m2p";
    static constexpr unsigned color = 0;
    static char const* symbol() { return "counting_m2p"; }
    static void portable(Buffers const& b, Args const&) {
      PairTable<FarBox> const table(b.get<std::int32_t const>(1));
      auto const all = leaves(b);
      for (int t = 0; t < table.targets(); ++t) {
        double total = 0;
        for (int i = 0; i < table.range(t).count; ++i) {
          FarBox const& far = table.item(table.range(t).first + i);
          total += *box(b, 3, far.buffer, far.local);
        }
        for (int i : L2P::range(all[std::size_t(t)])) b.get<double>(4)[i] = total;
      }
    }
  };
  struct P2P {
    using Args = FmmP2PArgs;
    using Accesses = AccessList<Read, Read, Read, ReadEach<LeafSources>, Write>;
    static constexpr char const* name = "leaf_p2p";
    static constexpr unsigned color = 0;
    static char const* symbol() { return "counting_p2p"; }
    static void portable(Buffers const& b, Args const&) {
      PairTable<PointRun> const table(b.get<std::int32_t const>(1));
      auto const all = leaves(b);
      for (int t = 0; t < table.targets(); ++t) {
        double total = 0;
        for (int i = 0; i < table.range(t).count; ++i) {
          PointRun const& run = table.item(table.range(t).first + i);
          total += sum(b.get<double>(3, run.buffer, &LeafSources::strengths), run.first, run.last);
        }
        for (int i : L2P::range(all[std::size_t(t)])) b.get<double>(4)[i] = total;
      }
    }
  };
  /// Beyond the near images, the lattice counts a thousand cells.
  struct Lattice {
    using Args = LatticeArgs;
    using Accesses = AccessList<Read, Read, Write>;
    static constexpr char const* name = "lattice";
    static constexpr unsigned color = 0;
    static char const* symbol() { return "counting_lattice"; }
    static void portable(Buffers const& b, Args const&) {
      clear(b, 2);
      *box(b, 2, 0, 0) = 1000 * *box(b, 1, 0, 0);
    }
  };
  struct Field {
    using Args = CellFieldArgs;
    using Accesses = AccessList<Read, Read, Read, Write>;
    static constexpr char const* name = "cell";
    static constexpr unsigned color = 0;
    static char const* symbol() { return "counting_cell"; }
    static void portable(Buffers const& b, Args const&) { clear(b, 3); }
  };
};

}  // namespace nearfar::test
