/* SPDX-License-Identifier: BSD-3-Clause */
/* Several vectors of strengths in one Ewald solve, as longer rows and as columns of their own: each has the bits that
   it has alone. */
#include "check.h"

enum { n = 60, vectors = 3, in = 3, out = 13 };

static double x[3 * n], forces[vectors][in * n], alone[vectors][out * n];
static double rows[vectors * in * n], found[vectors * out * n];

/* The flow of forces, with pressure and velocity gradient. */
static nearfar_plan *flow_plan(nearfar_runtime *runtime) {
  nearfar_ewald_options options;
  nearfar_ewald_options_init(&options, sizeof options);
  options.outputs = NEARFAR_OUTPUT_VELOCITY | NEARFAR_OUTPUT_PRESSURE | NEARFAR_OUTPUT_GRADIENT;
  options.tolerance = 1e-4;
  options.count = n;
  nearfar_plan *plan = NULL;
  OK(nearfar_ewald_create(runtime, &options, &plan));
  CHECK(nearfar_plan_strength_components(plan) == in && nearfar_plan_result_components(plan) == out);
  return plan;
}

static void check_found(char const *how) {
  for (int v = 0; v < vectors; ++v)
    for (int i = 0; i < n; ++i)
      if (memcmp(found + out * (vectors * i + v), alone[v] + out * i, out * sizeof(double)) != 0) {
        ++failures;
        printf("%s: vector %d differs from itself alone at point %d\n", how, v, i);
        return;
      }
}

static void test_columns(nearfar_plan *plan, nearfar_points const *points) {
  nearfar_column given[vectors * in], taken[vectors * out];
  for (int v = 0; v < vectors; ++v)
    for (int c = 0; c < in; ++c) given[in * v + c] = (nearfar_column){forces[v] + c, in * sizeof(double)};
  for (int c = 0; c < vectors * out; ++c) taken[c] = (nearfar_column){found + c, vectors * out * sizeof(double)};
  nearfar_rows const strengths = {n, given, vectors * in, NEARFAR_DOUBLE},
                     results = {n, taken, vectors * out, NEARFAR_DOUBLE};
  nearfar_solve *solve = NULL;
  memset(found, 0, sizeof found);
  OK(nearfar_submit_rows(plan, points, &strengths, &results, NULL, &solve));
  OK(nearfar_solve_wait(solve));
  nearfar_solve_destroy(solve);
  check_found("columns");
}

void test_vectors(nearfar_runtime *runtime) {
  for (int i = 0; i < 3 * n; ++i) x[i] = (i * 7919 % 10007) / 10007.;
  for (int v = 0; v < vectors; ++v) /* sizes differ, so that units do */
    for (int i = 0; i < in * n; ++i) forces[v][i] = (1 + 1000 * v) * ((i + v) * 613 % 1009 / 504. - 1);
  nearfar_plan *plan = flow_plan(runtime);
  nearfar_points *points = NULL;
  OK(nearfar_set_points(plan, x, n, NULL, 0, &points));
  for (int v = 0; v < vectors; ++v) {
    OK(nearfar_execute(plan, points, forces[v], in * n, alone[v], out * n));
    for (int i = 0; i < n; ++i) memcpy(rows + in * (vectors * i + v), forces[v] + in * i, in * sizeof(double));
  }
  CHECK(alone[1][0] != 0 && alone[1][out * n - 1] != alone[2][out * n - 1]);
  OK(nearfar_execute(plan, points, rows, vectors * in * n, found, vectors * out * n));
  check_found("rows");
  test_columns(plan, points);
  FAILS(NEARFAR_BAD_INPUT, "result has 780 numbers",
        nearfar_execute(plan, points, rows, vectors * in * n, found, out * n));
  FAILS(NEARFAR_BAD_INPUT, "strengths has 541",
        nearfar_execute(plan, points, rows, vectors * in * n + 1, found, out * n));
  nearfar_points_destroy(points);
  nearfar_plan_destroy(plan);
}
