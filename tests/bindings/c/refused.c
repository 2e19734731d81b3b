/* SPDX-License-Identifier: BSD-3-Clause */
/* Views and counts that cannot be meant: refused before anything is read beyond its end, or overwritten. */
#include "check.h"

#include <stdint.h>
#include <stdlib.h>

/* A view of one column. */
static nearfar_rows one(nearfar_column *column, void *first, ptrdiff_t stride, size_t rows, int precision) {
  column->first = first;
  column->stride = stride;
  return (nearfar_rows){rows, column, 1, precision};
}

static void test_results(nearfar_runtime *runtime) {
  double x[6] = {.1, .2, .3, .4, .5, .6}, q[2] = {1, 2}, u[4] = {7, 7, 7, 7}, fields[8];
  float single[2] = {7, 7};
  nearfar_fmm_options options;
  nearfar_fmm_options_init(&options, sizeof options);
  nearfar_plan *plan = NULL;
  nearfar_points *points = NULL;
  nearfar_solve *solve = NULL;
  OK(nearfar_fmm_create(runtime, &options, &plan));
  OK(nearfar_set_points(plan, x, 2, NULL, 0, &points));
  nearfar_column given, taken, columns[4];
  nearfar_rows const charges = one(&given, q, sizeof *q, 2, NEARFAR_DOUBLE);
  ptrdiff_t const strides[] = {0, 4, -4};
  for (int i = 0; i < 3; ++i) {
    nearfar_rows const results = one(&taken, u, strides[i], 2, NEARFAR_DOUBLE);
    FAILS(NEARFAR_BAD_INPUT, "from one row to the next",
          nearfar_submit_rows(plan, points, &charges, &results, NULL, &solve));
  }
  nearfar_rows const backwards = one(&taken, u + 3, -3 * (ptrdiff_t)sizeof *u, 2, NEARFAR_DOUBLE);
  OK(nearfar_submit_rows(plan, points, &charges, &backwards, NULL, &solve));
  OK(nearfar_solve_wait(solve));
  double const r = sqrt(0.27);
  NEAR(u[3], 2 / r, 1e-6);
  NEAR(u[0], 1 / r, 1e-6);
  nearfar_solve_destroy(solve);
  solve = NULL;

  q[0] = 1e39; /* the result is finite, but not as a float */
  nearfar_rows const floats = one(&taken, single, sizeof *single, 2, NEARFAR_SINGLE);
  OK(nearfar_submit_rows(plan, points, &charges, &floats, NULL, &solve));
  FAILS(NEARFAR_BAD_INPUT, "beyond single precision", nearfar_solve_wait(solve));
  CHECK(single[0] == 7 && single[1] == 7);
  nearfar_solve_destroy(solve);
  solve = NULL;
  nearfar_points_destroy(points);
  nearfar_plan_destroy(plan);

  options.outputs = NEARFAR_OUTPUT_POTENTIAL | NEARFAR_OUTPUT_GRADIENT;
  OK(nearfar_fmm_create(runtime, &options, &plan));
  OK(nearfar_set_points(plan, x, 2, NULL, 0, &points));
  for (int c = 0; c < 4; ++c) columns[c] = (nearfar_column){fields + (c == 3 ? 1 : c), 4 * sizeof *fields};
  nearfar_rows const shared = {2, columns, 4, NEARFAR_DOUBLE};
  FAILS(NEARFAR_BAD_INPUT, "columns 1 and 3", nearfar_submit_rows(plan, points, &charges, &shared, NULL, &solve));
  CHECK(solve == NULL);
  nearfar_points_destroy(points);
  nearfar_plan_destroy(plan);
}

