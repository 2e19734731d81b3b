// SPDX-License-Identifier: BSD-3-Clause
// The near part knows the way between two points as well as the caller gave it, on both sides of every face and border.
#include "codelets/near/p2p/p2p_body.hpp"
#include "core/geometry/frame.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace nearfar;

namespace {

using Way = std::array<long double, 3>;

/// Where a point is, as `place` and `place_near` of tasks/points/placement.hpp say it.
template <class T>
struct Placed {
  int cell[3];
  T near[3];

  Placed(Cells const& c, std::array<T, 3> const& given) {
    for (int d = 0; d < 3; ++d) {
      double const x = double(given[std::size_t(d)]), edge = c.edge[d];
      double const y = x - first_face(c, d);
      T inside = T(y - edge * std::floor(y / edge));
      if (!(double(inside) < edge && inside >= 0)) inside = 0;
      cell[d] = c.cell(d, double(inside));
      near[d] = near_coordinate<T>(c, d, cell[d], x, double(inside));
    }
  }
};

/// All ways from images of `source` to `target` within the cutoff, as P2P finds them, in one block that holds both.
template <class T>
std::vector<Way> ways(Cells const& c, std::array<T, 3> const& target, std::array<T, 3> const& source) {
  Placed<T> const to(c, target), from(c, source);
  int const cells = c.count[0] * c.count[1] * c.count[2],
            at = cell_in_block(c, {}, from.cell[0], from.cell[1], from.cell[2]);
  std::vector<std::int32_t> offset(std::size_t(cells) + 1, 0);
  for (int i = at + 1; i <= cells; ++i) offset[std::size_t(i)] = 1;
  SourceView<T> const view{nullptr, 0, nullptr, offset.data()};
  P2PArgs const args{c, {}, {0, 1}, neighbours(c, {}), -1};
  std::vector<Way> found;
  for_each_run<T>(
      args, to.cell, [&](int) { return view; },
      [&](auto const&, int first, int last, T const* shift) {
        if (first == last) return;
        T r[3], r2 = 0;
        for (int d = 0; d < 3; ++d) {
          r[d] = to.near[d] - shift[d] - from.near[d];
          r2 += r[d] * r[d];
        }
        if (double(r2) < c.cutoff * c.cutoff) found.push_back({r[0], r[1], r[2]});
      });
  return found;
}

template <class T>
void check(Cells const& c, std::array<T, 3> const& target, std::array<T, 3> const& source, double digits) {
  int expected = 0, good = 0;
  auto const found = ways(c, target, source);
  Way start;
  for (std::size_t d = 0; d < 3; ++d) start[d] = (long double)(target[d]) - (long double)(source[d]);
  for (std::size_t d = 0; d < 3; ++d)
    start[d] -= std::round(start[d] / (long double)(c.edge[d])) * (long double)(c.edge[d]);
  for (int i = -2; i <= 2; ++i)
    for (int j = -2; j <= 2; ++j)
      for (int k = -2; k <= 2; ++k) {
        Way const r{start[0] + i * (long double)(c.edge[0]), start[1] + j * (long double)(c.edge[1]),
                    start[2] + k * (long double)(c.edge[2])};
        long double const length = std::hypot(r[0], r[1], r[2]);
        if (std::fabs(length - c.cutoff) < 1e-5) return;  // either will do
        if (length > c.cutoff) continue;
        ++expected;
        for (Way const& w : found) good += std::hypot(w[0] - r[0], w[1] - r[1], w[2] - r[2]) <= digits * length ? 1 : 0;
      }
  CAPTURE(c.count[0]);
  CAPTURE(c.edge[0]);
  CAPTURE(target[0]);
  CAPTURE(source[0]);
  CHECK(int(found.size()) == expected);
  CHECK(good == expected);
}

template <class T>
void check_all(double closest) {
  std::mt19937_64 random(1);
  auto const uniform = [&] { return double(random() >> 11) * 0x1p-53; };
  double const epsilon = std::numeric_limits<T>::epsilon();
  for (int count : {1, 2, 3, 4, 5, 6, 7, 12})
    for (double edge : {1.0, 1.2, 1.9}) {
      Cells c;
      for (int d = 0; d < 3; ++d) {
        c.edge[d] = edge;
        c.count[d] = count;
      }
      set_faces<T>(c);
      c.cutoff = 0.3 * edge;
      for (int pair = 0; pair < 300; ++pair) {
        std::array<T, 3> a, b, far;
        for (std::size_t d = 0; d < 3; ++d) {
          // At faces and borders of cells, and anywhere, in the cell or an image of it.
          double const border = double(random() % 13) / 12, x = edge * (pair % 2 == 0 ? border : uniform());
          a[d] = T(x + closest * (uniform() - .5));
          b[d] = T(x + closest * (uniform() - .5));
          far[d] = T(uniform() * edge);
        }
        check<T>(c, a, far, 16 * epsilon / 0.01);
        if (count < min_periodic_cells) continue;
        check<T>(c, a, b, 8 * epsilon);
        check<T>(c, b, a, 8 * epsilon);
      }
    }
}

}  // namespace

