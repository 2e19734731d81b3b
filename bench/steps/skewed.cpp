// SPDX-License-Identifier: BSD-3-Clause
#include "bench/steps/skewed.hpp"

#include "bench/steps/cube.hpp"
#include "core/geometry/lattice.hpp"
#include "core/math/constants.hpp"

#include <nearfar/error.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace nearfar::cli {

namespace {

/// Rows of equal lengths, with one angle or three of those, of the volume of a cube of that edge.
CellRows skewed_rows(double degrees, bool three, double edge) {
  double const angle = degrees * pi<double> / 180, cosine = std::cos(angle), sine = std::sin(angle);
  CellRows rows{{{1, 0, 0}, {cosine, sine, 0}, {0, 0, 1}}};
  if (three) {
    double const y = cosine * (1 - cosine) / sine;
    rows[2] = {cosine, y, std::sqrt(1 - cosine * cosine - y * y)};
  }
  double const scale = edge / std::cbrt(CellLattice::of(rows).volume());
  for (auto& row : rows)
    for (double& c : row) c *= scale;
  return rows;
}

/// Points of a cube at the same fractions of the rows.
std::vector<double> at_fractions_of(CellRows const& rows, std::vector<double> const& x, double edge) {
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) out[i] += x[i - i % 3 + d] / edge * rows[d][i % 3];
  return out;
}

}  // namespace

void bench_skewed_cells(BenchSettings const& settings, double degrees) {
  if (!(degrees >= 35 && degrees <= 115))
    throw Error{Fault::bad_input, "--angle is " + std::to_string(degrees) +
                                      " (three such angles make a cell only below 120, and a flat one near 0 and "
                                      "120). Give one from 35 to 115"};
  CubeSystem system(settings);
  double const edge = system.edge();
  auto const begin = [&](CellRows const& rows) {
    return system.begin(rows, at_fractions_of(rows, system.positions(), edge));
  };
  CubeSystem::InCell cells[] = {begin(system.cube()), begin(skewed_rows(degrees, false, edge)),
                                begin(skewed_rows(degrees, true, edge))};
  auto const round = [&] {
    for (auto& cell : cells) {
      double const before = cpu_seconds();
      system.solve(cell);
      cell.seconds.push_back(cpu_seconds() - before);
    }
  };
  round();
  double first[3];
  for (std::size_t i = 0; i < 3; ++i) first[i] = cells[i].seconds[0];
  round();  // a plan that misses its tolerance is replaced
  for (auto& cell : cells) cell.seconds.clear();
  for (int i = 0; i < settings.repeat; ++i) round();

  auto json = system.head("skewed cells");
  json["angle"] = degrees;
  json["repeat"] = settings.repeat;
  char const* const names[] = {"cube", "one_angle", "three_angles"};
  for (std::size_t i = 0; i < 3; ++i) {
    auto& cell = json[names[i]];
    cell["grid"] = cells[i].plan.parameters().grid;
    cell["cutoff"] = cells[i].plan.parameters().cutoff;
    cell["first_cpu_seconds"] = first[i];
    cell["cpu_seconds"] = median(cells[i].seconds);
    cell["first_ratio"] = first[i] / first[0];
    cell["ratio"] = median(cells[i].seconds) / median(cells[0].seconds);
  }
  print_line(json);
}

}  // namespace nearfar::cli
