// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/fmm_p2p/fmm_p2p.hpp"
#include "codelets/fmm/l2p/l2p.hpp"
#include "codelets/fmm/p2m/p2m.hpp"
#include "codelets/fmm/translate/translate.hpp"
#include "core/kernels/kernels.hpp"
#include "core/kernels/pairs/direct.hpp"
#include "core/tree/vectors.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"

#include <nearfar/runtime.hpp>

#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <random>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// Random points in two boxes of one level (places on it), with strengths of `vectors` charge vectors.
template <class T, class K>
struct Points {
  static constexpr int strengths = K::strengths;
  int count[2], vectors;
  std::int64_t stride;
  std::vector<Leaf> leaf;
  AlignedVector<T> position, strength;

  Points(double corner, double half, std::array<std::array<int, 3>, 2> const& at, int n0, int n1, int v, unsigned seed)
      : count{n0, n1}, vectors(v), stride(n0 + n1 + 17) {
    T const nan = std::numeric_limits<T>::quiet_NaN();  // what lies behind the points must not matter
    position.assign(std::size_t(3 * stride), nan);
    strength.assign(std::size_t(vectors * strengths * stride), nan);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int b = 0, i = 0; b < 2; ++b) {
      leaf.push_back({{at[b][0], at[b][1], at[b][2]}, i, i + count[b]});
      for (int j = 0; j < count[b]; ++j, ++i) {
        for (int d = 0; d < 3; ++d)
          position[std::size_t(d * stride + i)] = T(corner + half * (2 * at[b][d] + 1 + uniform(random)));
        for (int m = 0; m < vectors * strengths; ++m) strength[std::size_t(m * stride + i)] = T(uniform(random));
      }
    }
  }
  int points() const { return count[0] + count[1]; }
};

/// What the sources first .. last give the targets, by core/kernels/pairs/direct.hpp in long double.
template <class K, class T>
std::vector<double> direct(Points<T, K> const& target, int i, Points<T, K> const& source, int first, int last,
                           int vector, std::array<double, 3> shift = {}) {
  std::vector<double> u(K::results);
  long double sum[K::results] = {};
  for (int j = first; j < last; ++j) {
    long double r[3], f[9];
    for (int d = 0; d < 3; ++d)
      r[d] = static_cast<long double>(target.position[std::size_t(d * target.stride + i)]) -
             source.position[std::size_t(d * source.stride + j)] - shift[std::size_t(d)];
    for (int m = 0; m < source.strengths; ++m)
      f[m] = source.strength[std::size_t((vector * source.strengths + m) * source.stride + j)];
    add_pair<K>(r, f, sum);
  }
  for (std::size_t m = 0; m < u.size(); ++m) u[m] = double(sum[m]);
  return u;
}

/// Relative l2 difference between two results.
template <class T>
double difference(AlignedVector<T> const& a, AlignedVector<T> const& b, std::int64_t stride, int points) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (int(i % std::size_t(stride)) < points) {
      error += std::pow(double(a[i]) - double(b[i]), 2);
      size += double(b[i]) * double(b[i]);
    }
  return std::sqrt(error / size);
}
template <class T>
constexpr double rounding = 64 * std::numeric_limits<T>::epsilon();

/// Relative l2 difference between a result and exact(i, vector), over all points.
template <class T, class Exact>
double error_of(AlignedVector<T> const& result, std::int64_t stride, int points, int vectors, Exact const& exact) {
  double error = 0, size = 0;
  for (int v = 0; v < vectors; ++v)
    for (int i = 0; i < points; ++i) {
      std::vector<double> const u = exact(i, v);
      for (std::size_t m = 0; m < u.size(); ++m) {
        double const got = double(result[(std::size_t(v) * u.size() + m) * std::size_t(stride) + std::size_t(i)]);
        error += std::pow(got - u[m], 2);
        size += u[m] * u[m];
      }
    }
  return std::sqrt(error / size);
}