static void test_single(nearfar_runtime *runtime) {
  double x[6] = {.1, .2, .3, .4, .5, .6}, q[2] = {1, 1e300}, u[2];
  nearfar_ewald_options options;
  nearfar_ewald_options_init(&options, sizeof options);
  options.kernel = NEARFAR_LAPLACE;
  options.precision = NEARFAR_SINGLE;
  options.tolerance = 1e-4;
  nearfar_plan *plan = NULL;
  nearfar_points *points = NULL;
  nearfar_solve *solve = NULL;
  nearfar_column place[3], charge, potential;
  for (int d = 0; d < 3; ++d) place[d] = (nearfar_column){x + d, 3 * sizeof *x};
  nearfar_rows const places = {2, place, 3, NEARFAR_DOUBLE}, charges = one(&charge, q, sizeof *q, 2, NEARFAR_DOUBLE),
                     potentials = one(&potential, u, sizeof *u, 2, NEARFAR_DOUBLE);
  OK(nearfar_ewald_create(runtime, &options, &plan));
  OK(nearfar_set_points_rows(plan, &places, NULL, &points));
  FAILS(NEARFAR_BAD_INPUT, "row 1 of strengths is 1e+300",
        nearfar_submit_rows(plan, points, &charges, &potentials, NULL, &solve));
  nearfar_points_destroy(points);
  nearfar_plan_destroy(plan);
}

static void test_counts(nearfar_runtime *runtime) {
  double x[6] = {.1, .2, .3, .4, .5, .6};
  nearfar_plan *plan = NULL;
  nearfar_points *points = NULL;
  nearfar_array const piece = {x, 6};
  nearfar_column place[3];
  for (int d = 0; d < 3; ++d) place[d] = (nearfar_column){x + d, 3 * sizeof *x};
  nearfar_rows places = {(size_t)-1, place, 3, NEARFAR_DOUBLE};
  OK(nearfar_ewald_create(runtime, NULL, &plan));
  FAILS(NEARFAR_BAD_INPUT, "there may be 16", nearfar_set_points_arrays(plan, &piece, (size_t)-1, NULL, 0, &points));
  FAILS(NEARFAR_BAD_INPUT, "more than any memory holds", nearfar_set_points_rows(plan, &places, NULL, &points));
  places.rows = SIZE_MAX / 24 + 3; /* times three numbers of eight bytes this is two rows, modulo 2^64 */
  FAILS(NEARFAR_BAD_INPUT, "more than any memory holds", nearfar_set_points_rows(plan, &places, NULL, &points));
  places.rows = 2;
  places.column_count = -3;
  FAILS(NEARFAR_BAD_INPUT, "-3 columns", nearfar_set_points_rows(plan, &places, NULL, &points));
  FAILS(NEARFAR_BAD_INPUT, "before is NULL", nearfar_move_points(plan, NULL, x, 2, NULL, 0, &points));

  /* What fails leaves the cell as it is. */
  double const cell[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
  nearfar_ewald_parameters parameters;
  OK(nearfar_set_points(plan, x, 2, NULL, 0, &points));
  FAILS(NEARFAR_BAD_INPUT, "points is NULL", nearfar_set_cell(plan, cell, points, NULL));
  nearfar_points *none = NULL;
  FAILS(NEARFAR_BAD_INPUT, "before is NULL", nearfar_set_cell(plan, cell, NULL, &none));
  OK(nearfar_plan_ewald_parameters(plan, &parameters, sizeof parameters));
  CHECK(parameters.cell[0] == 1 && none == NULL);
  nearfar_points_destroy(points);
  nearfar_plan_destroy(plan);
}

/* sizeof of a pointer to a struct instead of the struct: no member would count. */
static void test_sizes(nearfar_runtime *runtime) {
  nearfar_fmm_options *options = malloc(sizeof *options);
  nearfar_kernel_info info;
  nearfar_plan *plan = NULL;
  nearfar_fmm_options_init(options, sizeof options);
  options->tolerance = 1e-10;
  FAILS(NEARFAR_BAD_INPUT, "the size of a pointer", nearfar_fmm_create(runtime, options, &plan));
  CHECK(plan == NULL);
  FAILS(NEARFAR_BAD_INPUT, "that of a pointer", nearfar_get_kernel_info(NEARFAR_LAPLACE, &info, sizeof(&info)));
  free(options);
}

void test_refused(nearfar_runtime *runtime) {
  test_results(runtime);
  test_single(runtime);
  test_counts(runtime);
  test_sizes(runtime);
}
