// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/hunt/places.hpp"

#include <algorithm>
#include <numbers>

namespace nearfar::hunt {

namespace {

using Point = std::array<double, 3>;
enum class Form { cloud, cluster, two_clusters, pairs, line, plane, planes, shell, scales, faces };

/// Kept inside, the upper faces left out.
Point inside(oracle::Box const& box, Point at) {
  for (std::size_t d = 0; d < 3; ++d) at[d] = std::clamp(at[d], 0.0, box[d] * (1 - 0x1p-20));
  return at;
}

Point anywhere(Draw& draw, oracle::Box const& box) {
  return {draw.real(0, box[0]), draw.real(0, box[1]), draw.real(0, box[2])};
}

Point around(Draw& draw, Point const& centre, double size) {
  return {centre[0] + size * draw.normal(), centre[1] + size * draw.normal(), centre[2] + size * draw.normal()};
}

void add_line(Draw& draw, Places& places, int count) {
  int const axis = draw.whole(0, 3);  // 3: the diagonal
  bool const even = draw.chance(0.5);
  Point const start = anywhere(draw, places.box);
  for (int i = 0; i < count; ++i) {
    double const along = even ? (i + 0.25) / count : draw.real();
    Point at = start;
    for (int d = 0; d < 3; ++d)
      if (axis == d || axis == 3) at[std::size_t(d)] = along * places.box[std::size_t(d)];
    places.add(inside(places.box, at), i % 2);
  }
}

void add_planes(Draw& draw, Places& places, int count, int planes) {
  auto const axis = std::size_t(draw.whole(0, 2));
  double const offset = draw.one_of({0.0, 0.25, draw.real()}), thickness = draw.one_of({0.0, 0.0, 1e-4, 1e-2});
  bool const even = draw.chance(0.5);  // over the box, or anywhere
  std::vector<double> heights;
  for (int p = 0; p < planes; ++p) heights.push_back(even ? (p + offset) / planes : draw.real());
  for (int i = 0; i < count; ++i) {
    Point at = anywhere(draw, places.box);
    int const p = i % planes;
    at[axis] = (heights[std::size_t(p)] + thickness * (draw.real() - 0.5) / planes) * places.box[axis];
    std::array<int, 3> number{};
    number[axis] = p;
    places.add(inside(places.box, at), p % 2, number);
  }
}

}  // namespace

void Places::add(Point const& at, int kind_of_it, std::array<int, 3> const& planes) {
  x.insert(x.end(), at.begin(), at.end());
  kind.push_back(kind_of_it);
  plane.push_back(planes);
}

Places scattered(Draw& draw, oracle::Box const& box, int most) {
  Places places;
  places.box = box;
  int const count = int(draw.scale(1, most + 1));
  double const shortest = std::min({box[0], box[1], box[2]}), size = shortest * draw.scale(1e-4, 0.2);
  Point const centre = anywhere(draw, box), other = anywhere(draw, box);
  auto const all = [&](char const* name, auto const& place) {
    places.name = name;
    for (int i = 0; i < count; ++i) places.add(inside(box, place(i)), i % 2);
  };
  Form const form = draw.one_of({Form::cloud, Form::cloud, Form::cluster, Form::two_clusters, Form::pairs, Form::line,
                                 Form::plane, Form::planes, Form::planes, Form::shell, Form::scales, Form::faces});
  switch (form) {
    case Form::cloud: all("cloud", [&](int) { return anywhere(draw, box); }); break;
    case Form::cluster: all("cluster", [&](int) { return around(draw, centre, size); }); break;
    case Form::two_clusters:
      all("two clusters", [&](int i) { return around(draw, i / 2 % 2 == 0 ? centre : other, size); });
      break;
    case Form::pairs: {
      double const apart = shortest * draw.scale(1e-7, 0.1);
      Point first{};
      all("pairs", [&](int i) { return i % 2 == 0 ? first = anywhere(draw, box) : around(draw, first, apart); });
      break;
    }
    case Form::line:
      places.name = "line";
      add_line(draw, places, count);
      break;
    case Form::plane:
      places.name = "plane";
      add_planes(draw, places, count, 1);
      break;
    case Form::planes:
      places.name = "planes";
      add_planes(draw, places, count, draw.whole(2, 40));
      break;
    case Form::shell:
      all("shell", [&](int) {
        Point p = around(draw, {0, 0, 0}, 1);
        double const r = std::hypot(p[0], p[1], p[2]);
        for (std::size_t d = 0; d < 3; ++d) p[d] = box[d] / 2 + 0.4 * shortest * p[d] / r;
        return p;
      });
      break;
    case Form::scales: all("scales", [&](int) { return around(draw, centre, shortest * draw.scale(1e-8, 1)); }); break;
    case Form::faces:
      all("faces", [&](int) {
        Point p = anywhere(draw, box);
        int const parts = draw.one_of({1, 2, 3, 4, 8});
        auto const d = std::size_t(draw.whole(0, 2));
        p[d] = box[d] * std::floor(p[d] / box[d] * parts) / parts;
        return p;
      });
      break;
  }
  return places;
}

}  // namespace nearfar::hunt