template <class Stage, class Args>
void run(bool tuned, LocalBuffers& buffers, Args const& args) {
  if (tuned) Stage::tuned(buffers.view(), args);
  else Stage::portable(buffers.view(), args);
}

std::vector<std::int32_t> pair_table(std::vector<Range> const& ranges, std::vector<std::array<int, 6>> const& items) {
  std::vector<std::int32_t> words{int(ranges.size()), int(items.size()), 0, 0};
  for (Range const& r : ranges) words.insert(words.end(), {r.first, r.count});
  for (auto const& i : items) words.insert(words.end(), i.begin(), i.end());
  return words;
}

double const corner = -1, half = 0.125;  // level 3 of a root cube of half side 1

/// P2M, M2L, L2P between two pairs of boxes: every target box gets both source boxes.
template <class T, class K>
void check_far(int order, double tolerance) {
  CAPTURE(order);
  int const vectors = 2, rhs = vectors * K::Sums::rhs;
  Points<T, K> source(corner, half, {{{0, 1, 2}, {1, 1, 3}}}, 23, 40, vectors, 1);
  Points<T, K> target(corner, half, {{{3, 1, 0}, {3, 4, 1}}}, 9, 37, vectors, 2);
  auto operators = make_fmm_operators<T>(order, 1);
  std::vector<std::int32_t> words{4, 4, 0, 0}, interactions;
  for (int t = 0; t < 2; ++t)
    for (int s = 0; s < 2; ++s) {
      auto const &a = target.leaf[std::size_t(t)].at, &b = source.leaf[std::size_t(s)].at;
      words.insert(words.end(), {vector_id(a[0] - b[0], a[1] - b[1], a[2] - b[2], 1), 2 * t + s, 1});
      interactions.insert(interactions.end(), {t, 0, s});
    }
  words.insert(words.end(), interactions.begin(), interactions.end());
  AlignedVector<T> portable;
  for (bool tuned : {false, true}) {
    AlignedVector<T> multipole(std::size_t(expansion_size<T>(order, rhs, 2)), T(3)), local(multipole),
        result(std::size_t(vectors * K::results * target.stride), T(5));
    LocalBuffers p2m, m2l, l2p;
    p2m.access().add(source.leaf).access().add(source.position).access().add(source.strength).access().add(multipole);
    run<P2M<T, typename K::Sums>>(tuned, p2m, P2MArgs{order, vectors, half, corner});
    m2l.access().add(operators).access().add(words).access().add(multipole).access().add(local);
    run<M2L<T>>(tuned, m2l, M2LArgs{order, rhs, 1});
    l2p.access().add(target.leaf).access().add(target.position).access().add(local).access().add(result);
    run<L2P<T, typename K::Evaluation>>(tuned, l2p, L2PArgs{order, vectors, half, corner});
    CHECK(error_of(result, target.stride, target.points(), vectors,
                   [&](int i, int v) { return direct<K>(target, i, source, 0, source.points(), v); }) < tolerance);
  }
}

