// SPDX-License-Identifier: BSD-3-Clause
// Softened pairs as GPUs sum them, on the host: those of leaves, and those of a review.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"  // of GpuArguments, whose braces are left out
#include "codelets/fmm/soft_p2p/soft_p2p.cu"

#include "codelets/fmm/soft_p2p/soft_p2p.hpp"
#include "codelets/near/check/check_team.hpp"
#include "codelets/near/check/soft_check.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/host_team.hpp"
#include "tests/codelets/local_buffers.hpp"

#include <nearfar/runtime.hpp>

#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <random>

using namespace nearfar;
using namespace nearfar::test;

namespace {

constexpr int vectors = 2;
constexpr double softening = 0.07;

/// Charges within a cube, the first two at one place.
template <class T>
struct Charges {
  int count;
  std::int64_t stride;
  AlignedVector<T> position, strength;

  Charges(int n, unsigned seed)
      : count(n), stride(n + 16), position(std::size_t(3 * stride), T(NAN)),
        strength(std::size_t(vectors * stride), T(NAN)) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (int i = 0; i < n; ++i) {
      for (int d = 0; d < 3; ++d) position[at(d, i)] = i == 1 ? position[at(d, 0)] : T(uniform(random));
      for (int c = 0; c < vectors; ++c) strength[at(c, i)] = T(uniform(random));
    }
  }
  std::size_t at(int row, int i) const { return std::size_t(row * stride + i); }
};

/// Potential, gradient and second derivatives at a point from the charges first .. last, by the definition.
template <class T>
void add(std::array<long double, 10>& sum, std::array<T, 3> const& x, Charges<T> const& from, int first, int last,
         int vector) {
  for (int j = first; j < last; ++j) {
    long double r[3], square = 0;
    for (int d = 0; d < 3; ++d) {
      r[d] = (long double)(x[std::size_t(d)]) - from.position[from.at(d, j)];
      square += r[d] * r[d];
    }
    if (square == 0) continue;
    long double const inverse = 1 / std::sqrt(square + (long double)(softening)*softening),
                      cube = inverse * inverse * inverse, q = from.strength[from.at(vector, j)];
    sum[0] += q * inverse;
    for (std::size_t d = 0; d < 3; ++d) sum[1 + d] -= q * r[d] * cube;
    for (std::size_t d = 0, k = 4; d < 3; ++d)
      for (std::size_t e = d; e < 3; ++e, ++k)
        sum[k] += q * (3 * r[d] * r[e] * cube * inverse * inverse - (d == e ? cube : 0));
  }
}

/// Relative l2 difference of the first points of rows, over all vectors, from exact(i, vector).
template <class U, class Exact>
double error_of(AlignedVector<U> const& got, std::int64_t stride, int points, int results, Exact const& exact) {
  long double wrong = 0, all = 0;
  for (int v = 0; v < vectors; ++v)
    for (int i = 0; i < points; ++i) {
      auto const right = exact(i, v);
      for (int m = 0; m < results; ++m) {
        long double const is = got[std::size_t((v * results + m) * stride + i)];
        wrong += std::pow(is - right[std::size_t(m)], 2);
        all += std::pow(right[std::size_t(m)], 2);
      }
    }
  return double(std::sqrt(wrong / all));
}

/// Three leaves of a block and sources in two blocks: the leaf of most points is summed by four pieces of its targets,
/// another one by three parts of its sources.
template <class T, class K>
void check_leaves(double tolerance) {
  CAPTURE(K::symbol);
  Charges<T> const own(240, 1), other(330, 2);
  std::vector<Leaf> leaf{{{0, 0, 0}, 0, 200}, {{1, 0, 0}, 200, 203}, {{1, 1, 0}, 203, 240}};
  std::vector<std::int32_t> table{3, 4, 0, 0, 0, 2, 2, 1, 3, 1};
  std::vector<std::array<int, 3>> const runs{{0, 0, 240}, {1, 5, 17}, {1, 0, 330}, {0, 200, 240}};
  for (auto const& [buffer, first, last] : runs) table.insert(table.end(), {buffer, first, last, 0, 0, 0});
  for (int word : {0, 1, 252, 4, 3, 330, 7, 1, 40, 8, 1, 0}) table.push_back(word);
  SoftP2PArgs const args{{vectors, 0, {1, 1, 1}, -1, 1}, softening * softening};
  auto const run = [&](auto const& body) {
    AlignedVector<T> result(std::size_t(vectors * K::results * own.stride), T(NAN));
    LocalBuffers b;
    b.access().add(leaf).access().add(table).access().add(const_cast<AlignedVector<T>&>(own.position)).access();
    for (auto const* from : {&own, &other})
      b.add(const_cast<AlignedVector<T>&>(from->position)).add(const_cast<AlignedVector<T>&>(from->strength));
    b.access().add(result);
    body(b.view());
    CHECK(error_of(result, own.stride, own.count, K::results, [&](int i, int v) {
            std::array<long double, 10> sum{};
            std::array<T, 3> x;
            for (int d = 0; d < 3; ++d) x[std::size_t(d)] = own.position[own.at(d, i)];
            int const l = i < 200 ? 0 : i < 203 ? 1 : 2;
            for (int k = table[std::size_t(4 + 2 * l)], end = k + table[std::size_t(5 + 2 * l)]; k < end; ++k) {
              auto const& [buffer, first, last] = runs[std::size_t(k)];
              add(sum, x, buffer == 0 ? own : other, first, last, v);
            }
            return sum;
          }) < tolerance);
  };
  run([&](Buffers const& b) { SoftP2P<T, K>::portable(b, args); });
  run([&](Buffers const& b) { SoftP2P<T, K>::tuned(b, args); });
  run([&](Buffers const& b) {
    auto launch = FmmP2PLaunch<T>::of(b, args.pairs);
    launch.softening_squared = T(args.softening_squared);
    for (int most : {1, 2})  // the second time it is right to add to nothing
      in_lists_of<PairSources<T>>(
          most, 2, [&](int i) { return PairSources<T>::of(b, 3, i); },
          [&](auto const& sources) { launch_soft_p2p<K>(launch, sources, nullptr); });
  });
}

