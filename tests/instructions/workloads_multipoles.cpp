// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/fmm_p2p/fmm_p2p.hpp"
#include "codelets/fmm/l2p/l2p.hpp"
#include "codelets/fmm/p2m/p2m.hpp"
#include "codelets/fmm/translate/translate.hpp"
#include "core/fmm/operators.hpp"
#include "core/fmm/packed.hpp"
#include "core/kernels/kernels.hpp"
#include "core/tree/vectors.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/instructions/work.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <random>

namespace nearfar::test {

namespace {

constexpr int boxes = 8, in_box = 56, points = boxes * in_box, stride = points + 16, order = 10;
constexpr double half = 0.125, corner = -1;

/// A row of leaves of one level, with as many points each.
template <class T>
struct Leaves {
  std::vector<Leaf> leaf;
  AlignedVector<T> position = AlignedVector<T>(3 * stride, T(0)), strength;

  explicit Leaves(int strengths) : strength(std::size_t(strengths * stride), T(1)) {
    std::mt19937 random(1);
    for (int b = 0; b < boxes; ++b) {
      leaf.push_back({{b, 0, 0}, b * in_box, (b + 1) * in_box});
      for (int i = b * in_box; i < (b + 1) * in_box; ++i)
        for (int d = 0; d < 3; ++d)
          position[std::size_t(d * stride + i)] =
              T(corner + half * (2 * leaf.back().at[d] + 2 * (random() / 4294967296.0)));
    }
  }
};

/// What the stages between points and boxes work on. Each leaf gets two: as points, whatever their distance; as boxes,
/// one of them far away.
template <class T, class K>
struct PointWork {
  Leaves<T> leaves{K::strengths};
  AlignedVector<T> expansions = AlignedVector<T>(std::size_t(expansion_size<T>(order, K::Sums::rhs, boxes)), T(0)),
                   result = AlignedVector<T>(std::size_t(K::results * stride));
  std::vector<std::int32_t> near{boxes, 2 * boxes, 0, 0}, far = near;
  LocalBuffers p2m, l2p, p2p, p2l, m2p;

  PointWork() {
    for (auto* words : {&near, &far})
      for (int b = 0; b < boxes; ++b) words->insert(words->end(), {2 * b, 2});
    for (int b = 0; b < boxes; ++b)
      for (int s : {b, (b + 4) % boxes}) {
        near.insert(near.end(), {0, s * in_box, (s + 1) * in_box, 0, 0, 0});
        far.insert(far.end(), {0, s, 3, s, 4, 4});
      }
    auto& [leaf, position, strength] = leaves;
    p2m.access().add(leaf).access().add(position).access().add(strength).access().add(expansions);
    l2p.access().add(leaf).access().add(position).access().add(expansions).access().add(result);
    p2p.access().add(leaf).access().add(near).access().add(position).access().add(position).add(strength);
    p2p.access().add(result);
    p2l.access().add(leaf).access().add(near).access().add(position).add(strength).access().add(expansions);
    m2p.access().add(leaf).access().add(far).access().add(position).access().add(expansions).access().add(result);
  }
};

template <class T, class K>
std::vector<Work> point_work(std::string const& kernel) {
  auto const w = std::make_shared<PointWork<T, K>>();
  auto const title = [&](char const* stage) { return stage + ("-" + kernel) + precision<T>(); };
  std::vector<Work> work{make_work(title("p2m"), "point", points,
                                   [w] {
                                     P2M<T, typename K::Sums>::tuned(w->p2m.view(), {order, 1, half, corner});
                                   }),
                         make_work(title("l2p"), "point", points,
                                   [w] {
                                     L2P<T, typename K::Evaluation>::tuned(w->l2p.view(), {order, 1, half, corner});
                                   }),
                         make_work(title("fmm-p2p"), "pair", 2.0 * points * in_box,
                                   [w] {
                                     FmmP2P<T, K>::tuned(w->p2p.view(), {1, 2});
                                   }),
                         make_work(title("fmm-p2p-mutual"), "pair", 2.0 * points * in_box,
                                   [w] {
                                     FmmP2P<T, K>::tuned(w->p2p.view(), {1, 2, {1, 1, 1}, 0});
                                   }),
                         make_work(title("p2l"), "point", 2 * points,
                                   [w] {
                                     P2L<T, typename K::Sums>::tuned(w->p2l.view(), {order, 1, half, corner, 2});
                                   }),
                         make_work(title("m2p"), "point", 2 * points, [w] {
                           M2P<T, typename K::Evaluation>::tuned(w->m2p.view(), {order, 1, corner});
                         })};
  if constexpr (std::is_same_v<T, double>)
    for (int own : {-1, 0})
      work.push_back(make_work(title(own < 0 ? "fmm-p2p" : "fmm-p2p-mutual") + "-in-single", "pair",
                               2.0 * points * in_box, [w, own] {
                                 FmmP2P<T, K, float>::tuned(w->p2p.view(), {1, 2, {1, 1, 1}, own, half});
                               }));
  return work;
}

/// Of an order; made once, for it takes long.
template <class T>
std::vector<T>& operators_of(int order) {
  static std::map<int, std::vector<T>> known;
  auto& found = known[order];
  if (found.empty()) found = make_fmm_operators<T>(order, 1);
  return found;
}

/// Every displacement that translations have, or every octant, with 16 interactions each.
template <class Stage, class T, class Args>
Work interactions(std::string const& stage, Args args) {
  constexpr int slots = 64, in_run = 16;
  std::vector<int> keys;
  if (stage == "m2l") {
    for (int id = 0; id < vector_count(1); ++id) {
      int d[3];
      vector_of(id, 1, d);
      if (std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])}) > 1) keys.push_back(id);
    }
  } else {
    keys = {0, 1, 2, 3, 4, 5, 6, 7};
  }
  int const count = int(keys.size());
  std::vector<std::int32_t> words{count, in_run * count, 0, 0};
  for (int k = 0; k < count; ++k) words.insert(words.end(), {keys[std::size_t(k)], k * in_run, in_run});
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < in_run; ++i) words.insert(words.end(), {(4 * i + k) % slots, 0, (4 * i + 3 * k) % slots});
  AlignedVector<T> source(std::size_t(expansion_size<T>(args.order, 1, slots)), T(0)), target(source);
  LocalBuffers task;
  task.access().add(operators_of<T>(args.order)).access().add(words).access().add(source).access().add(target);
  return make_work(stage + "-order-" + std::to_string(args.order) + precision<T>(), "interaction", in_run * count,
                   [args, task, words = std::move(words), source = std::move(source),
                    target = std::move(target)]() mutable { Stage::tuned(task.view(), args); });
}