/// P2L and L2P: small target boxes, points of a larger leaf; M2P: the reverse.
template <class T, class K>
void check_unequal(int order, double tolerance) {
  CAPTURE(order);
  int const vectors = 2, rhs = vectors * K::Sums::rhs;
  Points<T, K> large(corner, 2 * half, {{{0, 0, 2}, {0, 1, 2}}}, 21, 35, vectors, 3);
  Points<T, K> small(corner, half, {{{4, 2, 3}, {4, 3, 0}}}, 30, 11, vectors, 4);
  int const components = K::results;
  double const edge = 2;
  int const images = K::kernel == Kernel::laplace ? 1 : 0;
  AlignedVector<T> portable[2];
  for (bool tuned : {false, true}) {
    {  // Box 0 gets all points, the second leaf's moved by one edge along -x; box 1 gets the first leaf.
      auto table = pair_table({{0, 2}, {2, 1}}, {{0, 0, 21, 0, 0, 0}, {0, 21, 56, -1, 0, 0}, {0, 0, 21, 0, 0, 0}});
      AlignedVector<T> local(std::size_t(expansion_size<T>(order, rhs, 2)), T(0)),
          result(std::size_t(vectors * components * small.stride), T(5));
      LocalBuffers p2l, l2p;
      p2l.access().add(small.leaf).access().add(table).access().add(large.position).add(large.strength);
      p2l.access().add(local);
      run<P2L<T, typename K::Sums>>(tuned, p2l, P2LArgs{order, vectors, half, corner, edge});
      l2p.access().add(small.leaf).access().add(small.position).access().add(local).access().add(result);
      run<L2P<T, typename K::Evaluation>>(tuned, l2p, L2PArgs{order, vectors, half, corner});
      CHECK(error_of(result, small.stride, small.points(), vectors, [&](int i, int v) {
              auto u = direct<K>(small, i, large, 0, 21, v);
              auto const moved = direct<K>(small, i, large, 21, 56, v, {-edge, 0, 0});
              for (std::size_t m = 0; i < 30 && m < u.size(); ++m) u[m] += moved[m];
              return u;
            }) < tolerance);
      if (tuned) CHECK(difference(result, portable[0], small.stride, small.points()) < rounding<T> * order);
      portable[0] = result;
    }
    {  // Leaf 0 gets both small boxes, the second as its image by one edge along -y (Laplace only); leaf 1 none.
      auto table = pair_table({{0, 2}, {2, 0}}, {{0, 0, 3, 4, 2, 3}, {0, 1, 3, 4, 3 - 8 * images, 0}});
      AlignedVector<T> multipole(std::size_t(expansion_size<T>(order, rhs, 2)), T(3)),
          result(std::size_t(vectors * components * large.stride), T(5));
      LocalBuffers p2m, m2p;
      p2m.access().add(small.leaf).access().add(small.position).access().add(small.strength).access().add(multipole);
      run<P2M<T, typename K::Sums>>(tuned, p2m, P2MArgs{order, vectors, half, corner});
      m2p.access().add(large.leaf).access().add(table).access().add(large.position).access().add(multipole);
      m2p.access().add(result);
      run<M2P<T, typename K::Evaluation>>(tuned, m2p, M2PArgs{order, vectors, corner});
      CHECK(error_of(result, large.stride, 56, vectors, [&](int i, int v) {
              if (i >= 21) return std::vector<double>(std::size_t(components));
              auto u = direct<K>(large, i, small, 0, 30, v);
              auto const moved = direct<K>(large, i, small, 30, 41, v, {0, -edge * images, 0});
              for (std::size_t m = 0; m < u.size(); ++m) u[m] += moved[m];
              return u;
            }) < tolerance);
      if (tuned) CHECK(difference(result, portable[1], large.stride, 56) < rounding<T> * order);
      portable[1] = result;
    }
  }
}

/// Two leaves of n and k points that are near each other, also across one face of the cell.
std::vector<std::int32_t> near_table(int n, int k) {
  return pair_table({{0, 3}, {3, 3}}, {{0, 0, n, 0, 0, 0},
                                       {0, n, n + k, 0, 0, 0},
                                       {0, n, n + k, -1, 0, 1},
                                       {0, 0, n, 0, 0, 0},
                                       {0, n, n + k, 0, 0, 0},
                                       {0, 0, n, 1, 0, -1}});
}