/// What CheckQueue does.
template <class T, class K>
void check_by_teams(Buffers const& b, CheckArgs const& args) {
  using Program = CheckTeam<K, T, SoftInverse<Lanes<double>>>;
  using Gather = CheckGatherTeam<T>;
  CheckLaunch<T> launch{args, b.get<double const>(0), b.size<double>(0) / 3, b.get<std::int32_t const>(1),
                        b.get<double>(3)};
  std::int64_t const numbers = args.vectors * K::results * launch.targets;
  auto part = unset<double>(std::size_t(8 * numbers));
  launch.part = part.data();
  for (int k = 0; k < b.items<LeafSources>(2); ++k) {
    launch.first_piece += launch.pieces;
    launch.block = k;
    launch.position = b.get<T const>(2, k, &LeafSources::position);
    launch.strength = b.get<T const>(2, k, &LeafSources::strengths);
    launch.stride = b.size<T>(2, k, &LeafSources::position) / 3;
    launch.pieces = CheckLaunch<T>::pieces_for(launch.stride);
    gpu_run_teams<Program, double>(Program::blocks(launch), nullptr, launch, "");
  }
  launch.pieces += launch.first_piece;
  gpu_run_teams<Gather, double>(Gather::blocks(numbers), nullptr, GpuArguments{launch, numbers}, "");
}

template <class T, class K>
void check_review() {
  CAPTURE(K::symbol);
  Charges<T> const one(530, 3), two(33, 4);
  Charges<double> sample(48, 5);
  for (int d = 0; d < 3; ++d) sample.position[sample.at(d, 7)] = double(one.position[one.at(d, 20)]);
  AlignedVector<double> targets;
  for (int d = 0; d < 3; ++d)
    for (int i = 0; i < sample.count; ++i) targets.push_back(sample.position[sample.at(d, i)]);
  std::vector<std::int32_t> count{530, 33};
  CheckArgs const args{vectors, 0, 0, {1, 1, 1}, softening * softening};
  for (auto const& body : {SoftCheck<T, K>::portable, check_by_teams<T, K>}) {
    AlignedVector<double> sums(std::size_t(vectors * K::results * sample.count), NAN);
    LocalBuffers b;
    b.access().add(targets).access().add(count).access();
    for (auto const* from : {&one, &two})
      b.add(const_cast<AlignedVector<T>&>(from->position)).add(const_cast<AlignedVector<T>&>(from->strength));
    b.access().add(sums);
    body(b.view(), args);
    CHECK(error_of(sums, sample.count, sample.count, K::results, [&](int i, int v) {
            std::array<long double, 10> sum{};
            for (auto const* from : {&one, &two}) {
              for (int j = 0; j < from->count; ++j) {
                Charges<double> at(1, 1);
                for (int d = 0; d < 3; ++d) at.position[at.at(d, 0)] = double(from->position[from->at(d, j)]);
                for (int c = 0; c < vectors; ++c) at.strength[at.at(c, 0)] = double(from->strength[from->at(c, j)]);
                std::array<double, 3> x;
                for (int d = 0; d < 3; ++d) x[std::size_t(d)] = sample.position[sample.at(d, i)];
                add(sum, x, at, 0, 1, v);
              }
            }
            return sum;
          }) < 1e-13);
  }
}

}  // namespace

TEST_CASE("softened pairs of leaves by teams of a GPU, tuned and portable, against the definition") {
  Runtime const runtime({.cpus = 1, .gpus = 0});  // the portable bodies run through its Kokkos
  check_leaves<double, Laplace>(1e-13);
  check_leaves<double, LaplaceGradient>(1e-13);
  check_leaves<double, LaplaceHessian>(1e-13);
  check_leaves<float, Laplace>(1e-5);
  check_leaves<float, LaplaceGradient>(1e-5);
}

TEST_CASE("softened sums of a review by teams of a GPU and portable, against the definition") {
  check_review<double, LaplaceGradient>();
  check_review<double, LaplaceHessian>();
  check_review<float, Laplace>();
}
