/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of someone who uses nearfar from C: the one header, and the library. */
#include <nearfar/nearfar.h>

#include <math.h>
#include <stdio.h>

int main(void) {
  double const point[3] = {0, 0, 0}, force[3] = {1, 0, 0};
  double velocity[3] = {0, 0, 0};
  nearfar_runtime *runtime = NULL;
  nearfar_plan *plan = NULL;
  nearfar_points *points = NULL;
  int code = nearfar_runtime_create(NULL, &runtime);
  if (code == 0) code = nearfar_ewald_create(runtime, NULL, &plan);
  if (code == 0) code = nearfar_set_points(plan, point, 1, NULL, 0, &points);
  if (code == 0) code = nearfar_execute(plan, points, force, 3, velocity, 3);
  if (code != 0) fprintf(stderr, "%s\n", nearfar_last_error());
  nearfar_points_destroy(points);
  nearfar_plan_destroy(plan);
  nearfar_runtime_destroy(runtime);
  printf("%.5f\n", velocity[0]);
  return fabs(velocity[0] + 2.837297 * 8 / 6) < 1e-4 ? 0 : 1; /* Hasimoto's constant */
}