/// P2P: leaves of many and few points, images, points on top of each other.
template <class T, class K, class A = T>
void check_near(double tolerance) {
  int const vectors = 2, components = K::results;
  for (auto const& [n, k] :
       {std::pair{1, 26}, {5, 26}, {8, 26}, {20, 26}, {43, 26}, {90, 26}, {105, 5}, {180, 16}, {190, 5}}) {
    CAPTURE(n);
    CAPTURE(k);
    Points<T, K> points(corner, half, {{{0, 1, 2}, {1, 1, 2}}}, n, k, vectors, 5);
    for (int d = 0; d < 3; ++d)  // the last two points at one place
      points.position[std::size_t(d * points.stride + n + k - 1)] =
          points.position[std::size_t(d * points.stride + n + k - 2)];
    auto table = near_table(n, k);
    double const edge = 0.5;
    // Tuned, with targets that are not told to be the sources, and that are.
    for (int way : {0, 1, 2}) {
      AlignedVector<T> result(std::size_t(vectors * components * points.stride), T(5));
      LocalBuffers p2p;
      p2p.access().add(points.leaf).access().add(table).access().add(points.position);
      p2p.access().add(points.position).add(points.strength).access().add(result);
      CAPTURE(way);
      CAPTURE(K::symbol);
      run<FmmP2P<T, K, A>>(way > 0, p2p, FmmP2PArgs{vectors, edge, {1, 1, 1}, way == 2 ? 0 : -1, half});
      CHECK(error_of(result, points.stride, points.points(), vectors, [&](int i, int v) {
              auto u = direct<K>(points, i, points, 0, points.points(), v);
              double const image = i < n ? -edge : edge;
              auto const moved = direct<K>(points, i, points, i < n ? n : 0, i < n ? n + k : n, v, {image, 0, -image});
              for (std::size_t m = 0; m < u.size(); ++m) u[m] += moved[m];
              return u;
            }) < tolerance);
    }
  }
}

/// Pairs at distances down to what positions can tell apart, within leaves, across the face between them, and across a
/// face of the cell: each target by itself must be right.
template <class K>
void check_close() {
  int const n = 72, k = 80, components = K::results;
  double const edge = 0.5;
  Points<double, K> points(corner, half, {{{0, 1, 2}, {1, 1, 2}}}, n, k, 1, 8);
  for (double& f : points.strength) f = 1 + 0.2 * f;  // no scalar product with them cancels
  auto const x = [&](int d, int i) -> double& { return points.position[std::size_t(d * points.stride + i)]; };
  double const face = corner + 2 * half, other_side[3] = {edge, 0, -edge};  // from leaf 1 to its image beside leaf 0
  for (int i = 0; i < 22; ++i) {
    double const distance = half * std::pow(10.0, -0.75 * i);
    for (int d = 0; d < 3; ++d) {
      double const apart = (d == 1 ? -1 : 1) * distance / 3;
      x(d, n + 2 * i + 1) = x(d, n + 2 * i) + apart;         // within leaf 1
      x(d, n + 44 + i) = (d == 0 ? face : x(d, i)) + apart;  // leaf 1 beside a point of leaf 0
      if (d == 0) x(d, i) = face - apart;
      if (i < 8) x(d, n + 66 + i) = x(d, 30 + i) + other_side[d] + apart;  // leaf 1 beside an image of leaf 0
    }
  }
  auto table = near_table(n, k);
  for (int own : {-1, 0}) {
    CAPTURE(own);
    AlignedVector<double> result(std::size_t(components * points.stride), 5.0);
    LocalBuffers p2p;
    p2p.access().add(points.leaf).access().add(table).access().add(points.position);
    p2p.access().add(points.position).add(points.strength).access().add(result);
    FmmP2P<double, K, float>::tuned(p2p.view(), FmmP2PArgs{1, edge, {1, 1, 1}, own, half});
    for (int i = 0; i < n + k; ++i) {
      CAPTURE(i);
      auto u = direct<K>(points, i, points, 0, n + k, 0);
      double const image = i < n ? -edge : edge;
      auto const moved = direct<K>(points, i, points, i < n ? n : 0, i < n ? n + k : n, 0, {image, 0, -image});
      double error = 0, size = 0;
      for (std::size_t m = 0; m < u.size(); ++m) {
        error = std::max(error, std::abs(result[m * std::size_t(points.stride) + std::size_t(i)] - u[m] - moved[m]));
        size = std::max(size, std::abs(u[m] + moved[m]));
      }
      CHECK(error < 2e-6 * (size + 100));
    }
  }
}

}  // namespace

