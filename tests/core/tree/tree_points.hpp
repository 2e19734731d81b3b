// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace nearfar::test {

/// The radius within which a Plummer sphere has this share of its mass, by the one that has 0.998 of it.
inline double plummer_radius(double share) {
  double const mass = 0.998 * share;
  return 0.0366 / std::sqrt(std::pow(mass + 1e-12, -2.0 / 3) - 1);
}

/// Rows of points in the unit cube around the origin, of the kinds that trees have trouble with.
inline std::vector<double> tree_points(std::string const& kind, std::size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  std::normal_distribution<double> normal;
  std::vector<double> x(3 * count);
  for (std::size_t i = 0; i < count; ++i) {
    double* row = &x[3 * i];
    double const place[3] = {normal(random), normal(random), normal(random)};
    double const length = std::sqrt(place[0] * place[0] + place[1] * place[1] + place[2] * place[2]);
    for (int d = 0; d < 3; ++d) {
      if (kind == "uniform") row[d] = uniform(random);
      else if (kind == "normal") row[d] = std::fmod(0.06 * place[d], 0.5);
      else if (kind == "sphere") row[d] = 0.4 * place[d] / length;
      else if (kind == "cusp") row[d] = 0.4 * std::pow(10, -4 * double(i) / double(count)) * place[d] / length;
      else if (kind == "one box") row[d] = 0.3 + 0.01 * uniform(random);
      else if (kind == "two corners") row[d] = (i % 2 == 0 ? 0.49 : -0.49) + 0.01 * uniform(random);
      else if (kind == "coincident") row[d] = i % 3 == 0 ? 0.123 : uniform(random);
      else if (kind == "plummer") row[d] = 0.5 * place[d] / length * plummer_radius(double(i) / double(count));
      else if (kind == "two galaxies")
        row[d] = (d == 0 ? (i % 3 == 0 ? 0.3 : -0.25) : 0) +
                 (i % 3 == 0 ? 0.1 : 0.2) * place[d] / length * plummer_radius(double(i) / double(count));
      else if (kind == "line") row[d] = d == 0 ? 0.99 * (double(i) / double(count) - 0.5) : 0.2;
      else if (kind == "one place") row[d] = 0.123;
      else if (kind == "faces") row[d] = std::round(4 * uniform(random)) / 4;  // on the faces of boxes
      else throw std::logic_error(kind);
    }
  }
  return x;
}

inline std::vector<std::string> const tree_point_kinds{"uniform", "normal",       "sphere",     "cusp",
                                                       "one box", "two corners",  "coincident", "faces",
                                                       "plummer", "two galaxies", "line",       "one place"};

}  // namespace nearfar::test
