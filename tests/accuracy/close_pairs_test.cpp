// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/fmm/fmm_solve.hpp"
#include "tests/accuracy/measure.hpp"
#include "tests/accuracy/solve.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

using namespace nearfar;

namespace {

constexpr Kernel kernels[] = {Kernel::stokeslet, Kernel::stresslet, Kernel::laplace};

using Point = std::array<double, 3>;

/// Two sources, which are their targets, in a box; coordinates as T has them.
template <class T>
System pair_at(Kernel kernel, Periodicity periodicity, oracle::Box const& box, Point const& a, Point const& b) {
  System s{kernel, box, {}, {}, random_strengths(kernel, 2, 3), periodicity};
  for (Point const& p : {a, b})
    for (double x : p) s.sources.push_back(double(T(x)));
  for (double& f : s.strengths) f = double(T(f));
  s.targets = s.sources;
  return s;
}

/// The field of a close pair is known as well as their distance, which is the difference of the coordinates given. If
/// `told`, the solve may also say that it is not, by how much.
template <class T>
void check_ewald(Runtime const& runtime, System const& s, double tolerance,
                 NearPrecision near = NearPrecision::automatic, FarPrecision far = FarPrecision::automatic,
                 bool told = false) {
  BasicEwald<T> plan(runtime, {.kernel = s.kernel,
                               .outputs = s.outputs(),
                               .periodicity = s.periodicity,
                               .box = s.box,
                               .tolerance = tolerance,
                               .near_precision = near,
                               .far_precision = far});
  std::vector<T> const x(s.sources.begin(), s.sources.end()), f(s.strengths.begin(), s.strengths.end());
  std::vector<T> u(2 * std::size_t(result_components(s.kernel, s.outputs())));
  double const said = plan.submit(plan.set_points(x), f, u).report().sampled_error;
  std::ostringstream what;
  what << name(s.kernel) << ", periodic " << name(s.periodicity) << (sizeof(T) == 4 ? ", single" : ", double")
       << ", sources at x = " << s.sources[0] << " and " << s.sources[3] << " of " << s.box[0];
  check_error(what.str(), s, {u.begin(), u.end()}, whole_reference(s), told ? std::max(tolerance, said) : tolerance);
}

/// Charges, half of them on a face of the box, at that coordinate.
template <class T, class Plan>
std::vector<T> with_face_at(Plan& plan, T face) {
  constexpr std::size_t count = 60;
  test::Problem<T> p(count, 1);
  for (std::size_t i = 0; i < count; ++i) {
    p.f[i] = i % 2 == 0 ? T(1) : T(-1);
    if (i < count / 2) p.x[3 * i + i % 3] = face;
  }
  std::vector<T> u(count);
  plan.submit(plan.set_points(p.x), p.f, u).wait();
  return u;
}

/// A face is one place, from whatever side it is given: `below` is so little that the sum with an edge is the edge.
template <class T, class Plan>
void check_faces(Plan&& plan, T below, double most) {
  auto const expected = with_face_at(plan, T(0));
  for (T face : {T(-below), T(1), T(1 - below), T(-1)}) {
    auto const found = with_face_at(plan, face);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      error += std::pow(double(found[i]) - double(expected[i]), 2);
      size += std::pow(double(expected[i]), 2);
    }
    CAPTURE(face);
    CHECK(std::sqrt(error / size) < most);
  }
}

}  // namespace

TEST_CASE("close pairs: points on a periodic face, from whatever side, are at one place") {
  Runtime const runtime;
  for (double tolerance : {1e-3, 1e-5}) {
    // A far part in single precision rounds each side's grid values differently.
    EwaldOptions const in_double{
        .kernel = Kernel::laplace, .tolerance = tolerance, .far_precision = FarPrecision::double_};
    check_faces<double>(Ewald(runtime, in_double), 1e-20, 1e-12);
    check_faces<float>(BasicEwald<float>(runtime, {.kernel = Kernel::laplace, .tolerance = tolerance}), 1e-9f, 1e-5);
    FmmOptions const boxes{.periodicity = Periodicity::xyz, .box = {1, 1, 1}, .tolerance = tolerance};
    check_faces<double>(Fmm(runtime, boxes), 1e-20, 1e-12);
    check_faces<float>(BasicFmm<float>(runtime, boxes), 1e-9f, 1e-5);
  }
}

