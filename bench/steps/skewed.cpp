// SPDX-License-Identifier: BSD-3-Clause
#include "bench/steps/skewed.hpp"

#include "core/geometry/lattice.hpp"
#include "core/math/constants.hpp"

#include <nearfar/error.hpp>
#include <nearfar/nearfar.hpp>

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

struct Solves {
  Ewald plan;
  Points points;
  double first = 0;  ///< CPU seconds
  std::vector<double> later{};
};

}  // namespace

void bench_skewed_cells(BenchSettings const& settings, double degrees) {
  if (!(degrees >= 35 && degrees <= 115))
    throw Error{Fault::bad_input, "--angle is " + std::to_string(degrees) +
                                      " (three such angles make a cell only below 120, and a flat one near 0 and "
                                      "120). Give one from 35 to 115"};
  Runtime const runtime{settings.runtime};
  EwaldOptions const& options = settings.ewald.plan;
  GenerateOptions particles = settings.particles;
  particles.kernel = options.kernel;
  Rows<double> const given{particles};
  double const edge = particles.box[0];
  std::vector<double> result(given.positions.size() / 3 *
                             static_cast<std::size_t>(result_components(options.kernel, options.outputs)));
  auto const begin = [&](CellRows const& rows) {
    EwaldOptions own = options;
    own.box = EwaldOptions().box;
    own.periodicity = Periodicity::xyz;
    own.cell = rows;
    Ewald plan{runtime, own};
    auto points = plan.set_points(at_fractions_of(rows, given.positions, edge));
    return Solves{std::move(plan), std::move(points)};
  };
  auto const solve = [&](Solves& of) {
    double const before = cpu_seconds();
    of.plan.submit(of.points, given.strengths, result).wait();
    return cpu_seconds() - before;
  };
  CellRows const cube{{{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}}};
  Solves cells[] = {begin(cube), begin(skewed_rows(degrees, false, edge)), begin(skewed_rows(degrees, true, edge))};
  for (Solves& cell : cells) cell.first = solve(cell);
  for (Solves& cell : cells) solve(cell);  // a plan that misses its tolerance is replaced
  for (int round = 0; round < settings.repeat; ++round)
    for (Solves& cell : cells) cell.later.push_back(solve(cell));

  Measurement machine;
  machine.workers = runtime.workers().size();
  machine.scheduler = runtime.scheduler();
  machine.runtime = runtime.version();
  auto json = conditions("skewed cells", machine);
  json["kernel"] = name(options.kernel);
  json["gradient"] = options.outputs.has(Output::gradient);
  json["count"] = particles.count;
  json["tolerance"] = options.tolerance;
  json["angle"] = degrees;
  json["repeat"] = settings.repeat;
  char const* const names[] = {"cube", "one_angle", "three_angles"};
  for (std::size_t i = 0; i < 3; ++i) {
    auto& cell = json[names[i]];
    cell["grid"] = cells[i].plan.parameters().grid;
    cell["cutoff"] = cells[i].plan.parameters().cutoff;
    cell["first_cpu_seconds"] = cells[i].first;
    cell["cpu_seconds"] = median(cells[i].later);
    cell["first_ratio"] = cells[i].first / cells[0].first;
    cell["ratio"] = median(cells[i].later) / median(cells[0].later);
  }
  print_line(json);
}

}  // namespace nearfar::cli
