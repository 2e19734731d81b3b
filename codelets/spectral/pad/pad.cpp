// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/pad/pad.hpp"

#include "codelets/common/portable.hpp"
#include "codelets/spectral/pad/bad_density.hpp"
#include "codelets/spectral/pad/pad_body.hpp"

#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace nearfar {

namespace {

/// The caller's box, by our axes: without the mirror image.
std::array<int, 3> box_of(PoissonGrid const& grid) {
  std::array<int, 3> size = grid.size;
  if (grid.mirrored >= 0) size[std::size_t(grid.mirrored)] /= 2;
  return size;
}

}  // namespace

CallersCells::CallersCells(PoissonGrid const& g) : mirrored(g.mirrored), mirror_below(g.mirror_below) {
  auto const own = box_of(g), users = outside(g.axes, own);
  for (std::size_t d = 0; d < 3; ++d) {
    size[d] = own[d];
    stride[d] = 1;
    for (auto later = std::size_t(g.axes[d]) + 1; later < 3; ++later) stride[d] *= users[later];
  }
}

Error bad_density(PoissonGrid const& grid, std::int64_t place, double value) {
  auto const users = outside(grid.axes, box_of(grid));
  return Error(Fault::bad_input,
               "the density is " + std::to_string(value) + " in cell (" + std::to_string(place / users[2] / users[1]) +
                   ", " + std::to_string(place / users[2] % users[1]) + ", " + std::to_string(place % users[2]) +
                   ") (the whole potential would not be a number); all must be finite");
}

template <class T>
Error bad_result(PoissonGrid const& grid, std::int64_t cell, double value) {
  auto const users = outside(grid.axes, box_of(grid));
  std::ostringstream text;
  text << "the result is " << value << " in cell (" << cell / users[2] / users[1] << ", " << cell / users[2] % users[1]
       << ", " << cell % users[2] << "), because sums on the way to it are beyond the range of "
       << (sizeof(T) == 4 ? "single" : "double") << " precision, which ends at " << std::numeric_limits<T>::max()
       << "; scale the density down, and the result up by as much";
  return Error(Fault::bad_input, text.str());
}

template <class T>
void Pad<T>::portable(Buffers const& b, Args const& args) {
  PadBody<T> const body{{args.grid, args.layout, args.slab}, b.get<T const>(0), b.get<T>(1)};
  portable_for(int(body.cells.row_count()), [&](int number) {
    auto const row = body.cells.row(number);
    for (int z = 0; z < body.cells.length; ++z) {
      std::int64_t const place = body.copy(row, z);
      if (T const value = body.density[place]; !std::isfinite(value))
        throw bad_density(args.grid, place, double(value));
    }
  });
}

template <class T>
void Restrict<T>::portable(Buffers const& b, Args const& args) {
  RestrictBody<T> const body(args, b.get<T const>(0), b.get<T>(1));
  portable_for(int(body.cells.row_count()), [&](int number) {
    auto const row = body.cells.row(number);
    for (int z = 0; z < body.cells.length; ++z)
      if (std::int64_t const bad = body.copy(row, z); bad != body.finite)
        throw bad_result<T>(args.grid, bad, double(body.bad_value(bad)));
  });
}

template Error bad_result<double>(PoissonGrid const&, std::int64_t, double);
template Error bad_result<float>(PoissonGrid const&, std::int64_t, double);
template struct Pad<double>;
template struct Pad<float>;
template struct Restrict<double>;
template struct Restrict<float>;

}  // namespace nearfar
