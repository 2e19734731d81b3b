/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include <stdlib.h>

enum { count = 3000 };

static double *random_numbers(size_t length) {
  double *numbers = malloc(length * sizeof *numbers);
  unsigned long state = 12345;
  for (size_t i = 0; i < length; ++i) {
    state = (state * 1103515245ul + 12345ul) & 0x7ffffffful;
    numbers[i] = (double)state / 2147483648.0;
  }
  return numbers;
}

static double relative_error(double const *value, double const *exact, int components, int component) {
  double error = 0, size = 0;
  for (int i = component; i < count * components; i += components) {
    error += (value[i] - exact[i]) * (value[i] - exact[i]);
    size += exact[i] * exact[i];
  }
  return sqrt(error / size);
}

/* Potential and gradient of charges against the direct sum, and two vectors of strengths at once. */
void test_fmm(nearfar_runtime *runtime) {
  unsigned const outputs = NEARFAR_OUTPUT_POTENTIAL | NEARFAR_OUTPUT_GRADIENT;
  nearfar_fmm_options options;
  nearfar_fmm_options_init(&options, sizeof options);
  options.outputs = outputs;
  options.tolerance = 1e-5;
  nearfar_plan *plan = NULL;
  OK(nearfar_fmm_create(runtime, &options, &plan));
  double *x = random_numbers(3 * count), *q = random_numbers(2 * count);
  double *field = calloc(8 * count, sizeof *field), *exact = calloc(4 * count, sizeof *exact);
  nearfar_points *points = NULL, *moved = NULL;
  nearfar_solve *solve = NULL;
  OK(nearfar_set_points(plan, x, count, NULL, 0, &points));
  OK(nearfar_execute(plan, points, q, count, field, 4 * count));
  OK(nearfar_direct_submit(runtime, NEARFAR_LAPLACE, outputs, x, count, NULL, 0, q, count, exact, 4 * count, &solve));
  OK(nearfar_solve_wait(solve));
  nearfar_solve_destroy(solve);
  for (int c = 0; c < 4; ++c) CHECK(relative_error(field, exact, 4, c) < 1e-5);

  nearfar_fmm_parameters parameters, of_points;
  OK(nearfar_plan_fmm_parameters(plan, &parameters, sizeof parameters));
  OK(nearfar_points_fmm_parameters(points, &of_points, sizeof of_points));
  CHECK(parameters.order > 1 && parameters.boxes > 1 && parameters.boxes == of_points.boxes);

  OK(nearfar_execute(plan, points, q, 2 * count, field, 8 * count)); /* rows of two charges */
  for (int i = 0; i < 3 * count; ++i) x[i] += 1e-4;                /* a translation changes nothing */
  OK(nearfar_move_points(plan, points, x, count, NULL, 0, &moved));
  double *again = calloc(8 * count, sizeof *again);
  OK(nearfar_execute(plan, moved, q, 2 * count, again, 8 * count));
  for (int c = 0; c < 8; ++c) CHECK(relative_error(again, field, 8, c) < 2e-5);

  nearfar_submit_options near_part;
  nearfar_submit_options_init(&near_part, sizeof near_part);
  near_part.part = NEARFAR_PART_NEAR;
  FAILS(NEARFAR_BAD_INPUT, "not parts", nearfar_submit(plan, points, q, count, field, 4 * count, &near_part, &solve));
  free(x), free(q), free(field), free(exact), free(again);
  nearfar_points_destroy(points);
  nearfar_points_destroy(moved);
  nearfar_plan_destroy(plan);
}
