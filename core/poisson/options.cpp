// SPDX-License-Identifier: BSD-3-Clause
#include "core/poisson/options.hpp"

#include "core/math/reject.hpp"
#include "core/spectral/smooth_length.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

constexpr double largest_ratio = 100;  // of edges: transforms of the Green's function grow with it

void check_grid(PoissonOptions const& o) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (o.grid[d] < 2 || o.grid[d] > largest_grid)
      reject("the grid has ", o.grid[d], " cells along ", "xyz"[d],
             o.grid[d] > largest_grid ? " (no transform here is so long)"
             : o.grid[d] == 1         ? " (one cell has no spacing to its neighbours)"
                                      : " (the field needs cells to be known at)",
             "; give 2 to ", largest_grid, " per direction");
    if (!(o.box[d] > 0) || !std::isfinite(o.box[d]))
      reject("box edge ", "xyz"[d], " is ", o.box[d], ", so cells are ", o.box[d] / o.grid[d],
             " wide (the spacing divides the density's transform). Give a length above 0");
  }
}

void check_shape(PoissonOptions const& o) {
  double shortest = HUGE_VAL, longest = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (o.periodic[d]) continue;
    shortest = std::min(shortest, o.box[d]);
    longest = std::max(longest, o.box[d]);
  }
  if (longest > largest_ratio * shortest)
    reject("edges along open directions go from ", shortest, " to ", longest,
           " (the Green's function of the short ones is transformed over the length of the long). Keep their ratio "
           "within ",
           largest_ratio);
}

void check_green(PoissonOptions const& o) {
  if (o.green == HockneyGreen::cell_average) return;
  char const* const kind = o.green == HockneyGreen::constant ? "constant" : "integrated";
  if (o.method != PoissonMethod::hockney)
    reject("the Green's function is to be ", kind,
           " with a method that takes no samples of it in space. Leave it out, or use method hockney");
  if (o.periodic[0] || o.periodic[1] || o.periodic[2])
    reject(
        "the Green's function is to be ", kind,
        " in a box that repeats (it is made for 1/r, with all directions open). Leave it out, or open all directions");
}

void check_conductor(PoissonOptions const& o) {
  if (!o.conductor) return;
  auto const axis = static_cast<std::size_t>(*o.conductor) / 2;
  if (o.periodic[axis])
    reject("a face across ", "xyz"[axis],
           " conducts, and that direction repeats (a conductor ends the field there). "
           "Open the direction, or choose a face of another");
  if (2 * o.grid[axis] > largest_grid)
    reject("the grid has ", o.grid[axis], " cells along ", "xyz"[axis],
           ", and its mirror image behind the conductor as many; give at most ", largest_grid / 2);
}

}  // namespace

void check_options(PoissonOptions const& options) {
  check_grid(options);
  check_shape(options);
  check_green(options);
  check_conductor(options);
}

PoissonGrid make_poisson_grid(PoissonOptions const& options) {
  PoissonGrid g;
  std::size_t next = 0;
  for (bool const periodic : {false, true})
    for (std::size_t d = 0; d < 3; ++d)
      if (options.periodic[d] == periodic) g.axes[next++] = int(d);
  g.size = inside(g.axes, options.grid);
  g.edge = inside(g.axes, options.box);
  g.periodic = inside(g.axes, options.periodic);
  if (!options.conductor) return g;
  int const face = int(*options.conductor);
  for (std::size_t d = 0; d < 3; ++d) {
    if (g.axes[d] != face / 2) continue;
    g.mirrored = int(d);
    g.size[d] *= 2;
    g.edge[d] *= 2;
  }
  g.mirror_below = face % 2 == 0;
  return g;
}

GreenFunction make_green_function(PoissonOptions const& options, PoissonGrid const& grid) {
  return make_green_function(options.method, options.green, grid.size, grid.edge, grid.periodic);
}

}  // namespace nearfar