TEST_CASE("close pairs: across a periodic face, given in the box or outside it") {
  Runtime const runtime;
  for (Kernel kernel : kernels)
    for (Periodicity periodicity : {Periodicity::x, Periodicity::xyz}) {
      auto const pair = [&]<class T>(T, double edge, double first, double second) {
        return pair_at<T>(kernel, periodicity, {edge, 1, 1}, {first, .3, .4}, {second, .3, .4});
      };
      for (double d : {1e-3, 1e-4})
        for (double edge : {1.0, 1.2}) {
          double const last = double(float(edge - d / 2));
          check_ewald<float>(runtime, pair(0.f, edge, d / 2, last), 1e-5);
          check_ewald<float>(runtime, pair(0.f, edge, d / 2, -d / 2), 1e-5);
          check_ewald<float>(runtime, pair(0.f, edge, .3, .3 + d), 1e-5);
          // Where single precision lacks the edge, it has the digits of points in the box alone.
          check_ewald<float>(runtime, pair(0.f, edge, -.3, -.3 + d), 1e-5, NearPrecision::automatic,
                             FarPrecision::automatic, edge != double(float(edge)));
          for (double at : {.7, .8, .9}) check_ewald<float>(runtime, pair(0.f, edge, at * edge, at * edge + d), 1e-5);
        }
      for (auto near : {NearPrecision::double_, NearPrecision::single}) {
        check_ewald<double>(runtime, pair(0., 1, 1e-12, 1 - 1e-12), 1e-6, near);
        check_ewald<double>(runtime, pair(0., 1, 1e-12, -1e-12), 1e-6, near);
        check_ewald<double>(runtime, pair(0., 1, -3 - 1e-9, 4 + 1e-9), 1e-6, near);
        check_ewald<double>(runtime, pair(0., 1, .5, .5 + 1e-12), 1e-6, near);
        check_ewald<double>(runtime, pair(0., 1, -.3, -.3 + 1e-12), 1e-6, near);
        check_ewald<double>(runtime, pair(0., 1, .5, .5 + 1e-12), 1e-5, near, FarPrecision::single);
        check_ewald<double>(runtime, pair(0., 1, 1e-12, -1e-12), 1e-5, near, FarPrecision::single);
      }
    }
}

TEST_CASE("close pairs: in the middle of the box and at every border between its cells") {
  Runtime const runtime;
  for (int i = 1; i < 24; ++i)
    for (double way : {-1e-12, 1e-12})
      for (auto near : {NearPrecision::double_, NearPrecision::single})
        check_ewald<double>(runtime,
                            pair_at<double>(Kernel::laplace, Periodicity::xyz, {1, 1, 1}, {i / 24. - way, .3, i / 24.},
                                            {i / 24. + way, .3, i / 24. + way}),
                            1e-6, near);
}

TEST_CASE("close pairs: points over scales from 1e-8 to 1, in free space and in a box that repeats") {
  Runtime const runtime;
  for (Kernel kernel : kernels)
    for (Periodicity periodicity : {Periodicity::none, Periodicity::xyz}) {
      System s = random_system(kernel, {1, 1, 1}, 300, 300, 81);
      s.periodicity = periodicity;
      std::mt19937_64 random(81);
      for (std::size_t i = 0; i < 300; ++i) {
        double const scale = std::pow(10, -8 * uniform(random));
        for (std::size_t d = 0; d < 3; ++d) s.sources[3 * i + d] = .45 + .9 * scale * (s.sources[3 * i + d] - .5);
      }
      s.targets = s.sources;
      auto const exact = whole_reference(s);
      for (double tolerance : {1e-6, 1e-10})
        check_error(std::string(name(kernel)) + ", scales, periodic " + std::string(name(periodicity)), s,
                    solve_whole(runtime, s, {.tolerance = tolerance}), exact, tolerance);
    }
}

TEST_CASE("close pairs: a point that hardly differs from where coordinates are counted from has no neighbour there") {
  Runtime const runtime;
  for (Kernel kernel : kernels)
    for (Periodicity periodicity : {Periodicity::none, Periodicity::x, Periodicity::xyz})
      for (double at : {1e-7, 1e-9, 1e-12, 1e-20}) {
        check_ewald<float>(runtime, pair_at<float>(kernel, periodicity, {1, 1, 1}, {at, 0, 0}, {.3, .2, .1}), 1e-4);
        // An edge that single precision does not have.
        check_ewald<float>(runtime, pair_at<float>(kernel, periodicity, {.6, .5, 1}, {at, 0, 0}, {.3, .2, .1}), 1e-4);
      }
}

TEST_CASE("close pairs: by multipoles, the centre of the box elsewhere") {
  Runtime const runtime;
  for (Kernel kernel : kernels) {
    auto s = random_system(kernel, {1, 1, 1}, 1000, 1000, 5);
    s.periodicity = Periodicity::none;
    for (std::size_t d = 0; d < 3; ++d) s.sources[3 + d] = s.sources[d] = .1;
    s.sources[3] += 1e-13;
    s.targets = s.sources;
    check_error(std::string(name(kernel)), s, solve_fmm(runtime, s, {.tolerance = 1e-6}), whole_reference(s), 1e-6);
  }
}

TEST_CASE("close pairs: by multipoles, across a periodic face, an edge and a corner") {
  Runtime const runtime;
  for (Point const& way : {Point{1, 0, 0}, Point{0, -1, 0}, Point{1, -1, 0}, Point{-1, 1, 1}})
    for (std::size_t others : {0, 1000}) {  // one box, and a tree
      auto s = random_system(Kernel::laplace, {1, 1, 1}, others + 2, others + 2, 5);
      for (std::size_t d = 0; d < 3; ++d) {
        double const low = way[d] == 0 ? .3 : 5e-13, high = way[d] == 0 ? .3 : 1 - 5e-13;
        s.sources[d] = way[d] > 0 ? low : high;
        s.sources[3 + d] = way[d] > 0 ? high : low;
      }
      s.targets = s.sources;
      check_error(std::to_string(others) + " others", s, solve_fmm(runtime, s, {.tolerance = 1e-6}), whole_reference(s),
                  1e-6);
    }
}
