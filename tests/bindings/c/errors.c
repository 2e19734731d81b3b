/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include <math.h>
#include <threads.h>

static int other_thread(void *unused) {
  (void)unused;
  return nearfar_last_error()[0] == '\0' ? 0 : 1; /* its own, and none yet */
}

/* Programs made for versions of the library with shorter and with longer options. */
static void test_versions(nearfar_runtime *runtime) {
  struct later {
    nearfar_ewald_options known;
    double unknown;
  } later;
  nearfar_plan *plan = NULL;
  nearfar_ewald_options_init(&later.known, sizeof later);
  CHECK(later.unknown == 0 && later.known.size == sizeof later);
  OK(nearfar_ewald_create(runtime, &later.known, &plan));
  nearfar_plan_destroy(plan);
  plan = NULL;
  later.unknown = 3;
  FAILS(NEARFAR_BAD_INPUT, "does not know", nearfar_ewald_create(runtime, &later.known, &plan));

  struct earlier {
    size_t size;
    int precision, kernel;
  } earlier = {0};
  nearfar_ewald_options_init((nearfar_ewald_options *)(void *)&earlier, sizeof earlier);
  CHECK(earlier.size == sizeof earlier && earlier.kernel == NEARFAR_STOKESLET);
  earlier.kernel = NEARFAR_LAPLACE;
  OK(nearfar_ewald_create(runtime, (nearfar_ewald_options *)(void *)&earlier, &plan));
  CHECK(nearfar_plan_strength_components(plan) == 1);
  nearfar_plan_destroy(plan);

  nearfar_ewald_options raw;
  memset(&raw, 0, sizeof raw);
  FAILS(NEARFAR_BAD_INPUT, "nearfar_ewald_options_init", nearfar_ewald_create(runtime, &raw, &plan));
}

/* The list of kernels. */
static void test_kernels(void) {
  nearfar_kernel_info info;
  OK(nearfar_get_kernel_info(NEARFAR_LAPLACE, &info, sizeof info));
  unsigned const field = NEARFAR_OUTPUT_POTENTIAL | NEARFAR_OUTPUT_GRADIENT, all = field | NEARFAR_OUTPUT_HESSIAN;
  CHECK(strcmp(info.name, "laplace") == 0 && info.outputs == all && info.fmm_outputs == all);
  CHECK(info.periodicities == 255 && info.fmm_periodicities == (1 << NEARFAR_PERIODIC_NONE | 1 << NEARFAR_PERIODIC_XYZ));
  CHECK(info.energy_outputs == NEARFAR_OUTPUT_POTENTIAL && info.virial_outputs == field && info.screening == 0);
  OK(nearfar_get_kernel_info(NEARFAR_YUKAWA, &info, sizeof info));
  CHECK(info.screening == 1 && info.fmm_outputs == 0 && info.fmm_periodicities == 0);
  int kernels = 0;
  while (nearfar_get_kernel_info(kernels, &info, sizeof info) == NEARFAR_OK) ++kernels;
  CHECK(kernels == NEARFAR_DOUBLET + 1);
  FAILS(NEARFAR_BAD_INPUT, "kernel is 77", nearfar_get_kernel_info(77, &info, sizeof info));
}

