/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include <stdatomic.h>

static void count_call(void *user) { atomic_fetch_add((atomic_int *)user, 1); }

struct told {
  int calls, answer;
  double last;
};
static int tell(void *user, double fraction) {
  struct told *told = user;
  CHECK(fraction > told->last && fraction <= 1);
  told->calls++;
  told->last = fraction;
  return told->answer;
}

static nearfar_plan *salt_plan(nearfar_runtime *runtime, int precision, double tolerance, unsigned outputs) {
  nearfar_ewald_options options;
  nearfar_ewald_options_init(&options, sizeof options);
  options.precision = precision;
  options.kernel = NEARFAR_LAPLACE;
  options.outputs = outputs;
  options.box[0] = options.box[1] = options.box[2] = 2;
  options.tolerance = tolerance;
  nearfar_plan *plan = NULL;
  OK(nearfar_ewald_create(runtime, &options, &plan));
  return plan;
}

static void check_report(nearfar_solve *solve) {
  nearfar_report report;
  OK(nearfar_solve_report(solve, &report, sizeof report));
  CHECK(report.seconds > 0 && report.tasks > 5 && report.workers == 2 && report.ranks == 1 && report.stages > 5);
  int tasks = 0, spreads = 0;
  for (size_t i = 0; i < report.stages; ++i) {
    nearfar_stage stage;
    OK(nearfar_solve_stage(solve, i, &stage, sizeof stage));
    tasks += stage.tasks;
    spreads += strcmp(stage.stage, "p2g") == 0;
  }
  CHECK(tasks == report.tasks && spreads == 1);
  CHECK(report.has_energy == 1 && report.has_virial == 0);
  NEAR(report.energy, -4 * MADELUNG, 1e-8);
  nearfar_stage stage;
  FAILS(NEARFAR_BAD_INPUT, "stages; ask for one", nearfar_solve_stage(solve, report.stages, &stage, sizeof stage));
}

static void test_in_flight(nearfar_runtime *runtime) {
  double ions[24], charges[8], potential[8] = {0};
  rock_salt(ions, charges);
  nearfar_plan *plan = salt_plan(runtime, NEARFAR_DOUBLE, 1e-10, 0);
  CHECK(nearfar_plan_strength_components(plan) == 1 && nearfar_plan_result_components(plan) == 1);
  nearfar_points *points = NULL;
  OK(nearfar_set_points(plan, ions, 8, NULL, 0, &points));
  CHECK(nearfar_points_sources(points) == 8 && nearfar_points_targets(points) == 8);

  atomic_int calls = 0;
  nearfar_solve *solve = NULL;
  OK(nearfar_submit(plan, points, charges, 8, potential, 8, NULL, &solve));
  OK(nearfar_solve_then(solve, count_call, &calls));
  nearfar_points_destroy(points); /* the solve keeps both alive */
  nearfar_plan_destroy(plan);
  int ended = -1;
  FAILS(NEARFAR_BAD_INPUT, "seconds is -1", nearfar_solve_wait_for(solve, -1, &ended));
  while (ended != 1) OK(nearfar_solve_wait_for(solve, 0.001, &ended));
  CHECK(nearfar_solve_ready(solve) == 1);
  CHECK(calls == 1);
  OK(nearfar_solve_wait(solve));
  for (int i = 0; i < 8; ++i) NEAR(potential[i], -MADELUNG * charges[i], 1e-9);
  check_report(solve);
  nearfar_solve_destroy(solve);
}

/* A direct sum has a task for some rows of targets, so that it can be stopped by the first callback. */
static void test_progress(nearfar_runtime *runtime) {
  enum { n = 3000 };
  static double x[3 * n], f[3 * n], u[3 * n];
  for (int i = 0; i < 3 * n; ++i) x[i] = (i * 7919 % 10007) / 10007., f[i] = i % 5 - 2;
  for (int answer = 0; answer < 2; ++answer) {
    struct told told = {0, answer, 0};
    nearfar_solve *solve = NULL;
    OK(nearfar_direct_submit(runtime, NEARFAR_STOKESLET, 0, x, n, NULL, 0, f, 3 * n, u, 3 * n, &solve));
    FAILS(NEARFAR_BAD_INPUT, "callback is NULL", nearfar_solve_on_progress(solve, NULL, NULL));
    OK(nearfar_solve_on_progress(solve, tell, &told));
    if (answer == 0) {
      OK(nearfar_solve_wait(solve));
      CHECK(told.last == 1 && told.calls > 1);
    } else {
      FAILS(NEARFAR_BAD_INPUT, "progress callback, which returned 1", nearfar_solve_wait(solve));
      CHECK(told.last < 1 && told.calls == 1);
    }
    nearfar_solve_destroy(solve);
  }
}

