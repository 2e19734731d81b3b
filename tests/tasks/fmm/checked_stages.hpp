// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/description.hpp"
#include "core/kernels/kernels.hpp"
#include "tasks/engine/solve/submit.hpp"
#include "tasks/fmm/graph.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/tasks/problem.hpp"

#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace nearfar::test {

/// How far two bodies of a stage are apart over all tasks: l2, relative, the worst coefficient of the expansions.
class Differences {
 public:
  void clear() { sums_.clear(); }
  template <class T>
  void add(std::string const& stage, T const* wanted, T const* got, std::int64_t size, int period) {
    std::lock_guard const lock(mutex_);
    auto& sums = sums_[stage];
    sums.resize(std::size_t(period));
    for (std::int64_t i = 0; i < size; ++i) {
      auto& sum = sums[std::size_t(i % period)];
      double const error = double(got[i]) - double(wanted[i]);
      sum.first += std::isnan(error) ? INFINITY : error * error;
      sum.second += double(wanted[i]) * double(wanted[i]);
    }
  }
  std::map<std::string, double> worst() const {
    std::map<std::string, double> worst;
    for (auto const& [stage, sums] : sums_)
      for (auto const& [error, size] : sums)
        worst[stage] = std::max(worst[stage], error == 0 ? 0 : std::sqrt(error / size));
    return worst;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<std::pair<double, double>>> sums_;
};

/// A stage that runs twice: by its tuned body, whose results go on, and by Means::run<S>, which must give the same.
template <class S, class T, class Means>
struct Checked {
  using Args = typename S::Args;
  using Accesses = typename S::Accesses;
  static constexpr char const* name = S::name;
  static char const* symbol() {
    static std::string const s = std::string("checked_") + symbol_of<S>();
    return s.c_str();
  }
  static void portable(Buffers const& b, Args const& args) {
    constexpr int last = Accesses::size - 1;
    constexpr bool adds = std::is_same_v<Accesses, AccessList<Read, Read, ReadMany, ReadWrite>> ||
                          std::is_same_v<Accesses, AccessList<Read, Read, ReadEach<LeafSources>, ReadWrite>>;
    std::string const stage = name;
    T* const result = b.get<T>(last);
    std::int64_t const size = b.size<T>(last);
    if (!adds) std::fill_n(result, size, T(0));
    AlignedVector<T> other(result, result + size);
    if constexpr (TunedStage<S>) S::tuned(b, args);
    else S::portable(b, args);
    LocalBuffers again;
    for (int a = 0; a < last; ++a) {
      again.access();
      for (int i = 0; i < b.count(a); ++i) again.add(b.get<char>(a, i), std::size_t(b.size<char>(a, i)));
    }
    again.access().add(other);
    Means::template run<S>(again.view(), args);
    int period = 1;
    if constexpr (requires { args.order; })
      if (stage != "l2p" && stage != "m2p") period = expansion_stride<T>(args.order);
    Means::differences().add(stage, result, other.data(), size, period);
  }
};

/// A: the precision of pairs.
template <class T, class K, class Means, class A = T>
struct CheckedStages {
  using Number = T;
  static constexpr int rhs = K::Sums::rhs;
  static constexpr UnitShape unit = describe<K>().unit;
  static constexpr RowShape results = describe<K>().result_shape;

