/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include <math.h>

/* Three points with a Stokeslet and a stresslet each, and the free-space sums (docs/ewald.md). */
static double const x[9] = {.1, .2, .3, .7, .5, .9, .4, .85, .15};
static double const f[9] = {1, -.5, .25, -.3, .8, .6, .45, -.2, -.9};
static double const u[9] = {0.7349023925309, 1.020841012511,  -0.2717736792302, 1.909439100159, -0.2947177496948,
                            -0.767388419043, 1.013656843098,  0.0802975651505,  1.135247092883};
static double const charges[3] = {1, -2, 1.5};
static double const phi[3] = {-0.1714644411482, 2.814996613852, -0.9046754829389};

/* q exp(-kappa r), with kappa in user. */
static void screened(void const *user, double const *sources, double const *strengths, size_t count,
                     double const *target, long double *sums) {
  long double const kappa = *(double const *)user;
  for (size_t j = 0; j < count; ++j) {
    long double r2 = 0;
    for (size_t d = 0; d < 3; ++d) {
      long double const r = (long double)target[d] - sources[3 * j + d];
      r2 += r * r;
    }
    if (r2 > 0) sums[0] += strengths[j] * expl(-kappa * sqrtl(r2));
  }
}

void test_direct(nearfar_runtime *runtime) {
  double result[9];
  nearfar_solve *solve = NULL;
  unsigned const velocity = NEARFAR_OUTPUT_VELOCITY;
  OK(nearfar_direct_submit(runtime, NEARFAR_STOKESLET, velocity, x, 3, NULL, 0, f, 9, result, 9, &solve));
  OK(nearfar_solve_wait(solve));
  nearfar_solve_destroy(solve);
  for (int i = 0; i < 9; ++i) NEAR(result[i], u[i], 1e-12);

  /* The same charges in views, read backwards. */
  nearfar_column place[3], charge = {(void *)(charges + 2), -(ptrdiff_t)sizeof(double)};
  nearfar_column potential = {result + 2, -(ptrdiff_t)sizeof(double)};
  for (int d = 0; d < 3; ++d) place[d] = (nearfar_column){(void *)(x + 6 + d), -3 * (ptrdiff_t)sizeof(double)};
  nearfar_rows const places = {3, place, 3, NEARFAR_DOUBLE}, strengths = {3, &charge, 1, NEARFAR_DOUBLE},
                     results = {3, &potential, 1, NEARFAR_DOUBLE};
  OK(nearfar_direct_submit_rows(runtime, NEARFAR_LAPLACE, 0, &places, NULL, &strengths, &results, &solve));
  OK(nearfar_solve_wait(solve));
  nearfar_solve_destroy(solve);
  for (int i = 0; i < 3; ++i) NEAR(result[i], phi[i], 1e-12);

  OK(nearfar_direct_submit_screened(runtime, NEARFAR_LAPLACE, 0, 0, 0.3, &places, NULL, &strengths, &results,
                                    &solve));
  OK(nearfar_solve_wait(solve));
  nearfar_solve_destroy(solve);
  NEAR(result[0], -2 / sqrt(.36 + .09 + .36 + .09) + 1.5 / sqrt(.09 + .4225 + .0225 + .09), 1e-14);

  double const kappa = 0.5;
  OK(nearfar_direct_submit_function(runtime, screened, &kappa, 1, 1, x, 3, NULL, 0, charges, 3, result, 3, &solve));
  OK(nearfar_solve_wait(solve));
  nearfar_solve_destroy(solve);
  double const r01 = sqrt(.36 + .09 + .36), r02 = sqrt(.09 + .4225 + .0225);
  NEAR(result[0], -2 * exp(-.5 * r01) + 1.5 * exp(-.5 * r02), 1e-14);
}