/* Pressure of a crystal: a third of its energy in every direction. */
static void test_virial(nearfar_runtime *runtime) {
  double ions[24], charges[8], field[32];
  rock_salt(ions, charges);
  nearfar_ewald_options options;
  nearfar_ewald_options_init(&options, sizeof options);
  options.kernel = NEARFAR_LAPLACE;
  options.outputs = NEARFAR_OUTPUT_POTENTIAL | NEARFAR_OUTPUT_GRADIENT;
  options.box[0] = options.box[1] = options.box[2] = 2;
  options.tolerance = 1e-10;
  options.virial = 1;
  nearfar_plan *plan = NULL;
  nearfar_points *points = NULL;
  nearfar_solve *solve = NULL;
  nearfar_report report;
  OK(nearfar_ewald_create(runtime, &options, &plan));
  OK(nearfar_set_points(plan, ions, 8, NULL, 0, &points));
  OK(nearfar_submit(plan, points, charges, 8, field, 32, NULL, &solve));
  OK(nearfar_solve_report(solve, &report, sizeof report));
  CHECK(report.has_energy == 1 && report.has_virial == 1);
  for (int i = 0; i < 6; ++i) NEAR(report.virial[i], i < 3 ? -4 * MADELUNG / 3 : 0, 1e-8);
  nearfar_solve_destroy(solve);
  nearfar_points_destroy(points);
  FAILS(NEARFAR_BAD_INPUT, "sources alone", nearfar_set_points(plan, ions, 8, ions, 8, &points));
  nearfar_plan_destroy(plan);
  options.kernel = NEARFAR_STOKESLET;
  options.outputs = 0;
  FAILS(NEARFAR_BAD_INPUT, "use kernel laplace", nearfar_ewald_create(runtime, &options, &plan));
  options.virial = 0;
  options.vectors = -2;
  FAILS(NEARFAR_BAD_INPUT, "vectors is -2", nearfar_ewald_create(runtime, &options, &plan));
}

/* Two vectors of charges at once, in rows of two: each gets the bits that it gets alone. */
static void test_bits_of_vectors(nearfar_runtime *runtime) {
  double ions[24], charges[8], alone[8], two[16], potentials[16];
  rock_salt(ions, charges);
  nearfar_plan *plan = salt_plan(runtime, NEARFAR_DOUBLE, 1e-9, 0);
  nearfar_points *points = NULL;
  OK(nearfar_set_points(plan, ions, 8, NULL, 0, &points));
  for (int i = 0; i < 8; ++i) {
    two[2 * i] = charges[i];
    two[2 * i + 1] = 4 * charges[i];
  }
  OK(nearfar_execute(plan, points, charges, 8, alone, 8));
  OK(nearfar_execute(plan, points, two, 16, potentials, 16));
  for (int i = 0; i < 8; ++i) CHECK(potentials[2 * i] == alone[i] && potentials[2 * i + 1] == 4 * alone[i]);
  two[2 * 5 + 1] = NAN;
  FAILS(NEARFAR_BAD_INPUT, "strength 0 of vector 1 of source 5", nearfar_execute(plan, points, two, 16, potentials, 16));
  nearfar_points_destroy(points);
  nearfar_plan_destroy(plan);
}

static void test_single(nearfar_runtime *runtime) {
  double ions[24], charges[8];
  float x[24], q[8], potential[32];
  rock_salt(ions, charges);
  for (int i = 0; i < 24; ++i) x[i] = (float)ions[i];
  for (int i = 0; i < 8; ++i) q[i] = (float)charges[i];
  nearfar_plan *plan = salt_plan(runtime, NEARFAR_SINGLE, 1e-4, NEARFAR_OUTPUT_POTENTIAL | NEARFAR_OUTPUT_GRADIENT);
  CHECK(nearfar_plan_result_components(plan) == 4);
  nearfar_points *points = NULL;
  OK(nearfar_set_points(plan, x, 8, NULL, 0, &points));
  OK(nearfar_execute(plan, points, q, 8, potential, 32));
  for (int i = 0; i < 8; ++i) {
    NEAR(potential[4 * i], -MADELUNG * charges[i], 1e-3);
    for (int d = 1; d < 4; ++d) NEAR(potential[4 * i + d], 0, 1e-3); /* by symmetry */
  }
  nearfar_points_destroy(points);
  nearfar_plan_destroy(plan);
}