TEST_CASE("near coordinates: close pairs anywhere keep all their digits, and every image is found once") {
  check_all<double>(1e-9);
  check_all<float>(1e-3);
}

TEST_CASE("near coordinates: points given below the box, and far outside it") {
  Cells c;
  for (int d = 0; d < 3; ++d) c.count[d] = 4;
  c.cutoff = .2;
  check<double>(c, {1e-12, .3, .4}, {-1e-12, .3, .4}, 1e-15);
  check<double>(c, {1e-12, .3, .4}, {1 - 1e-12, .3, .4}, 1e-7);
  check<double>(c, {5 + 1e-9, .3, .4}, {-3 - 1e-9, -.7, 7.4}, 1e-7);
  check<float>(c, {5e-5f, .3f, .4f}, {-5e-5f, .3f, .4f}, 1e-6);
}

TEST_CASE("near coordinates: free directions are counted from where no digit is lost") {
  CHECK(near_origin(0, 1) == 0);
  CHECK(near_origin(-.5, .5) == 0);
  CHECK(near_origin(2, 3) == 0);
  for (double at : {1000.3, -1000.3, 1e9}) {
    double const origin = near_origin(at, at + 1.5), x = at + 1e-3;
    CHECK(std::fabs(x - origin) < 4);
    CHECK((x - origin) + origin == x);
  }
  CHECK(near_origin(7, 7) == 7);
}

TEST_CASE("near coordinates: faces are edges as the precision has them, also where compilers make vectors of them") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100; ++i) {
    Cells c;
    for (double& edge : c.edge) edge = 1 + double(random() >> 11) * 0x1p-53;
    set_faces<float>(c);
    for (int d = 0; d < 3; ++d) {
      float const volatile face = float(c.edge[d]);
      CHECK(c.face[d] == double(face));
    }
  }
}

TEST_CASE("near coordinates: pairs far from a skewed cell, whole periods apart, keep the digits that they have there") {
  std::mt19937_64 random(1);
  auto const uniform = [&] { return double(random() >> 11) * 0x1p-53; };
  CellRows const rows{{{1.2, 0, 0}, {0.615087654321, 1.19876543, 0}, {-0.3123456789, 0.2345678, 0.91}}};
  CellLattice const lattice = CellLattice::of(rows);
  Frame frame;
  frame.cells.skewed = true;
  for (std::size_t d = 0; d < 3; ++d) {
    frame.cells.periodic[d] = true;
    frame.cells.edge[d] = std::hypot(rows[d][0], rows[d][1], rows[d][2]);
    for (std::size_t c = 0; c < 3; ++c) {
      frame.cells.row[d][c] = rows[d][c];
      frame.along[d][c] = lattice.reciprocal[d][c] * frame.cells.edge[d];
    }
  }
  for (int pair = 0; pair < 1000; ++pair) {
    using Real = long double;
    double first[3], second[3], at[3], near[2][3];
    double const away[3] = {std::floor(1e5 * uniform()), std::floor(-1e5 * uniform()), std::floor(1e3 * uniform())},
                 apart[3] = {std::floor(9 * uniform()), 1, std::floor(-9 * uniform())};
    for (int c = 0; c < 3; ++c) {
      double const x = 0.3 * rows[0][std::size_t(c)] + 0.4 * rows[1][std::size_t(c)] + 0.6 * rows[2][std::size_t(c)];
      first[c] = second[c] = x + 1e-6 * uniform();
      for (std::size_t d = 0; d < 3; ++d) {
        first[c] += away[d] * rows[d][std::size_t(c)];
        second[c] += (away[d] + apart[d]) * rows[d][std::size_t(c)];
      }
    }
    REQUIRE(place_point_skewed<double>(frame, first, at, near[0]));
    REQUIRE(place_point_skewed<double>(frame, second, at, near[1]));
    Real wrong = 0;
    for (int c = 0; c < 3; ++c) {
      Real exact = Real(second[c]) - Real(first[c]);
      for (std::size_t d = 0; d < 3; ++d) exact -= Real(apart[d]) * Real(rows[d][std::size_t(c)]);
      wrong = std::max(wrong, std::abs(Real(near[1][c]) - Real(near[0][c]) - exact));
    }
    CHECK(double(wrong) < 1e-15);
  }
}
