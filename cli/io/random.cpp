// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/random.hpp"

#include <cmath>

namespace nearfar::cli {

// True with probability exp(-x), 0 <= x <= 1, by comparisons alone (von Neumann 1951): a falling run x > u1 > u2 > ...
// is longer than n with probability x^n / n!, and the alternating sum of these is the series of exp(-x).
bool Random::exponential_chance(double x) {
  bool even = true;
  for (double u = unit(); u < x; u = unit()) {
    x = u;
    even = !even;
  }
  return even;
}

// The whole part k has the weight exp(-k^2 / 2), the rest x then exp(-x (2k + x) / 2): Karney's algorithm N
// (ACM Trans. Math. Softw. 42, 2016).
double Random::normal() {
  for (;;) {
    int k = 0;
    while (exponential_chance(0.5)) ++k;
    bool kept = true;
    for (int i = 0; i < k * (k - 1) && kept; ++i) kept = exponential_chance(0.5);
    if (!kept) continue;
    double const x = unit();
    for (int i = 0; i <= k && kept; ++i) kept = exponential_chance(x * (2 * k + x) / (2 * k + 2));
    if (kept) return unit() < 0.5 ? k + x : -(k + x);
  }
}

std::array<double, 3> Random::direction() {
  for (;;) {
    double const x = symmetric(), y = symmetric(), z = symmetric();
    double const square = x * x + y * y + z * z;
    if (square > 1 || square < 1e-6) continue;
    double const length = std::sqrt(square);
    return {x / length, y / length, z / length};
  }
}

}  // namespace nearfar::cli