/* Beads as structs of the caller's, one moved; near and far part add up. */
static void test_views(nearfar_runtime *runtime) {
  struct bead {
    char name;
    double place[3];
    double charge, potential;
  } beads[8];
  double ions[24], charges[8], expected[8], near[8], far[8];
  rock_salt(ions, charges);
  nearfar_column place[3], charge[1], potential[1];
  for (int d = 0; d < 3; ++d) place[d] = (nearfar_column){&beads[0].place[d], sizeof beads[0]};
  charge[0] = (nearfar_column){&beads[0].charge, sizeof beads[0]};
  potential[0] = (nearfar_column){&beads[0].potential, sizeof beads[0]};
  nearfar_rows const places = {8, place, 3, NEARFAR_DOUBLE}, strengths = {8, charge, 1, NEARFAR_DOUBLE},
                     results = {8, potential, 1, NEARFAR_DOUBLE};
  for (int i = 0; i < 8; ++i) {
    memcpy(beads[i].place, ions + 3 * i, sizeof beads[i].place);
    beads[i].charge = charges[i];
  }
  nearfar_plan *plan = salt_plan(runtime, NEARFAR_DOUBLE, 1e-9, 0);
  nearfar_points *points = NULL, *moved = NULL, *packed = NULL;
  nearfar_solve *solve = NULL;
  OK(nearfar_set_points_rows(plan, &places, NULL, &points));
  OK(nearfar_submit_rows(plan, points, &strengths, &results, NULL, &solve));
  OK(nearfar_solve_wait(solve));
  nearfar_solve_destroy(solve);
  for (int i = 0; i < 8; ++i) NEAR(beads[i].potential, -MADELUNG * charges[i], 1e-8);

  beads[0].place[1] += 0.25;
  ions[1] += 0.25;
  OK(nearfar_move_points_rows(plan, points, &places, NULL, &moved));
  OK(nearfar_submit_rows(plan, moved, &strengths, &results, NULL, &solve));
  OK(nearfar_solve_wait(solve));
  nearfar_solve_destroy(solve);
  OK(nearfar_move_points(plan, points, ions, 8, NULL, 0, &packed));
  OK(nearfar_execute(plan, packed, charges, 8, expected, 8));
  for (int i = 0; i < 8; ++i) CHECK(beads[i].potential == expected[i]); /* the same bits */

  /* the same in several arrays, each cut differently */
  nearfar_array const sources[] = {{ions, 6}, {ions + 6, 18}}, q[] = {{charges, 8}}, into[] = {{near, 3}, {far, 5}};
  nearfar_points *cut = NULL, *later = NULL;
  OK(nearfar_set_points_arrays(plan, sources, 2, NULL, 0, &cut));
  OK(nearfar_move_points_arrays(plan, cut, sources, 2, NULL, 0, &later));
  OK(nearfar_submit_arrays(plan, later, q, 1, into, 2, NULL, &solve));
  OK(nearfar_solve_wait(solve));
  nearfar_solve_destroy(solve);
  for (int i = 0; i < 8; ++i) CHECK((i < 3 ? near[i] : far[i - 3]) == expected[i]);
  nearfar_points_destroy(later);
  nearfar_points_destroy(cut);
  nearfar_array const odd[] = {{ions, 5}, {ions + 5, 19}}, gone[] = {{NULL, 24}};
  FAILS(NEARFAR_BAD_INPUT, "array 0 of sources has 5 numbers",
        nearfar_set_points_arrays(plan, odd, 2, NULL, 0, &cut));
  FAILS(NEARFAR_BAD_INPUT, "array 0 of sources is NULL", nearfar_set_points_arrays(plan, gone, 1, NULL, 0, &cut));

  nearfar_submit_options options;
  nearfar_submit_options_init(&options, sizeof options);
  for (int part = NEARFAR_PART_NEAR; part <= NEARFAR_PART_FAR; ++part) {
    options.part = part;
    OK(nearfar_submit(plan, packed, charges, 8, part == NEARFAR_PART_NEAR ? near : far, 8, &options, &solve));
    OK(nearfar_solve_wait(solve));
    nearfar_solve_destroy(solve);
  }
  for (int i = 0; i < 8; ++i) NEAR(near[i] + far[i], expected[i], 1e-12);
  nearfar_points_destroy(packed);
  nearfar_points_destroy(moved);
  nearfar_points_destroy(points);
  nearfar_plan_destroy(plan);
}

/* Hasimoto: a lattice of Stokeslets slows itself down. Beside it, targets of their own. */
static void test_stokeslet(nearfar_runtime *runtime) {
  nearfar_ewald_options options;
  nearfar_ewald_options_init(&options, sizeof options);
  options.tolerance = 1e-8;
  options.count = 1;
  nearfar_plan *plan = NULL;
  OK(nearfar_ewald_create(runtime, &options, &plan));
  double const point[3] = {0.25, 0.5, 0.75}, force[3] = {1, 0, 0}, targets[6] = {0.25, 0.5, 0.75, 0.1, 0.2, 0.3};
  double velocity[6];
  nearfar_points *points = NULL;
  OK(nearfar_set_points(plan, point, 1, targets, 2, &points));
  OK(nearfar_execute(plan, points, force, 3, velocity, 6));
  NEAR(velocity[0], -3.78306330597416, 1e-7);
  NEAR(velocity[1], 0, 1e-7);
  CHECK(fabs(velocity[3]) > 0.1);

  nearfar_ewald_parameters parameters;
  OK(nearfar_plan_ewald_parameters(plan, &parameters, sizeof parameters));
  double error = 0;
  OK(nearfar_plan_estimated_error(plan, &error));
  CHECK(error > 0 && error <= 1e-8 && error == parameters.estimated_error);
  CHECK(parameters.grid[0] > 4 && parameters.cutoff > 0 && parameters.box[2] == 1);
  nearfar_fmm_parameters other;
  FAILS(NEARFAR_BAD_INPUT, "nearfar_plan_ewald_parameters", nearfar_plan_fmm_parameters(plan, &other, sizeof other));
  nearfar_points_destroy(points);
  nearfar_plan_destroy(plan);
}

