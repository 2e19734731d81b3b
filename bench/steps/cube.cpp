// SPDX-License-Identifier: BSD-3-Clause
#include "bench/steps/cube.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace nearfar::cli {

namespace {

GenerateOptions particles_of(BenchSettings const& settings) {
  GenerateOptions particles = settings.particles;
  particles.kernel = settings.ewald.plan.kernel;
  return particles;
}

}  // namespace

CubeSystem::CubeSystem(BenchSettings const& settings)
    : runtime_(settings.runtime), options_(settings.ewald.plan), given_(particles_of(settings)),
      edge_(settings.particles.box[0]),
      result_(settings.particles.count * std::size_t(result_components(options_.kernel, options_.outputs))) {
  options_.box = EwaldOptions().box;
  options_.periodicity = Periodicity::xyz;
}

CubeSystem::InCell CubeSystem::begin(CellRows const& rows, std::vector<double> const& positions) const {
  EwaldOptions options = options_;
  options.cell = rows;
  Ewald plan{runtime_, options};
  auto points = plan.set_points(positions);
  return {std::move(plan), std::move(points)};
}

void CubeSystem::solve(InCell& of) { of.plan.submit(of.points, given_.strengths, result_).wait(); }

nlohmann::ordered_json CubeSystem::head(std::string const& what) const {
  auto json = conditions(what, measurement_on(runtime_));
  json["kernel"] = name(options_.kernel);
  json["gradient"] = options_.outputs.has(Output::gradient);
  json["count"] = given_.positions.size() / 3;
  json["tolerance"] = options_.tolerance;
  return json;
}

}  // namespace nearfar::cli
