// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/translate/translate.hpp"

#include "core/fmm/direct_shift.hpp"
#include "core/tree/vectors.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"

#include <nearfar/runtime.hpp>

#include <array>
#include <cmath>
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace nearfar;
using namespace nearfar::test;

namespace {

enum class Which { m2m, m2l, l2l };

/// The natural size of coefficient number i of a packed expansion: of unit charges within a unit sphere, or far away.
double natural_size(bool local, int i) {
  int const n = int(std::sqrt(i + 0.5)), m = (i - n * n + 1) / 2;
  double const w = std::sqrt(std::tgamma(n - m + 1.0) * std::tgamma(n + m + 1.0));
  return local ? w * std::pow(0.25, n) : 1 / w;
}

/// Boxes of two source blocks, their expansions random, of natural size.
template <class T>
struct Boxes {
  int order, rhs, stride;
  AlignedVector<T> block[2];
  static constexpr int boxes = 40;

  Boxes(bool local, int p, int r, unsigned seed) : order(p), rhs(r), stride(expansion_stride<T>(p)) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (auto& b : block) {
      b.assign(std::size_t(expansion_size<T>(order, rhs, boxes)), T(0));
      for (int e = 0; e < boxes * rhs; ++e)
        for (int i = 0; i < coefficient_count(order); ++i)
          b[std::size_t(e * stride + i)] = T(uniform(random) * natural_size(local, i));
    }
  }
  std::vector<double> expansion(int buffer, int local, int r) const {
    auto const* first = block[buffer].data() + (local * rhs + r) * stride;
    return std::vector<double>(first, first + coefficient_count(order));
  }
};

/// A run table over all `keys`, each with as many interactions as fit, by twos from both source blocks.
struct Interactions {
  std::vector<std::int32_t> words;
  std::vector<Run> runs;
  std::vector<Interaction> interactions;

  Interactions(std::vector<int> const& keys, std::vector<int> const& counts, unsigned seed) {
    std::mt19937 random(seed);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      int const count = counts[k % counts.size()];
      runs.push_back({keys[k], int(interactions.size()), count});
      for (int i = 0; i < count; ++i)
        interactions.push_back({int((7 * i + int(k)) % 40), int(random() % 2), int(random() % 40)});
    }
    words = {int(runs.size()), int(interactions.size()), 0, 0};
    for (Run const& r : runs) words.insert(words.end(), {r.key, r.first, r.count});
    for (Interaction const& l : interactions) words.insert(words.end(), {l.target, l.buffer, l.local});
  }
};

template <class Stage, class T, class Args>
AlignedVector<T> run(bool tuned, std::vector<T>& operators, Interactions& interactions, Boxes<T>& boxes,
                     AlignedVector<T> target, Args const& args) {
  LocalBuffers buffers;
  buffers.access().add(operators).access().add(interactions.words).access().add(boxes.block[0]).add(boxes.block[1]);
  buffers.access().add(target);
  if (tuned) Stage::tuned(buffers.view(), args);
  else Stage::portable(buffers.view(), args);
  return target;
}

/// Largest difference over all coefficients, in units of their natural size and relative to the largest of the degree.
template <class T>
double difference(bool local, int order, int rhs, AlignedVector<T> const& a,
                  std::vector<std::vector<double>> const& b) {
  int const stride = expansion_stride<T>(order);
  double most = 0;
  for (int n = 0; n <= order; ++n) {
    double size = 0, error = 0;
    for (int e = 0; e < 40 * rhs; ++e)
      for (int i = n * n; i < (n + 1) * (n + 1); ++i) {
        double const exact = b[std::size_t(e)][std::size_t(i)], unit = natural_size(local, i);
        size = std::max(size, std::abs(exact) / unit);
        error = std::max(error, std::abs(double(a[std::size_t(e * stride + i)]) - exact) / unit);
      }
    most = std::max(most, error / size);
  }
  return most;
}