/* Cells that are refused, and what is said of them. */
static void test_refused_cells(nearfar_runtime *runtime) {
  static struct {
    double cell[9];
    int periodicity;
    char const *says;
  } const refused[] = {{{0, 1, 0, 1, 0, 0, 0, 0, 1}, NEARFAR_PERIODIC_XYZ, "left-handed"},
                       {{1, 0, 0, 0, 1, 0, 0, 0, 0}, NEARFAR_PERIODIC_XYZ, "row c of the cell is (0, 0, 0)"},
                       {{1, 0, 0, 1, 1e-9, 0, 0, 0, 1}, NEARFAR_PERIODIC_XYZ, "nearly parallel"},
                       {{1, 0, 0.1, 0, 1, 0, 0, 0, 1}, NEARFAR_PERIODIC_XY, "does not repeat"}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    nearfar_ewald_options options;
    nearfar_ewald_options_init(&options, sizeof options);
    options.periodicity = refused[i].periodicity;
    memcpy(options.cell, refused[i].cell, sizeof options.cell);
    nearfar_plan *plan = NULL;
    FAILS(NEARFAR_BAD_INPUT, refused[i].says, nearfar_ewald_create(runtime, &options, &plan));
  }
}

/* Rock salt in its cube of two, in that cube leaning by a whole edge, and with room on one side. */
static void test_set_cell(nearfar_runtime *runtime) {
  double ions[24], charges[8], potential[8], again[8];
  double const leaning[9] = {2, 0, 0, 2, 2, 0, 0, 0, 2}, left[9] = {0, 2, 0, 2, 0, 0, 0, 0, 2},
               wide[9] = {4, 0, 0, 0, 2, 0, 0, 0, 2};
  rock_salt(ions, charges);
  nearfar_plan *plan = salt_plan(runtime, NEARFAR_DOUBLE, 1e-9, 0);
  nearfar_points *points = NULL, *in_other = NULL, *moved = NULL;
  OK(nearfar_set_points(plan, ions, 8, NULL, 0, &points));
  OK(nearfar_execute(plan, points, charges, 8, potential, 8));
  OK(nearfar_set_cell(plan, leaning, points, &in_other));
  OK(nearfar_execute(plan, in_other, charges, 8, again, 8));
  for (int i = 0; i < 8; ++i) CHECK(again[i] == potential[i]);
  nearfar_points_destroy(in_other);
  OK(nearfar_set_cell(plan, wide, NULL, NULL));
  OK(nearfar_move_points(plan, points, ions, 8, NULL, 0, &moved));
  OK(nearfar_execute(plan, moved, charges, 8, again, 8));
  CHECK(fabs(again[0] - potential[0]) > 0.01);
  nearfar_ewald_parameters parameters;
  OK(nearfar_plan_ewald_parameters(plan, &parameters, sizeof parameters));
  CHECK(parameters.cell[0] == 4 && parameters.cell[4] == 2 && parameters.box[0] == 4);
  FAILS(NEARFAR_BAD_INPUT, "left-handed", nearfar_set_cell(plan, left, points, &in_other));
  FAILS(NEARFAR_BAD_INPUT, "nine numbers", nearfar_set_cell(plan, NULL, points, &in_other));
  nearfar_points_destroy(moved);
  nearfar_points_destroy(points);
  nearfar_plan_destroy(plan);
  nearfar_fmm_options options;
  nearfar_fmm_options_init(&options, sizeof options);
  OK(nearfar_fmm_create(runtime, &options, &plan));
  FAILS(NEARFAR_BAD_INPUT, "use an Ewald plan", nearfar_set_cell(plan, leaning, NULL, NULL));
  nearfar_plan_destroy(plan);
}

void test_ewald(nearfar_runtime *runtime) {
  test_in_flight(runtime);
  test_progress(runtime);
  test_virial(runtime);
  test_single(runtime);
  test_bits_of_vectors(runtime);
  test_views(runtime);
  test_stokeslet(runtime);
  test_set_cell(runtime);
  test_refused_cells(runtime);
}
