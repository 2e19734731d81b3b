// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/hunt/places.hpp"

#include <algorithm>
#include <sstream>

namespace nearfar::hunt {

namespace {

struct Ion {
  std::array<int, 3> quarters;  // of a cell
  int kind;
};

struct Structure {
  char const* name;
  std::vector<Ion> cell;
};

std::vector<Structure> structures() {
  std::vector<Ion> const face_centred{{{0, 0, 0}, 0}, {{0, 2, 2}, 0}, {{2, 0, 2}, 0}, {{2, 2, 0}, 0}};
  auto const with_shifted = [&](int x, int y, int z) {
    std::vector<Ion> all = face_centred;
    for (Ion const& ion : face_centred)
      all.push_back({{(ion.quarters[0] + x) % 4, (ion.quarters[1] + y) % 4, (ion.quarters[2] + z) % 4}, 1});
    return all;
  };
  return {{"simple cubic", {{{0, 0, 0}, 0}}},
          {"caesium chloride", {{{0, 0, 0}, 0}, {{2, 2, 2}, 1}}},
          {"rock salt", with_shifted(2, 0, 0)},
          {"zincblende", with_shifted(1, 1, 1)},
          {"face-centred", face_centred},
          {"dipoles", {{{0, 0, 0}, 0}, {{1, 0, 0}, 1}}},
          {"quadrupoles", {{{0, 0, 0}, 0}, {{1, 0, 0}, 1}, {{1, 1, 0}, 0}, {{0, 1, 0}, 1}}}};
}

enum class Defect { none, ions, tenth, cell, layer, half };

}  // namespace

Places crystal(Draw& draw, int most, bool cubic) {
  auto const all = structures();
  Structure const& structure = all[std::size_t(draw.whole(0, int(all.size()) - 1))];
  Places places;
  // Whole cells: as many along each edge, or others; some box may be left empty beside the crystal.
  double const cells = std::max(1.0, double(most) / double(structure.cell.size()));
  int const edge = std::max(1, int(std::cbrt(draw.scale(1, cells))));
  std::array<int, 3> count{edge, edge, edge}, room{};
  bool const same = draw.chance(0.5);
  for (std::size_t d = 0; d < 3; ++d) {
    if (!same) count[d] = std::max(1, int(edge * draw.scale(0.5, 2)));
    room[d] = draw.chance(0.8) ? 0 : draw.whole(1, std::max(1, count[d] / 2));
    places.box[d] = double(count[d] + room[d]) / (edge + 1);
  }
  if (cubic) {  // as flat as a multipole sum bears
    double const longest = *std::ranges::max_element(places.box);
    for (double& b : places.box) b = std::max(b, 0.75 * longest);
  }
  bool const stretched = draw.chance(0.2);
  for (double& b : places.box) b *= stretched ? draw.real(0.8, 1.2) : 1;
  double const jitter = draw.one_of({0.0, 0.0, 1e-6, 1e-3, 1e-2, 0.1}),
               offset = draw.one_of({0.0, 0.125, 0.25, draw.real(0, 0.25)});
  Defect const defect =
      draw.one_of({Defect::none, Defect::none, Defect::ions, Defect::tenth, Defect::cell, Defect::layer, Defect::half});
  auto const axis = std::size_t(draw.whole(0, 2));
  std::array<int, 3> const hole{draw.whole(0, count[0] - 1), draw.whole(0, count[1] - 1), draw.whole(0, count[2] - 1)};
  auto const missing = [&](std::array<int, 3> const& cell) {
    if (defect == Defect::tenth) return draw.chance(0.1);
    if (defect == Defect::cell) return cell == hole;
    if (defect == Defect::layer) return cell[axis] == hole[axis];
    if (defect == Defect::half) return cell[axis] < count[axis] / 2;
    return defect == Defect::ions && draw.chance(2.0 / (count[0] * count[1] * count[2]));
  };
  for (int i = 0; i < count[0] * count[1] * count[2]; ++i) {
    std::array<int, 3> const cell{i / count[2] / count[1], i / count[2] % count[1], i % count[2]};
    for (Ion const& ion : structure.cell) {
      if (missing(cell)) continue;
      std::array<double, 3> at{};
      std::array<int, 3> plane{};
      for (std::size_t d = 0; d < 3; ++d) {
        double const place = cell[d] + 0.25 * ion.quarters[d] + offset + jitter * (draw.real() - 0.5);
        at[d] = std::clamp(place / (count[d] + room[d]), 0.0, 1 - 0x1p-20) * places.box[d];
        plane[d] = 4 * cell[d] + ion.quarters[d];
      }
      places.add(at, ion.kind, plane);
    }
  }
  char const* const names[] = {
      "", ", ions missing", ", a tenth missing", ", a cell missing", ", a layer missing", ", half missing"};
  std::ostringstream name;
  name << structure.name << " " << count[0] << "x" << count[1] << "x" << count[2] << names[int(defect)];
  if (jitter > 0) name << ", jitter " << jitter;
  places.name = name.str();
  if (places.count() == 0) places.add({0.1 * places.box[0], 0.1 * places.box[1], 0.1 * places.box[2]}, 0);
  return places;
}

}  // namespace nearfar::hunt