template <class T, class Stage, class Args>
void check(Which which, int order, int rhs, int separation, Args args, double tolerance, std::vector<int> const& counts,
           std::array<double, 3> const& aspect) {
  CAPTURE(order);
  CAPTURE(separation);
  args.order = order;
  args.rhs = rhs;
  if constexpr (requires { args.separation; }) args.separation = separation;
  auto operators = make_fmm_operators<T>(order, separation, aspect);
  std::vector<int> keys;
  if (which == Which::m2l)
    for (int id = 0; id < vector_count(separation); ++id) {
      int d[3];
      vector_of(id, separation, d);
      if (std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])}) > separation) keys.push_back(id);
    }
  else keys = {0, 1, 2, 3, 4, 5, 6, 7};
  if (which == Which::m2l && separation == 1) CHECK(keys.size() == 316);
  if (which == Which::m2l && separation == 2) CHECK(keys.size() == 1206);

  Boxes<T> boxes(which == Which::l2l, order, rhs, 5);
  Interactions interactions(keys, counts, 6);
  std::vector<std::vector<double>> exact(std::size_t(40 * rhs),
                                         std::vector<double>(std::size_t(coefficient_count(order))));
  AlignedVector<T> target(boxes.block[0].size(), T(which == Which::l2l ? 0 : 7));
  for (std::size_t k = 0; k < interactions.runs.size(); ++k) {
    Run const& r = interactions.runs[k];
    double d[3];
    if (which == Which::m2l) {
      int v[3];
      vector_of(r.key, separation, v);
      for (int i = 0; i < 3; ++i) d[i] = 2.0 * v[i] * aspect[std::size_t(i)];
    } else {
      for (int i = 0; i < 3; ++i) d[i] = ((r.key >> (2 - i) & 1) != 0 ? 0.5 : -0.5) * aspect[std::size_t(i)];
    }
    for (int i = r.first; i < r.first + r.count; ++i)
      for (int q = 0; q < rhs; ++q) {
        Interaction const& l = interactions.interactions[std::size_t(i)];
        auto source = boxes.expansion(l.buffer, l.local, q);
        auto& out = exact[std::size_t(l.target * rhs + q)];
        std::vector<double> part(out.size());
        if (which == Which::m2l) multipole_to_local(order, d, source.data(), out.data());
        if (which == Which::m2m) {
          for (int n = 0; n <= order; ++n)
            for (int c = n * n; c < (n + 1) * (n + 1); ++c) source[std::size_t(c)] *= std::ldexp(1.0, -n);
          shift_multipole(order, d, source.data(), out.data());
        }
        if (which == Which::l2l) {
          shift_local(order, d, source.data(), part.data());
          for (int n = 0; n <= order; ++n)
            for (int c = n * n; c < (n + 1) * (n + 1); ++c)
              out[std::size_t(c)] += part[std::size_t(c)] * std::ldexp(1.0, -n - 1);
        }
      }
  }
  auto const portable = run<Stage>(false, operators, interactions, boxes, target, args);
  auto const tuned = run<Stage>(true, operators, interactions, boxes, target, args);
  CHECK(difference(which != Which::m2m, order, rhs, portable, exact) < tolerance);
  CHECK(difference(which != Which::m2m, order, rhs, tuned, exact) < tolerance);
}

template <class T>
void check_all(int order, int rhs, int separation, double tolerance,
               std::vector<int> const& counts = {1, 3, 2, 1, 0, 8, 2, 17, 1, 1, 35},
               std::array<double, 3> const& aspect = {1, 1, 1}) {
  check<T, M2M<T>>(Which::m2m, order, rhs, separation, M2MArgs{}, tolerance, counts, aspect);
  check<T, M2L<T>>(Which::m2l, order, rhs, separation, M2LArgs{}, tolerance, counts, aspect);
  check<T, L2L<T>>(Which::l2l, order, rhs, separation, L2LArgs{}, tolerance, counts, aspect);
}

}  // namespace

TEST_CASE("shifts by rotation equal direct shifts, for all vectors; tuned and portable") {
  Runtime const runtime;  // the portable bodies run through its Kokkos
  for (int order : {0, 1, 2, 3, 4, 7, 10}) check_all<double>(order, 1, 1, 1e-12);
  for (int order : {1, 5, 8}) check_all<float>(order, 1, 1, 1e-5);
  check_all<double>(5, 4, 1, 1e-12);
  check_all<float>(4, 3, 1, 1e-5);
  check_all<double>(4, 1, 2, 1e-12);
  for (int order : {14, 20, 30}) check_all<double>(order, 1, 1, 1e-12, {1});
  check_all<float>(14, 1, 1, 1e-5, {1, 2});
  check_all<double>(6, 1, 1, 1e-12, {1, 2}, {0.8, 1, 0.7});
}
