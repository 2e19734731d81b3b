// SPDX-License-Identifier: BSD-3-Clause
// A boundary integral equation: points are set once, and every iteration is one solve on them. A sphere is dragged
// through a viscous fluid. Its flow is that of a double layer q on the surface (stresslets) and of the force
// F = sum of q w at the centre, so that on the surface
//     sum over y of T(x - y) (q(y) - q(x)) n(y) w(y)  +  (I + e e) F / a  =  U,      e = x / a,
// where q(y) - q(x) removes the jump and the singularity. Known answer: F = 6 pi mu a U, here over 8 pi mu.
#include "gmres.hpp"

#include <nearfar/nearfar.hpp>

#include <cstdio>
#include <numbers>

namespace {

constexpr std::size_t count = 4000;
constexpr double radius = 1, weight = 4 * std::numbers::pi * radius * radius / count;

/// Evenly distributed points on a sphere.
Vector spiral() {
  Vector normals;
  for (std::size_t i = 0; i < count; ++i) {
    double const z = 1 - (2 * double(i) + 1) / count, rho = std::sqrt(1 - z * z);
    double const angle = std::numbers::pi * (3 - std::sqrt(5.0)) * double(i);
    normals.insert(normals.end(), {rho * std::cos(angle), rho * std::sin(angle), z});
  }
  return normals;
}

struct Sphere {
  nearfar::Runtime runtime;
  Vector normals = spiral();
  nearfar::Ewald ewald{runtime,
                       {.kernel = nearfar::Kernel::stresslet,
                        .periodicity = nearfar::Periodicity::none,
                        .box = {0, 0, 0},  // as large as the points need
                        .tolerance = 1e-5}};
  nearfar::Points points = ewald.set_points(normals);
  std::vector<Vector> of_constants;  // double layers of the three unit vectors

  nearfar::Solve submit(Vector const& q, Vector& strengths, Vector& u) {
    strengths.clear();
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t d = 0; d < 3; ++d) strengths.push_back(weight * q[3 * i + d]);
      for (std::size_t d = 0; d < 3; ++d) strengths.push_back(normals[3 * i + d]);
    }
    u.resize(3 * count);
    return ewald.submit(points, strengths, u);
  }

  Sphere() : of_constants(3) {
    std::vector<Vector> q(3, Vector(3 * count)), strengths(3);
    std::vector<nearfar::Solve> solves;  // three in flight
    for (std::size_t d = 0; d < 3; ++d) {
      for (std::size_t i = 0; i < count; ++i) q[d][3 * i + d] = 1;
      solves.push_back(submit(q[d], strengths[d], of_constants[d]));
    }
    for (auto& solve : solves) solve.wait();
  }

  static std::array<double, 3> force(Vector const& q) {
    std::array<double, 3> f{};
    for (std::size_t i = 0; i < q.size(); ++i) f[i % 3] += weight * q[i];
    return f;
  }

  Vector velocity(Vector const& q) {
    Vector strengths, u;
    submit(q, strengths, u).wait();
    auto const f = force(q);
    for (std::size_t i = 0; i < count; ++i) {
      double const* e = &normals[3 * i];
      double const along = e[0] * f[0] + e[1] * f[1] + e[2] * f[2];
      for (std::size_t d = 0; d < 3; ++d) {
        for (std::size_t k = 0; k < 3; ++k) u[3 * i + d] -= of_constants[k][3 * i + d] * q[3 * i + k];
        u[3 * i + d] += (f[d] + along * e[d]) / radius;
      }
    }
    return u;
  }
};

}  // namespace

int main() {
  Sphere sphere;
  Vector along_z(3 * count), q;
  for (std::size_t i = 0; i < count; ++i) along_z[3 * i + 2] = 1;
  int const iterations = gmres([&](Vector const& v) { return sphere.velocity(v); }, along_z, q, 1e-6, 30);
  std::printf("drag %.3f, expected %.3f\n", Sphere::force(q)[2], 0.75 * radius);
  std::printf("%s\n", iterations < 20 ? "converged in less than 20 iterations" : "did not converge");
}