/// Translations between all children of sixteen pairs of parents for each way between parents.
template <class T>
Work parent_pairs(int order) {
  constexpr int slots = 64, pairs = 16, ways = 7;
  std::vector<std::int32_t> words{0, 0, ways, pairs * ways};
  int interactions = 0;
  for (int way = 1; way <= ways; ++way) {
    int const d[3] = {way >> 2 & 1, way >> 1 & 1, way & 1};
    words.insert(words.end(), {vector_id(d[0], d[1], d[2], 1), (way - 1) * pairs, pairs, 255, 255});
    int between[3];
    for (int s = 0; s < 8; ++s)
      for (int t = 0; t < 8; ++t) interactions += far_parent_pairs(d, s, t, 1, between) ? pairs : 0;
  }
  for (int i = 0; i < pairs * ways; ++i) {
    words.push_back(i % 8);
    for (int t = 0; t < 8; ++t) words.push_back((8 * i + t) % slots);
    for (int s = 0; s < 8; ++s) words.push_back(0);
    for (int s = 0; s < 8; ++s) words.push_back((8 * i + 8 * (i / pairs) + s) % slots);
  }
  M2LArgs const args{order, 1, 1};
  AlignedVector<T> source(std::size_t(expansion_size<T>(order, 1, slots)), T(0)), target(source);
  LocalBuffers task;
  task.access().add(operators_of<T>(order)).access().add(words).access().add(source).access().add(target);
  return make_work("m2l-parent_pairs-order-" + std::to_string(order) + precision<T>(), "interaction", interactions,
                   [args, task, words = std::move(words), source = std::move(source),
                    target = std::move(target)]() mutable { M2L<T>::tuned(task.view(), args); });
}

}  // namespace

std::vector<Work> multipole_work() {
  std::vector<Work> work;
  for (auto const& more :
       {point_work<double, LaplaceGradient>("laplace-gradient"), point_work<double, Stokeslet>("stokeslet"),
        point_work<double, Stresslet>("stresslet"), point_work<double, Stokes>("stokes"),
        point_work<float, LaplaceGradient>("laplace-gradient")})
    work.insert(work.end(), more.begin(), more.end());
  for (int p : {4, 10, 16}) work.push_back(interactions<M2L<double>, double>("m2l", M2LArgs{p, 1, 1}));
  work.push_back(interactions<M2L<float>, float>("m2l", M2LArgs{order, 1, 1}));
  for (int p : {4, 10, 16}) work.push_back(parent_pairs<double>(p));
  work.push_back(parent_pairs<float>(order));
  work.push_back(interactions<M2M<double>, double>("m2m", M2MArgs{order, 1}));
  work.push_back(interactions<L2L<double>, double>("l2l", L2LArgs{order, 1}));
  return work;
}

}  // namespace nearfar::test
