// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/p2p/p2p.hpp"
#include "codelets/points/bin/bin.hpp"
#include "codelets/points/merge/merge.hpp"
#include "codelets/spectral/tables.hpp"
#include "core/ewald/split/profile.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/description/strength_unit.hpp"
#include "core/math/constants.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/instructions/work.hpp"

#include <cmath>
#include <memory>

namespace nearfar::test {

namespace {

constexpr int points = 10000;

/// As plans choose them: some seven points in a cell, some fifty within the cutoff.
Cells cells() {
  Cells c;
  for (int d = 0; d < 3; ++d) {
    c.edge[d] = 1;
    c.count[d] = d < 2 ? 9 : 18;
    c.blocks[d] = d < 2 ? 3 : 1;
  }
  c.cutoff = 0.11;
  return c;
}

Profile const& profile() {
  static Profile const one(Split::pswf, 16, cells().cutoff);
  return one;
}

/// The block in the middle of nine.
template <class T, class K, class A = T>
Work p2p(std::string const& kernel, bool mutual = true) {
  using Pair = typename K::Near;
  Cells const c = cells();
  std::vector<EwaldTables<T>> tables(1);
  tables[0].near = make_near_kernel<T>(profile(), K::near_layers, sizeof(T) == 8 ? 1e-7 : 1e-5);
  tables[0].near_single = make_near_kernel<float>(profile(), K::near_layers, 1e-7);
  BlockedSet<T> set(c, points, K::strengths, 7);
  constexpr int middle = 4;
  auto& target = set.block[middle];
  Block const block = block_at(c, middle);
  Neighbours const around = neighbours(c, block);
  P2PArgs const args{c, block, PointRange{0, int(target.count)}, around, mutual ? around.place(1, 1, 0) : -1};
  AlignedVector<T> result(std::size_t(result_row(K::results)) * target.count);
  LocalBuffers task;
  task.access().add(tables).access().add(target.near).access().add(target.offset).access();
  for (int i = 0; i < args.neighbours.count(); ++i) {
    auto& s = set.block[std::size_t(args.neighbours.block(c, i))];
    task.add(s.rough).add(s.offset).add(s.template packed_in<A>());
  }
  task.access().add(result);
  double const pairs = 4 * pi<double> / 3 * std::pow(c.cutoff, 3) * points * double(target.count);
  return make_work(
      "p2p-" + kernel + (mutual ? "" : "-one-way") + precision<T>() + (sizeof(A) < sizeof(T) ? "-in-single" : ""),
      "pair", pairs,
      [args, task, tables = std::move(tables), set = std::move(set), result = std::move(result)]() mutable {
        P2P<T, K, A>::tuned(task.view(), args);
      });
}

/// In and out of blocks, by rows in a shuffled order.
template <class T>
struct Rows {
  static constexpr int components = 3, stride = points + 16;
  std::vector<StrengthUnit> units = std::vector<StrengthUnit>(1);
  AlignedVector<T> rows = AlignedVector<T>(components * points, T(1)), block = AlignedVector<T>(3 * stride, T(0)),
                   packed = AlignedVector<T>(std::size_t(packed_width(components) * stride));
  std::vector<std::uint32_t> index;
  std::vector<std::int32_t> offset{0, points};

  Rows() {
    for (std::uint32_t i = 0; i < points; ++i) index.push_back(i * 7 % points);
  }
};

template <class T>
Work bin() {
  auto const r = std::make_shared<Rows<T>>();
  LocalBuffers task;
  task.access().add(r->rows).add(r->units).access().add(r->index).access().add(r->offset).access().add(r->block);
  task.access().add(r->block).access().add(r->packed);
  return make_work("bin-stokeslet" + precision<T>(), "point", points, [r, task]() mutable {
    Bin<T>::portable(task.view(), {r->components, {}, {.numbers = std::int8_t(r->components)}});
  });
}

template <class T>
Work merge() {
  auto const r = std::make_shared<Rows<T>>();
  LocalBuffers task;
  task.access().add(r->block).add(r->block).access().access().add(r->index).access().add(r->rows);
  task.access().add(r->units);
  return make_work("merge-stokeslet" + precision<T>(), "point", points, [r, task]() mutable {
    Merge<T>::portable(task.view(), {r->components, {}, {0, points}, 0, {.numbers = std::int8_t(r->components)}});
  });
}

}  // namespace

std::vector<Work> near_work() {
  return {p2p<double, Stokeslet>("stokeslet"),
          p2p<double, Stokeslet>("stokeslet", false),
          p2p<double, Stresslet>("stresslet"),
          p2p<double, Stokes>("stokes"),
          p2p<double, Laplace>("laplace"),
          p2p<double, LaplaceGradient>("laplace-gradient"),
          p2p<double, Stokeslet, float>("stokeslet"),
          p2p<double, Stokes, float>("stokes"),
          p2p<float, Stokeslet>("stokeslet"),
          p2p<float, LaplaceGradient>("laplace-gradient"),
          bin<double>(),
          merge<double>()};
}

}  // namespace nearfar::test
