// SPDX-License-Identifier: BSD-3-Clause
#include "tests/oracle/phases.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>

namespace nearfar::oracle {

constexpr long double two_pi = 2 * std::numbers::pi_v<long double>;

void Phases::set(std::span<double const> points, std::size_t first, double edge) {
  for (std::size_t i = 0; i < lanes; ++i) {
    bool const inside = first + 3 * i < points.size();
    long double const turns = inside ? points[first + 3 * i] / static_cast<long double>(edge) : 0;
    long double const angle = two_pi * (turns - std::floor(turns));
    long double const c = std::cos(angle), s = std::sin(angle);
    long double re = inside, im = 0;
    for (std::size_t n = 0; n < cosine_.size(); ++n) {
      cosine_[n][i] = double(re);
      sine_[n][i] = double(im);
      long double const next = re * c - im * s;
      im = re * s + im * c;
      re = next;
    }
  }
}

Modes make_modes(Box const& box, double band) {
  Modes modes;
  for (int d = 0; d < 3; ++d) {
    modes.step[d] = two_pi / box[d];
    modes.order[d] = int(band / modes.step[d]);
  }
  for (int nx = 0; nx <= modes.order[0]; ++nx)
    for (int ny = nx == 0 ? 0 : -modes.order[1]; ny <= modes.order[1]; ++ny) {
      long double const kx = nx * modes.step[0], ky = ny * modes.step[1];
      long double const left = static_cast<long double>(band) * band - kx * kx - ky * ky;
      if (left < 0) continue;
      int const last = int(std::sqrt(left) / modes.step[2]);
      modes.rows.push_back({nx, ny, last, modes.count});
      modes.count += std::size_t(last) + 1;
    }
  return modes;
}

void PhaseBlock::set(Box const& box, std::span<double const> points, std::size_t first_point) {
  x_.set(points, 3 * first_point, box[0]);
  y_.set(points, 3 * first_point + 1, box[1]);
  z.set(points, 3 * first_point + 2, box[2]);
}

void PhaseBlock::start_row(Row const& row) {
  Lanes const &xc = x_.cosine(row.nx), &xs = x_.sine(row.nx);
  Lanes const &yc = y_.cosine(std::abs(row.ny)), &ys = y_.sine(std::abs(row.ny));
  double const sign = row.ny < 0 ? -1 : 1;
  for (std::size_t i = 0; i < lanes; ++i) {
    row_cosine[i] = xc[i] * yc[i] - sign * xs[i] * ys[i];
    row_sine[i] = xs[i] * yc[i] + sign * xc[i] * ys[i];
  }
}

}  // namespace nearfar::oracle
