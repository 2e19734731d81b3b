// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/energy/golden_energy.hpp"

#include <nlohmann/json.hpp>

#include <fstream>

namespace nearfar {

std::vector<GoldenEnergy> golden_energies() {
  auto const all = nlohmann::json::parse(std::ifstream(NEARFAR_GOLDEN_OPERATORS));
  std::vector<GoldenEnergy> found;
  for (auto const& sum : all["sums"]) {
    if (sum["source"] != "energy") continue;
    std::string axes;
    for (std::size_t d = 0; d < 3; ++d)
      if (sum["pbc"][d] != 0) axes += "xyz"[d];
    GoldenEnergy g{sum["name"], axes.empty() ? Periodicity::none : from_name<Periodicity>(axes),
                   {},          {},
                   {},          sum["outputs"]["energy"],
                   {}};
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t c = 0; c < 3 && sum["pbc"][d] != 0; ++c) g.cell[d][c] = sum["cell"][d][c];
    for (auto const& row : sum["sources"])
      for (double const number : row) g.sources.push_back(number);
    for (double const q : sum["strengths"]) g.charges.push_back(q);
    auto const& w = sum["outputs"]["virial"];
    g.virial = {w[0][0], w[1][1], w[2][2], w[0][1], w[0][2], w[1][2]};
    found.push_back(g);
  }
  return found;
}

}  // namespace nearfar
