// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/hunt/strengths.hpp"

#include "core/kernels/description/description.hpp"

#include <functional>
#include <numbers>

namespace nearfar::hunt {

namespace {

enum class Pattern { random, equal, by_kind, some_flipped, layers, wave, few, sizes };

using Size = std::function<double(std::size_t)>;

Size by_layers(Draw& draw, Places const& places) {
  auto const axis = std::size_t(draw.whole(0, 2));
  int const thick = draw.whole(1, 8);
  return [&places, axis, thick](std::size_t i) { return places.plane[i][axis] / thick % 2 == 0 ? 1.0 : -1.0; };
}

Size by_wave(Draw& draw, Places const& places) {
  std::array<double, 3> number{};
  for (double& n : number) n = draw.chance(0.5) ? draw.whole(0, 60) : 0;
  double const phase = draw.real();
  return [&places, number, phase](std::size_t i) {
    double turns = phase;
    for (std::size_t d = 0; d < 3; ++d) turns += number[d] * places.x[3 * i + d] / places.box[d];
    return std::cos(2 * std::numbers::pi * turns);
  };
}

Size sizes(Draw& draw, Places const& places, std::string& name) {
  Pattern const pattern =
      draw.one_of({Pattern::random, Pattern::random, Pattern::equal, Pattern::by_kind, Pattern::by_kind,
                   Pattern::some_flipped, Pattern::layers, Pattern::wave, Pattern::few, Pattern::sizes});
  auto const kind = [&places](std::size_t i) { return places.kind[i] == 0 ? 1.0 : -1.0; };
  switch (pattern) {
    case Pattern::random: return name = "random", [&draw](std::size_t) { return draw.real(-1, 1); };
    case Pattern::equal: return name = "equal", [](std::size_t) { return 1; };
    case Pattern::by_kind: return name = "by kind", kind;
    case Pattern::some_flipped:
      return name = "by kind, some flipped",
             [&draw, kind](std::size_t i) { return draw.chance(0.02) ? -kind(i) : kind(i); };
    case Pattern::layers: return name = "layers", by_layers(draw, places);
    case Pattern::wave: return name = "wave", by_wave(draw, places);
    case Pattern::few: {
      std::size_t const step = places.count() / std::size_t(draw.whole(1, 3)) + 1;
      double const others = draw.one_of({0.0, 1e-6});
      return name = "few", [step, others](std::size_t i) { return i % step == 0 ? 1 : others; };
    }
    case Pattern::sizes:
      return name = "of many sizes", [&draw](std::size_t) { return draw.one_of({-1, 1}) * draw.scale(1e-6, 1); };
  }
  return {};
}

}  // namespace

Strengths strengths(Draw& draw, Kernel kernel, Places const& places) {
  Strengths made;
  Size const size = sizes(draw, places, made.name);
  bool const double_layer = nearfar::describe(kernel).has_double_layer();
  auto const row = std::size_t(strength_components(kernel));
  std::vector<double> direction(row, 1);
  for (double& d : direction) d = row == 1 ? 1 : draw.real(-1, 1);
  bool const aligned = row == 1 || draw.chance(0.6);
  if (row > 1) made.name += aligned ? ", aligned" : ", in all directions";
  for (std::size_t i = 0; i < places.count(); ++i) {
    double const s = size(i);
    for (std::size_t c = 0; c < row; ++c) {
      bool const normal = double_layer && c >= row - 3;
      made.rows.push_back((aligned ? direction[c] : draw.real(-1, 1)) * (normal ? 1 : s));
    }
  }
  // Neutral: forces that add up to nothing, charges without a monopole.
  if (double_layer || places.count() < 2 || !draw.chance(0.3)) return made;
  made.name += ", neutral";
  for (std::size_t c = 0; c < row; ++c) {
    double mean = 0;
    for (std::size_t i = c; i < made.rows.size(); i += row) mean += made.rows[i] / double(places.count());
    for (std::size_t i = c; i < made.rows.size(); i += row) made.rows[i] -= mean;
  }
  return made;
}

}  // namespace nearfar::hunt
