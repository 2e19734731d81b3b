// SPDX-License-Identifier: BSD-3-Clause
// Sums over pairs that meet across a periodic face: with the forces on all points they are the virial of all pairs.
#include "codelets/near/images/images.hpp"
#include "codelets/near/images/images_team.hpp"
#include "codelets/spectral/tables.hpp"
#include "core/ewald/split/profile.hpp"
#include "core/kernels/kernels.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/host_team.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/codelets/only_simd.hpp"

#include <nearfar/runtime.hpp>

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

using namespace nearfar;
using namespace nearfar::test;

namespace {

using Sums = std::array<double, image_sums>;

/// The sum of F_a x_b over all points less half that of f_a r_b over all pairs and images within the cutoff.
template <class K>
Sums direct(Cells const& c, NearKernel<double> const& near, auto const& set) {
  constexpr EnergyStrengths at = energy_strengths(K::strength_fields);
  Sums sums{};
  int images[3];
  for (int d = 0; d < 3; ++d) images[d] = c.periodic[d] ? 2 : 0;
  auto const add = [&](std::size_t i, std::size_t j, double const(&shift)[3]) {
    auto const &x = set.near_point[i], &y = set.near_point[j];
    double const r[3] = {x[0] - y[0] - shift[0], x[1] - y[1] - shift[1], x[2] - y[2] - shift[2]},
                 r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    if (r2 == 0 || r2 >= near.cutoff_squared) return;
    double const inverse = 1 / std::sqrt(r2);
    double factor[1][K::Near::factor_count], u[K::results] = {};
    near_factors<typename K::Near, 1>(near, &r2, &inverse, factor);
    K::Near::add(factor[0], r[0], r[1], r[2], set.strength[j].data(), u);
    for (int a = 0; a < 3; ++a) {
      double const force = force_along<double>(
          at, a, [&](int m) { return set.strength[i][std::size_t(m)]; }, [&](int m) { return u[m]; });
      for (int b = 0; b < 3; ++b) sums[std::size_t(3 * a + b)] += force * (x[std::size_t(b)] - r[b] / 2);
    }
  };
  for (std::size_t i = 0; i < set.near_point.size(); ++i)
    for (std::size_t j = 0; j < set.near_point.size(); ++j)
      for (int k = -images[0]; k <= images[0]; ++k)
        for (int l = -images[1]; l <= images[1]; ++l)
          for (int m = -images[2]; m <= images[2]; ++m) add(i, j, {k * c.edge[0], l * c.edge[1], m * c.edge[2]});
  return sums;
}

enum class Body { portable, tuned, teams };

/// What the launcher of the .cu file does, on the host, with short lists of sources.
template <class T, class K, class A>
void run_teams(Buffers const& buffers, P2PArgs const& args) {
  using Program = ImagesTeam<T, K, A>;
  auto const source = [&](int i) {
    return SourceView<A>{buffers.get<float const>(3, 3 * i), buffers.size<float>(3, 3 * i) / 3,
                         buffers.get<A const>(3, 3 * i + 2), buffers.get<std::int32_t const>(3, 3 * i + 1)};
  };
  using Gather = ImagesGatherTeam<T, A>;
  ImagesLaunch<T, A> task{args,
                          buffers.get<EwaldTables<T> const>(0),
                          buffers.get<T const>(1),
                          buffers.get<std::int32_t const>(2),
                          buffers.size<T>(1) / 3,
                          source(args.own).packed,
                          buffers.get<double>(4)};
  auto part = unset<double>(std::size_t(task.parts()) * image_sums);
  task.part = part.data();
  HostTeam<NoState> team(Program::threads), gather(Gather::threads);
  in_lists_of<SourceView<A>>(5, args.neighbours.count(), source, [&](auto const& sources) {
    ImagesLaunchOf<T, A> const launch{task, sources};
    auto memory = unset<double>(std::size_t(Program::memory_size));
    for (int i = 0; i < task.parts(); ++i) Program::run(team, launch, i, memory.data());
    memory = unset<double>(std::size_t(Gather::memory_size));
    Gather::run(gather, launch, 0, memory.data());
  });
}

template <class T, class K, class A>
Sums sums_by(Body body, Cells const& cells, EwaldTables<T>& tables, BlockedSet<T>& set) {
  Sums sums{};
  for (int b = 0; b < cells.block_count(); ++b)
    for (PointRange const chunk : two_chunks(int(set.block[std::size_t(b)].count))) {
      Block const block = block_at(cells, b);
      auto& target = set.block[std::size_t(b)];
      Neighbours const around = neighbours(cells, block);
      P2PArgs const args{cells, block, chunk, around, around.place(block.at[0], block.at[1], block.at[2]), false};
      auto found = unset<double>(image_sums);
      LocalBuffers buffers;
      buffers.access().add(&tables, 1).access().add(target.near).access().add(target.offset).access();
      for (int i = 0; i < around.count(); ++i) {
        auto& s = set.block[std::size_t(around.block(cells, i))];
        buffers.add(s.rough).add(s.offset).add(s.template packed_in<A>());
      }
      buffers.access().add(found);
      switch (body) {
        case Body::portable: Images<T, K, A>::portable(buffers.view(), args); break;
        case Body::tuned: Images<T, K, A>::tuned(buffers.view(), args); break;
        case Body::teams: run_teams<T, K, A>(buffers.view(), args); break;
      }
      for (std::size_t m = 0; m < sums.size(); ++m) sums[m] += found[m];
    }
  return sums;
}

template <class T, class K, class A = T>
void check(Cells const& cells, double tolerance) {
  CAPTURE(cells.count[0]);
  CAPTURE(cells.blocks[0]);
  EwaldTables<T> tables;
  Profile const profile(Split::pswf, 20, cells.cutoff);
  tables.near = make_near_kernel<T>(profile, K::near_layers, 1e-13);
  BlockedSet<T> set(cells, 90, K::strengths, 3);
  auto const exact = direct<K>(cells, make_near_kernel<double>(profile, K::near_layers, 1e-13), set);
  double largest = 0;
  for (double const sum : exact) largest = std::max(largest, std::abs(sum));
  for (Body const body : {Body::tuned, Body::portable, Body::teams}) {
    if (body != Body::tuned && only_simd()) break;
    auto const found = sums_by<T, K, A>(body, cells, tables, set);
    for (std::size_t m = 0; m < found.size(); ++m) CHECK(std::abs(found[m] - exact[m]) < tolerance * largest);
  }
}

Cells make(std::array<int, 3> count, std::array<int, 3> blocks, double cutoff, int free) {
  Cells c;
  double const edge[3] = {1, 1.2, 0.9};
  for (std::size_t d = 0; d < 3; ++d) {
    c.edge[d] = c.face[d] = edge[d];
    c.count[d] = count[d];
    c.blocks[d] = blocks[d];
    c.periodic[d] = int(d) >= free;
  }
  c.cutoff = cutoff;
  return c;
}

template <class K>
void check_all() {
  for (int const free : {0, 2})
    for (auto const& [count, blocks, cutoff] : {std::tuple(std::array{1, 1, 1}, std::array{1, 1, 1}, 0.5),
                                                std::tuple(std::array{6, 7, 5}, std::array{3, 4, 1}, 0.3),
                                                std::tuple(std::array{6, 7, 5}, std::array{6, 7, 5}, 0.3)}) {
      Cells const cells = make(count, blocks, cutoff, free);
      check<double, K>(cells, 1e-12);
      check<double, K, float>(cells, 1e-6);
      check<float, K>(cells, 1e-4);
    }
}

}  // namespace

TEST_CASE("images: forces times positions, less what pairs across a face add, are the virial of all pairs") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  SUBCASE("charges") { check_all<LaplaceGradient>(); }
  SUBCASE("charges and dipoles") { check_all<ChargeDipoleHessian>(); }
}