void test_errors(nearfar_runtime *runtime) {
  test_kernels();
  nearfar_plan *plan = NULL;
  nearfar_ewald_options options;
  nearfar_ewald_options_init(&options, sizeof options);
  options.kernel = NEARFAR_LAPLACE;
  options.outputs = NEARFAR_OUTPUT_HESSIAN;
  FAILS(NEARFAR_BAD_INPUT, "without potential", nearfar_ewald_create(runtime, &options, &plan));
  options.outputs = NEARFAR_OUTPUT_VELOCITY;
  FAILS(NEARFAR_BAD_INPUT, "it has potential, gradient, hessian", nearfar_ewald_create(runtime, &options, &plan));
  options.outputs = NEARFAR_OUTPUT_POTENTIAL | 96;
  FAILS(NEARFAR_BAD_INPUT, "outputs has the flags 96", nearfar_ewald_create(runtime, &options, &plan));
  options.outputs = 0;
  options.kernel = 17;
  FAILS(NEARFAR_BAD_INPUT, "kernel is 17", nearfar_ewald_create(runtime, &options, &plan));
  options.kernel = NEARFAR_LAPLACE;
  options.tolerance = 2;
  FAILS(NEARFAR_BAD_INPUT, "tolerance", nearfar_ewald_create(runtime, &options, &plan));
  FAILS(NEARFAR_BAD_INPUT, "runtime is NULL", nearfar_ewald_create(NULL, &options, &plan));
  CHECK(plan == NULL);
  thrd_t thread;
  int its = -1;
  CHECK(thrd_create(&thread, other_thread, NULL) == thrd_success);
  thrd_join(thread, &its);
  CHECK(its == 0);

  options.tolerance = 1e-6;
  FAILS(NEARFAR_BAD_INPUT, "plan is NULL", nearfar_ewald_create(runtime, &options, NULL));
  OK(nearfar_ewald_create(runtime, &options, &plan));
  double x[6] = {.1, .2, .3, .4, .5, .6}, q[2] = {1, NAN}, potential[2];
  nearfar_points *points = NULL, *none = NULL;
  nearfar_solve *solve = NULL;
  FAILS(NEARFAR_BAD_INPUT, "sources is NULL", nearfar_set_points(plan, NULL, 2, NULL, 0, &none));
  FAILS(NEARFAR_BAD_INPUT, "there are no sources", nearfar_set_points(plan, x, 0, NULL, 0, &none));
  FAILS(NEARFAR_BAD_INPUT, "more than any memory holds", nearfar_set_points(plan, x, (size_t)-1, NULL, 0, &none));
  FAILS(NEARFAR_BAD_INPUT, "more than any memory holds", nearfar_set_points(plan, x, 2, x, SIZE_MAX / 3 + 2, &none));
  CHECK(none == NULL);
  OK(nearfar_set_points(plan, x, 2, NULL, 0, &points));
  FAILS(NEARFAR_BAD_INPUT, "3", nearfar_submit(plan, points, x, 3, potential, 2, NULL, &solve));
  FAILS(NEARFAR_BAD_INPUT, "points is NULL", nearfar_submit(plan, NULL, q, 2, potential, 2, NULL, &solve));
  CHECK(solve == NULL);

  OK(nearfar_submit(plan, points, q, 2, potential, 2, NULL, &solve)); /* an error of a task comes from wait */
  FAILS(NEARFAR_BAD_INPUT, "(stage", nearfar_solve_wait(solve));
  nearfar_solve_destroy(solve);
  solve = NULL;

  nearfar_ewald_parameters parameters;
  nearfar_plan *unplanned = NULL;
  OK(nearfar_ewald_create(runtime, &options, &unplanned));
  FAILS(NEARFAR_BAD_INPUT, "set count,", nearfar_plan_ewald_parameters(unplanned, &parameters, sizeof parameters));
  nearfar_plan_destroy(unplanned);
  options.precision = NEARFAR_SINGLE;
  options.tolerance = 1e-4;
  nearfar_plan *single = NULL;
  OK(nearfar_ewald_create(runtime, &options, &single));
  FAILS(NEARFAR_BAD_INPUT, "another plan", nearfar_submit(single, points, q, 2, potential, 2, NULL, &solve));
  nearfar_plan_destroy(single);

  q[1] = -1;
  OK(nearfar_submit(plan, points, q, 2, potential, 2, NULL, &solve));
  OK(nearfar_solve_wait(solve));
  OK(nearfar_solve_cancel(solve)); /* it has ended, so nothing happens */
  OK(nearfar_solve_wait(solve));
  FAILS(NEARFAR_BAD_INPUT, "cannot be written", nearfar_solve_write_dag(solve, "/nowhere/graph.dot"));
  FAILS(NEARFAR_BAD_INPUT, "callback is NULL", nearfar_solve_then(solve, NULL, NULL));
  nearfar_solve_destroy(solve);
  nearfar_points_destroy(points);
  nearfar_plan_destroy(plan);
  test_versions(runtime);
  nearfar_solve_destroy(NULL);
  nearfar_points_destroy(NULL);
  nearfar_plan_destroy(NULL);
  nearfar_poisson_destroy(NULL);
}