TEST_CASE("points to points through expansions, against the direct sum") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  // Errors fall by a factor of two per order and more, until rounding.
  double const at_6 = 1e-3, at_14 = 4e-6, at_26 = 2e-9;
  for (auto const& [order, tolerance] : {std::pair{6, at_6}, std::pair{14, at_14}, std::pair{26, at_26}}) {
    check_far<double, Laplace>(order, tolerance);
    check_far<double, LaplaceGradient>(order, tolerance);
    check_far<double, Stokeslet>(order, tolerance);
    check_far<double, Stresslet>(order, 10 * tolerance);
    check_far<double, Stokes>(order, 10 * tolerance);
    check_unequal<double, Laplace>(order, tolerance);
    check_unequal<double, LaplaceGradient>(order, tolerance);
    check_unequal<double, Stokeslet>(order, tolerance);
    check_unequal<double, Stresslet>(order, 10 * tolerance);
    check_unequal<double, Stokes>(order, 10 * tolerance);
    check_far<double, LaplaceHessian>(order, 10 * tolerance);
    check_far<double, StokesletGradient>(order, 10 * tolerance);
    check_far<double, StokesGradient>(order, 40 * tolerance);
    check_far<double, RotletGradient>(order, 10 * tolerance);
    check_far<double, DoubletGradient>(order, 40 * tolerance);
    check_far<double, ChargeDipoleHessian>(order, 40 * tolerance);
    check_unequal<double, LaplaceHessian>(order, 10 * tolerance);
    check_unequal<double, StressletGradient>(order, 40 * tolerance);
    check_unequal<double, RotletGradient>(order, 10 * tolerance);
    check_unequal<double, Doublet>(order, 10 * tolerance);
    check_unequal<double, DipoleHessian>(order, 40 * tolerance);
  }
  check_far<float, LaplaceHessian>(6, 10 * at_6);
  check_far<float, StokesGradient>(6, 40 * at_6);
  check_far<float, LaplaceGradient>(6, at_6);
  check_far<float, Stokes>(6, 10 * at_6);
  check_far<float, LaplaceGradient>(14, at_14);
  check_far<float, Stokes>(14, 40 * at_14);
  check_unequal<float, LaplaceGradient>(14, at_14);
}

TEST_CASE("points to points pair by pair, against the direct sum") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  check_near<double, Laplace>(1e-14);
  check_near<double, LaplaceGradient>(1e-14);
  check_near<double, Stokeslet>(1e-14);
  check_near<double, Stresslet>(1e-14);
  check_near<double, Stokes>(1e-14);
  check_near<double, LaplaceHessian>(1e-14);
  check_near<double, StokesletGradient>(1e-14);
  check_near<double, StokesGradient>(1e-14);
  check_near<double, RotletGradient>(1e-14);
  check_near<double, DoubletPressure>(1e-14);
  check_near<float, StressletGradient>(2e-6);
  check_near<double, LaplaceHessian, float>(1e-6);
  check_near<double, StokesGradient, float>(1e-6);
  check_near<double, RotletGradient, float>(1e-6);
  check_near<float, LaplaceGradient>(2e-6);
  check_near<float, Stokes>(2e-6);
  check_near<double, Laplace, float>(3e-7);
  check_near<double, LaplaceGradient, float>(5e-7);
  check_near<double, Stokeslet, float>(3e-7);
  check_near<double, Stresslet, float>(8e-7);
  check_near<double, Stokes, float>(5e-7);
}

TEST_CASE("pairs in single precision inside a solve in double: close ones keep all digits of their distance") {
  check_close<Laplace>();
  check_close<LaplaceGradient>();
  check_close<Stokeslet>();
  check_close<Stresslet>();
  check_close<Stokes>();
}
