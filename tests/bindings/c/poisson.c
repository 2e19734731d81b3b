/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include <stdlib.h>

/* A cosine in a periodic box: phi = rho / k^2, E = -grad phi. */
void test_poisson(nearfar_runtime *runtime) {
  enum { n = 16, cells = n * n * n };
  double const k = 8 * atan(1.0) / 3;
  nearfar_poisson_options options;
  nearfar_poisson_options_init(&options, sizeof options);
  nearfar_poisson *plan = NULL;
  FAILS(NEARFAR_BAD_INPUT, "grid", nearfar_poisson_create(runtime, &options, &plan)); /* it has no default */
  for (int d = 0; d < 3; ++d) options.grid[d] = n, options.box[d] = 3, options.periodic[d] = 1;
  options.field = 1;
  OK(nearfar_poisson_create(runtime, &options, &plan));
  CHECK(nearfar_poisson_cells(plan) == cells);
  int planes[2] = {-1, -1};
  OK(nearfar_poisson_planes(plan, planes));
  CHECK(planes[0] == 0 && planes[1] == n);
  FAILS(NEARFAR_BAD_INPUT, "planes", nearfar_poisson_planes(plan, NULL));
  double *density = malloc(cells * sizeof *density), *potential = malloc(cells * sizeof *potential),
         *field = malloc(3 * cells * sizeof *field);
  for (int i = 0; i < cells; ++i) density[i] = cos(k * 3 / n * (i / (n * n) + .5));
  nearfar_solve *solve = NULL;
  OK(nearfar_poisson_submit(plan, density, cells, potential, cells, field, 3 * cells, NULL, &solve));
  OK(nearfar_solve_wait(solve));
  nearfar_solve_destroy(solve);
  for (int i = 0; i < cells; ++i) {
    NEAR(potential[i], density[i] / (k * k), 1e-12);
    NEAR(field[3 * i], sin(k * 3 / n * (i / (n * n) + .5)) / k, 1e-12);
    NEAR(field[3 * i + 1], 0, 1e-12);
  }

  /* Half the spacing: the same numbers are a wave of half the length. */
  double const spacing[3] = {1.5 / n, 1.5 / n, 1.5 / n};
  OK(nearfar_poisson_set_spacing(plan, spacing));
  OK(nearfar_poisson_submit(plan, density, cells, potential, cells, field, 3 * cells, NULL, &solve));
  OK(nearfar_solve_wait(solve));
  nearfar_solve_destroy(solve);
  NEAR(potential[0], density[0] / (4 * k * k), 1e-12);
  nearfar_poisson_parameters parameters;
  OK(nearfar_poisson_get_parameters(plan, &parameters, sizeof parameters));
  NEAR(parameters.spacing[1], 1.5 / n, 1e-15);
  nearfar_report report;
  OK(nearfar_poisson_green_report(plan, &report, sizeof report));
  FAILS(NEARFAR_BAD_INPUT, "density",
        nearfar_poisson_submit(plan, NULL, cells, potential, cells, NULL, 0, NULL, &solve));
  free(density), free(potential), free(field);
  nearfar_poisson_destroy(plan);
}