  using P2M = Checked<nearfar::P2M<T, typename K::Sums>, T, Means>;
  using M2M = Checked<nearfar::M2M<T>, T, Means>;
  using M2L = Checked<nearfar::M2L<T>, T, Means>;
  using L2L = Checked<nearfar::L2L<T>, T, Means>;
  using L2P = Checked<nearfar::L2P<T, typename K::Evaluation>, T, Means>;
  using P2P = Checked<nearfar::FmmP2P<T, K, A>, T, Means>;
  using Lattice = Checked<nearfar::Lattice<T>, T, Means>;
  using P2L = Checked<nearfar::P2L<T, typename K::Sums>, T, Means>;
  using M2P = Checked<nearfar::M2P<T, typename K::Evaluation>, T, Means>;
  using Field = Checked<nearfar::CellField<T, K::Evaluation::slopes>, T, Means>;
};

/// Moves the first four points: two are close across a corner of the cell, two across a face. Whoever rounds their
/// differences is far off.
template <class T>
void put_pairs_across_faces(std::vector<T>& x, std::array<double, 3> const& box) {
  double const near = 1000.3 * double(std::numeric_limits<T>::epsilon());  // not a number of last digits of an edge
  for (std::size_t d = 0; d < 3; ++d) {
    T const low = T(near), high = T(box[d] - near), inside = T(0.3);
    x[d] = d == 1 ? high : low;
    x[3 + d] = d == 1 ? low : high;
    x[6 + d] = d == 0 ? low : inside;
    x[9 + d] = d == 0 ? high : inside;
  }
}

/// A solve of which every task is checked; the worst difference of each stage.
template <class T, class K, class Means, class A>
std::map<std::string, double> check_stages(Runtime const& runtime, FmmOptions options, std::size_t count, int vectors) {
  using Stages = CheckedStages<T, K, Means, A>;
  options.kernel = K::kernel;
  options.outputs = K::outputs;
  options.tolerance = std::is_same_v<T, double> ? 1e-6 : 1e-3;
  Problem<T> p(count, K::strengths * vectors);
  // Half of the points in a corner, so that adaptive trees have leaves on several levels.
  for (std::size_t i = 0; i < 3 * (count / 2); ++i) p.x[i] = T(0.01) + T(0.1) * p.x[i];
  if (options.periodicity == Periodicity::xyz) put_pairs_across_faces(p.x, options.box);
  std::vector<T> u(count * std::size_t(K::results * vectors));
  BasicFmm<T> plan(runtime, options);
  auto const points = plan.set_points(p.x);
  Means::differences().clear();
  detail::submit_solve(runtime.shared(), {}, {.implementation = Implementation::portable}, [&](detail::Graph& graph) {
    auto const stages = detail::FmmStages::of<Stages>();
    detail::GivenStrengths<T> given{.rows = p.f, .row = K::strengths * vectors, .largest = {}};
    auto const job = detail::make_fmm_job<T>(graph.solve(), *points.set(), vectors, stages, {given, u});
    detail::build_fmm_graph(graph, job, stages);
  }).wait();
  return Means::differences().worst();
}

/// All kinds of trees, kernels and orders: all differences are rounding.
template <class Means>
void check_all_stages(Runtime const& runtime) {
  int checked = 0;
  std::set<std::string> stages;
  auto const one = [&]<class T, class K, class A = T>(FmmOptions const& options, int vectors = 1,
                                                      std::size_t count = 700) {
    for (auto const& [stage, difference] : check_stages<T, K, Means, A>(runtime, options, count, vectors)) {
      double const rounding = stage == "leaf_p2p" && sizeof(A) < sizeof(T) ? 1e-6 : sizeof(T) == 8 ? 1e-13 : 1e-5;
      CAPTURE(stage);
      CAPTURE(K::symbol);
      CAPTURE(sizeof(T));
      CAPTURE(options.order.value_or(0));
      CHECK(difference < rounding);
      ++checked;
      stages.insert(stage);
    }
  };
  FmmOptions const dense{.depth = 2}, periodic{.periodicity = Periodicity::xyz, .box = {1, 1.1, 0.9}, .depth = 2};
  auto with = [](FmmOptions options, int order) {
    options.order = order;
    return options;
  };
  one.template operator()<double, LaplaceGradient>({.depth = 3});
  for (int order : {3, 8, 12, 20}) {
    one.template operator()<double, LaplaceGradient>(with({.depth = 6, .capacity = 20}, order));
    one.template operator()<double, Laplace>(with(dense, order), 2);
  }
  one.template operator()<double, LaplaceGradient>(periodic);
  one.template operator()<double, Laplace>(with(periodic, 5), 3);
  one.template operator()<double, LaplaceGradient>({.order = 6, .depth = 3, .well_separation = 2});
  one.template operator()<float, LaplaceGradient>({.order = 5, .depth = 3, .well_separation = 2});
  one.template operator()<double, Stokeslet>(dense);
  one.template operator()<double, Stresslet>(with(dense, 4), 2);
  one.template operator()<double, Stokes>({.order = 5, .depth = 5, .capacity = 20});
  one.template operator()<double, Stokes>(with(dense, 13));
  one.template operator()<float, LaplaceGradient>({.depth = 3});
  one.template operator()<float, Laplace>(periodic);
  one.template operator()<float, Stokeslet>(dense, 2);
  one.template operator()<float, Stresslet>(dense);
  one.template operator()<float, Stokes>(dense);
  // Second slopes, in rows of all numbers.
  one.template operator()<double, LaplaceHessian>(periodic);
  one.template operator()<double, LaplaceHessian>({.order = 7, .depth = 6, .capacity = 8}, 2);
  one.template operator()<double, StokesGradient>({.order = 9, .depth = 6, .capacity = 8}, 2);
  one.template operator()<float, RotletGradient>({.order = 4, .depth = 6, .capacity = 8});
  one.template operator()<double, StokesletGradient, float>({.order = 4, .depth = 6, .capacity = 20});
  one.template operator()<double, LaplaceHessian>({.order = 30, .depth = 4, .capacity = 12}, 1, 300);
  // Force dipoles have charges for one sum of four.
  one.template operator()<double, DoubletGradient>({.order = 9, .depth = 6, .capacity = 8}, 2);
  one.template operator()<float, Doublet>(dense);
  one.template operator()<double, DipoleHessian>(periodic);
  // A leaf with more points than a block has threads, and nothing but P2P.
  one.template operator()<double, LaplaceGradient>(with({.depth = 0}, 4));
  // Boxes beside larger and smaller leaves.
  one.template operator()<float, Stokes>({.order = 4, .depth = 6, .capacity = 8});
  one.template operator()<double, Stresslet>({.order = 9, .depth = 6, .capacity = 8}, 2);
  one.template operator()<double, Stokeslet>({.order = 26, .depth = 4, .capacity = 12}, 1, 300);
  one.template operator()<double, LaplaceGradient>({.order = 30, .depth = 4, .capacity = 12}, 1, 300);
  // Pairs in single precision inside a solve in double.
  one.template operator()<double, LaplaceGradient, float>(periodic, 2);
  one.template operator()<double, Laplace, float>({.depth = 3});
  one.template operator()<double, Stokeslet, float>({.order = 4, .depth = 6, .capacity = 20});
  one.template operator()<double, Stresslet, float>(dense, 2);
  one.template operator()<double, Stokes, float>(with({.depth = 0}, 4));
  CHECK(checked > 180);
  CHECK(stages ==
        std::set<std::string>{"cell", "l2l", "l2p", "lattice", "leaf_p2p", "m2l", "m2m", "m2p", "p2l", "p2m"});
}

}  // namespace nearfar::test
