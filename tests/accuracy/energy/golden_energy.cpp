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
    auto const &cell = sum["cell"], &pbc = sum["pbc"];
    bool fits = true;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) fits = fits && (i == j || cell[i][j] == 0);
    int const x = pbc[0], y = pbc[1], z = pbc[2];
    if (!fits || (y != 0 && x == 0) || (z != 0 && y == 0)) continue;
    GoldenEnergy g{sum["name"], Periodicity(x + y + z), {}, {}, {}, sum["outputs"]["energy"], {}};
    for (std::size_t d = 0; d < 3; ++d) g.box[d] = pbc[d] != 0 ? double(cell[d][d]) : 0;
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
