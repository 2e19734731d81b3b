// SPDX-License-Identifier: BSD-3-Clause
// A kernel that nearfar does not have, built from one that it has: Biot and Savart's law, u = sum of g x r / r^3, which
// is the rotlet of viscous flow and the velocity of vortices. It follows from the gradients of the potentials of g_x,
// g_y and g_z: three solves on the same points, in flight together; the last one to end combines the results. The
// reference is a direct sum of the law as a user's pair function. A vortex ring of radius 1 has the velocity 2 pi / (1
// + z^2)^(3/2) along its axis.
#include <nearfar/nearfar.hpp>
#include <nearfar/pair_function.hpp>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>
#include <vector>

namespace {

using Rows = std::vector<double>;

/// Submits the solves for u at the targets of `points`, and calls `ended` on a worker when u is complete.
class BiotSavart {
 public:
  BiotSavart(nearfar::Ewald plan, nearfar::Points points) : plan_(std::move(plan)), points_(std::move(points)) {}

  void submit(Rows const& g, Rows& u) {
    u.resize(3 * points_.targets());
    open_ = 3;
    for (std::size_t d = 0; d < 3; ++d) {
      charge_[d].clear();
      for (std::size_t i = d; i < g.size(); i += 3) charge_[d].push_back(g[i]);
      field_[d].resize(4 * points_.targets());  // rows of potential and gradient
      solve_[d] = plan_.submit(points_, charge_[d], field_[d]);
    }
    for (auto& solve : solve_)
      solve.then([this, &u] {
        if (--open_ == 0) combine(u);
      });
  }
  void wait() {
    for (auto& solve : solve_) solve.wait();
  }

 private:
  /// The gradient of g / r is -g r / r^3.
  void combine(Rows& u) const {
    auto const gradient = [&](std::size_t row, std::size_t of, std::size_t along) {
      return field_[of % 3][4 * row + 1 + along % 3];
    };
    for (std::size_t i = 0; i < points_.targets(); ++i)
      for (std::size_t d = 0; d < 3; ++d) u[3 * i + d] = gradient(i, d + 2, d + 1) - gradient(i, d + 1, d + 2);
  }

  nearfar::Ewald plan_;
  nearfar::Points points_;
  std::atomic<int> open_ = 0;
  std::array<Rows, 3> charge_, field_;
  std::array<nearfar::Solve, 3> solve_;  // last: solves must end before their arrays do
};

/// The law as a pair function for `direct`.
struct Rotlet {
  static constexpr int dimensions = 3, strengths = 3, results = 3;

  template <class V>
  void operator()(V const* r, V, V inverse, V const* g, V* u) const {
    V const factor = inverse * inverse * inverse;
    for (int d = 0; d < 3; ++d) {
      int const e = (d + 1) % 3, f = (d + 2) % 3;
      u[d] = u[d] + factor * (g[e] * r[f] - g[f] * r[e]);
    }
  }
};

}  // namespace

int main() {
  constexpr int pieces = 200;
  Rows ring, g, axis, u;
  for (int i = 0; i < pieces; ++i) {
    double const angle = 2 * std::numbers::pi * i / pieces, length = 2 * std::numbers::pi / pieces;
    ring.insert(ring.end(), {std::cos(angle), std::sin(angle), 0});
    g.insert(g.end(), {-length * std::sin(angle), length * std::cos(angle), 0});
  }
  for (int i = 0; i < 4; ++i) axis.insert(axis.end(), {0, 0, 0.5 * i});

  nearfar::Runtime runtime;
  nearfar::Ewald ewald(runtime, {.kernel = nearfar::Kernel::laplace,
                                 .outputs = nearfar::Output::potential | nearfar::Output::gradient,
                                 .periodicity = nearfar::Periodicity::none,
                                 .box = {0, 0, 0},  // as large as the points need
                                 .tolerance = 1e-8});
  BiotSavart law(ewald, ewald.set_points(ring, axis));
  law.submit(g, u);
  law.wait();
  Rows pairs(u.size());
  nearfar::direct(runtime, Rotlet{}, ring, axis, g, pairs).wait();
  for (std::size_t i = 0; i < 4; ++i) {
    double const z = axis[3 * i + 2];
    std::printf("z = %.1f: velocity %.5f, pair by pair %.5f, expected %.5f\n", z, u[3 * i + 2], pairs[3 * i + 2],
                2 * std::numbers::pi / std::pow(1 + z * z, 1.5));
  }
}
