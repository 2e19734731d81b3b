// SPDX-License-Identifier: BSD-3-Clause
/// nearfar in C11: plans, points and solves as in C++ (nearfar.hpp), with the same meaning, units and threads.
/// docs/c.md shows how to use it, the C++ headers say more about each option.
///
/// - Functions that can fail return 0 or an error of enum nearfar_code; nearfar_last_error() has the text. What they
///   make, they store only if they succeed.
/// - What a function named ..._create, nearfar_set_points, nearfar_move_points or a ..._submit stores is a handle of
///   the caller's, to be given to the ..._destroy of its type. That accepts NULL. Handles keep alive what they need:
///   those of a runtime, plan or points may be destroyed before the solves that use them.
/// - Options are filled by their ..._init, which takes sizeof of the struct: so programs work with later versions of
///   the library, whose structs may be longer. NULL stands for all defaults, where options have defaults.
/// - Texts that functions return live as long as the handle, those in structs for ever. Points are rows of 3 numbers.
/// - Arrays have the precision of their plan: double for NEARFAR_DOUBLE, float for NEARFAR_SINGLE.
#ifndef NEARFAR_H
#define NEARFAR_H

#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of errors, as the exit codes of the program.
enum nearfar_code { NEARFAR_OK = 0, NEARFAR_BUG = 1, NEARFAR_BAD_INPUT = 2, NEARFAR_NO_RESOURCE = 3 };

/// The text of the last error of this thread: what is wrong, why that is a problem, what would be right. Never NULL;
/// good until the next error of this thread.
char const *nearfar_last_error(void);
char const *nearfar_version(void);     ///< of the library: "0.1.0"
char const *nearfar_simd_level(void);  ///< instruction set of the CPU workers: "baseline", "avx2" or "avx512"

enum nearfar_precision { NEARFAR_DOUBLE = 0, NEARFAR_SINGLE = 1 };

/// What is summed; numbers per source in parentheses.
enum nearfar_kernel {
  NEARFAR_STOKESLET = 0,     ///< (3) force
  NEARFAR_STRESSLET = 1,     ///< (6) q, n
  NEARFAR_STOKES = 2,        ///< (9) force, q, n
  NEARFAR_LAPLACE = 3,       ///< (1) charge
  NEARFAR_ROTLET = 4,        ///< (3) torque
  NEARFAR_DIPOLE = 5,        ///< (3) dipole moment
  NEARFAR_CHARGE_DIPOLE = 6, ///< (4) charge, dipole moment
  NEARFAR_YUKAWA = 7,        ///< (1) charge
  NEARFAR_DOUBLET = 8        ///< (9) force dipole by rows: a row for each component of the force
};

/// What a target gets: flags of a set, listed in the order of their columns in a row of results. 0 stands for the first
/// that a kernel has. The gradient is that of the first: three columns of a potential, nine of a velocity.
enum nearfar_output {
  NEARFAR_OUTPUT_POTENTIAL = 1, NEARFAR_OUTPUT_VELOCITY = 2, NEARFAR_OUTPUT_PRESSURE = 8, NEARFAR_OUTPUT_GRADIENT = 4,
  NEARFAR_OUTPUT_HESSIAN = 16
};

enum nearfar_periodicity {
  NEARFAR_PERIODIC_NONE = 0, NEARFAR_PERIODIC_X = 1, NEARFAR_PERIODIC_XY = 2, NEARFAR_PERIODIC_XYZ = 3,
  NEARFAR_PERIODIC_Y = 4, NEARFAR_PERIODIC_Z = 5, NEARFAR_PERIODIC_XZ = 6, NEARFAR_PERIODIC_YZ = 7
};
enum nearfar_split { NEARFAR_SPLIT_PSWF = 0, NEARFAR_SPLIT_GAUSSIAN = 1 };
enum nearfar_window { NEARFAR_WINDOW_KAISER_BESSEL = 0, NEARFAR_WINDOW_PSWF = 1, NEARFAR_WINDOW_GAUSSIAN = 2 };
enum nearfar_part { NEARFAR_PART_WHOLE = 0, NEARFAR_PART_NEAR = 1, NEARFAR_PART_FAR = 2 };
enum nearfar_zero_mode { NEARFAR_ZERO_FACE_FLUX = 0, NEARFAR_ZERO_MEAN_FLOW = 1 };
enum nearfar_boundary { NEARFAR_TIN_FOIL = 0, NEARFAR_VACUUM = 1 };
/// Further ones, 3 to 10, are those of implementation.hpp.
enum nearfar_implementation { NEARFAR_TUNED = 0, NEARFAR_PORTABLE = 1, NEARFAR_ANY = 2 };
/// Precision of a part of a solve in double precision.
enum nearfar_part_precision { NEARFAR_PART_AUTOMATIC = 0, NEARFAR_PART_DOUBLE = 1, NEARFAR_PART_SINGLE = 2 };
enum nearfar_influence { NEARFAR_INFLUENCE_AUTOMATIC = 0, NEARFAR_INFLUENCE_DIRECT = 1, NEARFAR_INFLUENCE_TABLE = 2 };
/// What the tolerance of an Ewald plan is held for: also the far part by itself, or the whole sum alone.
enum nearfar_tolerance_of { NEARFAR_OF_PARTS = 0, NEARFAR_OF_WHOLE = 1 };
enum nearfar_poisson_method { NEARFAR_HOCKNEY = 0, NEARFAR_VICO = 1, NEARFAR_VICO_DCT = 2 };
enum nearfar_hockney_green { NEARFAR_CELL_AVERAGE = 0, NEARFAR_CONSTANT = 1, NEARFAR_INTEGRATED = 2 };
enum nearfar_box_face {
  NEARFAR_X_LOW = 0, NEARFAR_X_HIGH = 1, NEARFAR_Y_LOW = 2, NEARFAR_Y_HIGH = 3, NEARFAR_Z_LOW = 4, NEARFAR_Z_HIGH = 5
};

/// For members that are not set, where 0 has a meaning of its own: the plan chooses.
#define NEARFAR_UNSET (-1)

typedef struct nearfar_runtime nearfar_runtime;
typedef struct nearfar_plan nearfar_plan;      ///< of Ewald sums or multipole sums
typedef struct nearfar_points nearfar_points;  ///< points of such a plan
typedef struct nearfar_poisson nearfar_poisson;
typedef struct nearfar_solve nearfar_solve;

/// A view of rows in host memory, for input and output, of either precision: one pointer per column, to its number in
/// the first row, and the bytes from one row to the next, which may be negative. Input is not written, and may have 0
/// bytes: one number for all rows. A result that a column of floats has no room for is an error of the solve.
typedef struct nearfar_column {
  void *first;
  ptrdiff_t stride;
} nearfar_column;
typedef struct nearfar_rows {
  size_t rows;
  nearfar_column const *columns;
  int column_count;
  int precision;  ///< enum nearfar_precision
} nearfar_rows;

/// One of several arrays that hold rows one after the other (arrays.hpp), `length` numbers of the plan's precision, in
/// the memory of the host or of a GPU. Input is not written.
typedef struct nearfar_array {
  void *first;
  size_t length;
} nearfar_array;

// --- runtime: the workers, shared by all plans ----------------------------------------------------------------------

typedef struct nearfar_runtime_options {
  size_t size;
  char const *scheduler;     ///< NULL: STARPU_SCHED, else "overlap"
  int cpus, gpus;            ///< workers; NEARFAR_UNSET: all
  char const *trace;         ///< folder for a trace; NULL: none
  void const *communicator;  ///< address of an MPI_Comm; NULL: as mpirun says
  int network_given;         ///< 1: the speed of the network is as follows; 0: measured
  double network_latency;    ///< seconds
  double network_bandwidth;  ///< bytes per second that each rank sends; 0: no limit
} nearfar_runtime_options;
void nearfar_runtime_options_init(nearfar_runtime_options *options, size_t size);

int nearfar_runtime_create(nearfar_runtime_options const *options, nearfar_runtime **runtime);
void nearfar_runtime_destroy(nearfar_runtime *runtime);
/// NULL for a worker that is not there.
char const *nearfar_runtime_scheduler(nearfar_runtime const *runtime);
char const *nearfar_runtime_version(nearfar_runtime const *runtime);
size_t nearfar_runtime_workers(nearfar_runtime const *runtime);
char const *nearfar_runtime_worker_name(nearfar_runtime const *runtime, size_t index);
char const *nearfar_runtime_worker_kind(nearfar_runtime const *runtime, size_t index);  ///< "cpu", "cuda" or "hip"
int nearfar_runtime_rank(nearfar_runtime const *runtime);
int nearfar_runtime_ranks(nearfar_runtime const *runtime);
/// On every rank, after work that only some do: with the error of that work, or NEARFAR_OK and NULL. Returns the error
/// of the lowest rank that has one, on all ranks.
int nearfar_runtime_agree(nearfar_runtime const *runtime, int code, char const *text);
int nearfar_runtime_mark(nearfar_runtime const *runtime, char const *text);  ///< marks this moment in the trace

/// The number of this process and of all that mpirun started, by MPI; before any runtime. NEARFAR_BAD_INPUT where the
/// environment has the variables of a launcher that MPI does not know.
int nearfar_launch(int *rank, int *ranks);
/// Names and purposes of the scheduling profiles, from 0; NULL beyond the last.
char const *nearfar_scheduler_name(size_t index);
char const *nearfar_scheduler_purpose(size_t index);

/// Measures this machine for plans of a precision, for some seconds, and keeps the result in the user's folder.
int nearfar_tune(nearfar_runtime const *runtime, int precision);
/// The same for half a second, if nothing is kept yet and solves of so many points take long.
int nearfar_tune_once(nearfar_runtime const *runtime, int precision, size_t points);
typedef struct nearfar_throughput {
  char const *work;
  double cpu, gpu;
} nearfar_throughput;
/// The row `index` of the table for plans, from 0; NEARFAR_BAD_INPUT beyond the last.
int nearfar_get_throughput(nearfar_runtime const *runtime, int precision, size_t index, nearfar_throughput *row,
                           size_t size);

// --- plans for sums over particles ----------------------------------------------------------------------------------

typedef struct nearfar_ewald_options {
  size_t size;
  int precision;     ///< enum nearfar_precision: of points, strengths and results; default: double
  int kernel;        ///< enum nearfar_kernel; default: Stokeslets
  unsigned outputs;  ///< flags of enum nearfar_output; 0, the default: the first that the kernel has
  int periodicity;   ///< enum nearfar_periodicity; default: all directions
  double box[3];     ///< edges (1) of the cell [0, Lx) x [0, Ly) x [0, Lz); 0 along a free direction: as points need
  double tolerance;  ///< relative l2 error over the targets; default: 1e-6
  size_t count;      ///< number of uniform points to plan for; 0, the default: plan at the first nearfar_set_points
  int split, window, implementation;             ///< defaults: prolate, Kaiser-Bessel, tuned
  int zero_mode;                                 ///< enum nearfar_zero_mode, or NEARFAR_UNSET, the default
  double gauge_length;                           ///< 0, the default: 1
  int near_precision, far_precision, influence;  ///< 0, the default: the plan chooses
  double cutoff, split_parameter;  ///< 0: the plan chooses, as for all that follow
  int grid[3];
  int window_points;
  int tolerance_of;  ///< enum nearfar_tolerance_of; default: of the parts
  int virial;  ///< 1: solves also find the virial
  double cell[9];  ///< vectors a, b, c of a cell of any shape, with the default for the box; all 0: the box
  double screening;  ///< of NEARFAR_YUKAWA, above 0, in one over the unit of length; 0 for all other kernels
  int vectors;       ///< how many vectors of strengths are summed at once, as a rule, for the plan's cutoff; 0: one
} nearfar_ewald_options;
void nearfar_ewald_options_init(nearfar_ewald_options *options, size_t size);

typedef struct nearfar_fmm_options {
  size_t size;
  int precision, kernel;  ///< defaults: double, charges
  unsigned outputs;       ///< default 0: the first that the kernel has
  int periodicity;        ///< default: none
  double box[3];          ///< 0, the default: as the points need
  double tolerance;       ///< default: 1e-6
  size_t count;           ///< as of Ewald sums
  int boundary, near_precision, implementation;  ///< defaults: tin foil, the plan chooses, tuned
  int order, depth, capacity, well_separation;  ///< NEARFAR_UNSET: the plan chooses
  int virial;                                   ///< 1: solves also find the virial
  double softening;  ///< of charges in free space, a length above 0: q / sqrt(r^2 + softening^2); 0: none
} nearfar_fmm_options;
void nearfar_fmm_options_init(nearfar_fmm_options *options, size_t size);

int nearfar_ewald_create(nearfar_runtime const *runtime, nearfar_ewald_options const *options, nearfar_plan **plan);
int nearfar_fmm_create(nearfar_runtime const *runtime, nearfar_fmm_options const *options, nearfar_plan **plan);
void nearfar_plan_destroy(nearfar_plan *plan);
/// Numbers per source and per target.
int nearfar_plan_strength_components(nearfar_plan const *plan);
int nearfar_plan_result_components(nearfar_plan const *plan);
/// The same for a kernel and outputs before there is a plan.
int nearfar_components(int kernel, unsigned outputs, int *strengths, int *results);
typedef struct nearfar_kernel_info {
  char const *name;
  unsigned outputs, fmm_outputs;  ///< of Ewald and direct sums; of multipole sums, which do not have the kernel if it is 0
  unsigned periodicities, fmm_periodicities;  ///< of Ewald sums, of multipole sums: bits 1 << enum nearfar_periodicity
  unsigned energy_outputs, virial_outputs;    ///< the fewest with which reports have these; 0: never
  int screening, zero_mode, gauge_length;     ///< whether it has these options
} nearfar_kernel_info;
/// What can be asked of a kernel; NEARFAR_BAD_INPUT for a number beyond the last kernel's.
int nearfar_get_kernel_info(int kernel, nearfar_kernel_info *info, size_t size);

/// What the plan chose, or would choose for the count of its options.
typedef struct nearfar_ewald_parameters {
  double box[3];
  double cutoff, split_parameter;
  int grid[3];
  int window_points;
  double window_shape, estimated_error;
  int near_in_single, far_in_single, influence_table;
  int cells[3], blocks[3];
  int slabs, columns;
  size_t bytes;
  double flops_per_pair;
  double near_seconds, point_seconds, far_seconds, spread_seconds, chain_seconds, last_seconds;
  double near_gpu_seconds, far_gpu_seconds;
  int on_gpus;
  int halo_cells, halo_planes;
  double cell[9];  ///< vectors of the cell in which the sum is computed
} nearfar_ewald_parameters;
int nearfar_plan_ewald_parameters(nearfar_plan const *plan, nearfar_ewald_parameters *parameters, size_t size);

typedef struct nearfar_fmm_parameters {
  double box[3];
  int order, depth, capacity, well_separation;
  int near_in_single;
  double estimated_error;
  size_t boxes, blocks, translations, evaluations, expansions, pairs;
  double seconds, shared_seconds, chain_seconds, last_seconds;
  size_t bytes;
  int on_gpus;
} nearfar_fmm_parameters;
int nearfar_plan_fmm_parameters(nearfar_plan const *plan, nearfar_fmm_parameters *parameters, size_t size);
int nearfar_points_fmm_parameters(nearfar_points const *points, nearfar_fmm_parameters *parameters, size_t size);
int nearfar_plan_estimated_error(nearfar_plan const *plan, double *error);

/// Bins points: rows of 3 of the plan's precision, copied. `targets` NULL: they are the sources; a rank that has no
/// targets of its own, while others have, gives any other address.
int nearfar_set_points(nearfar_plan *plan, void const *sources, size_t source_count, void const *targets,
                       size_t target_count, nearfar_points **points);
int nearfar_set_points_rows(nearfar_plan *plan, nearfar_rows const *sources, nearfar_rows const *targets,
                            nearfar_points **points);
/// In several arrays, at most 16, each of whole points.
int nearfar_set_points_arrays(nearfar_plan *plan, nearfar_array const *sources, size_t source_arrays,
                              nearfar_array const *targets, size_t target_arrays, nearfar_points **points);
/// Points that have moved, as many as before and in the same order. `before` remains valid.
int nearfar_move_points(nearfar_plan *plan, nearfar_points const *before, void const *sources, size_t source_count,
                        void const *targets, size_t target_count, nearfar_points **points);
int nearfar_move_points_rows(nearfar_plan *plan, nearfar_points const *before, nearfar_rows const *sources,
                             nearfar_rows const *targets, nearfar_points **points);
int nearfar_move_points_arrays(nearfar_plan *plan, nearfar_points const *before, nearfar_array const *sources,
                               size_t source_arrays, nearfar_array const *targets, size_t target_arrays,
                               nearfar_points **points);
/// Of an Ewald plan: from now on the cell has the vectors a, b, c, nine numbers as in nearfar_ewald_options, for points
/// that are set or moved later. `before` and `points` both NULL, or: points that are also put into that cell at their
/// Cartesian coordinates (those outside of the cell in which they were set as their images in it), and stay valid there.
int nearfar_set_cell(nearfar_plan *plan, double const *cell, nearfar_points const *before, nearfar_points **points);
size_t nearfar_points_sources(nearfar_points const *points);
size_t nearfar_points_targets(nearfar_points const *points);
void nearfar_points_destroy(nearfar_points *points);

// --- solves ---------------------------------------------------------------------------------------------------------

typedef struct nearfar_submit_options {
  size_t size;
  int part;          ///< enum nearfar_part; other than the whole: Ewald plans only
  int after_stream;  ///< 1: begin after all work that is on `stream` now
  void *stream;      ///< a cudaStream_t or hipStream_t, NULL for the default stream
} nearfar_submit_options;
void nearfar_submit_options_init(nearfar_submit_options *options, size_t size);

/// Submits one solve and returns at once. Lengths are numbers in the arrays, which belong to the solve until it has
/// ended and may be in the memory of a GPU. Rows that are K times as long hold K vectors of strengths.
int nearfar_submit(nearfar_plan *plan, nearfar_points const *points, void const *strengths, size_t strengths_length,
                   void *result, size_t result_length, nearfar_submit_options const *options, nearfar_solve **solve);
/// The same for views: strengths are read before this returns, results written if the solve succeeds.
int nearfar_submit_rows(nearfar_plan *plan, nearfar_points const *points, nearfar_rows const *strengths,
                        nearfar_rows const *result, nearfar_submit_options const *options, nearfar_solve **solve);
/// The same for rows in several arrays, which may be cut differently: each result is written to where its row lies.
int nearfar_submit_arrays(nearfar_plan *plan, nearfar_points const *points, nearfar_array const *strengths,
                          size_t strength_arrays, nearfar_array const *result, size_t result_arrays,
                          nearfar_submit_options const *options, nearfar_solve **solve);
/// Submits and waits.
int nearfar_execute(nearfar_plan *plan, nearfar_points const *points, void const *strengths, size_t strengths_length,
                    void *result, size_t result_length);

/// The O(N^2) sum in free space, in extended precision, of doubles. All arrays, those of points too, belong to the solve
/// until it has ended; views are read at once.
int nearfar_direct_submit(nearfar_runtime const *runtime, int kernel, unsigned outputs, double const *sources,
                          size_t source_count, double const *targets, size_t target_count, double const *strengths,
                          size_t strengths_length, double *result, size_t result_length, nearfar_solve **solve);
int nearfar_direct_submit_rows(nearfar_runtime const *runtime, int kernel, unsigned outputs,
                               nearfar_rows const *sources, nearfar_rows const *targets, nearfar_rows const *strengths,
                               nearfar_rows const *result, nearfar_solve **solve);
/// Also of screened and softened charges, as in nearfar_ewald_options and, of any length, nearfar_fmm_options.
int nearfar_direct_submit_screened(nearfar_runtime const *runtime, int kernel, unsigned outputs, double screening,
                                   double softening, nearfar_rows const *sources, nearfar_rows const *targets,
                                   nearfar_rows const *strengths, nearfar_rows const *result, nearfar_solve **solve);
/// Adds what `count` sources (rows of 3) contribute to one target, leaving out those at the target's place. Called from
/// several threads at once; linear in the strengths.
typedef void (*nearfar_pair_sum)(void const *user, double const *sources, double const *strengths, size_t count,
                                 double const *target, long double *sums);
/// The same sum of a function of your own, with numbers per source and target as given, at most 16 each. `user` is
/// passed on to it, and must be good until the solve has ended.
int nearfar_direct_submit_function(nearfar_runtime const *runtime, nearfar_pair_sum sum, void const *user,
                                   int strength_components, int result_components, double const *sources,
                                   size_t source_count, double const *targets, size_t target_count,
                                   double const *strengths, size_t strengths_length, double *result,
                                   size_t result_length, nearfar_solve **solve);

/// 1 when all tasks have ended, even with an error; else 0.
int nearfar_solve_ready(nearfar_solve const *solve);
/// Calls `callback` once when the solve has ended: at once if it has, else on a worker, where it must not wait.
int nearfar_solve_then(nearfar_solve *solve, void (*callback)(void *user), void *user);
/// Calls `callback` with the fraction of tasks that have ended: on workers, one call at a time, on each percent at most,
/// in increasing order; last with 1, once the result is complete. Never after nearfar_solve_wait has returned; at once
/// with 1 if the solve has ended; not at all if it has failed. It must not wait; anything but 0 cancels the solve.
int nearfar_solve_on_progress(nearfar_solve *solve, int (*callback)(void *user, double fraction), void *user);
int nearfar_solve_cancel(nearfar_solve *solve);  ///< tasks that have not begun do nothing; waiting is an error then
int nearfar_solve_wait(nearfar_solve *solve);    ///< returns the first error of this solve
int nearfar_solve_wait_for(nearfar_solve *solve, double seconds, int *ended);  ///< at most so long; no error of tasks
int nearfar_solve_write_dag(nearfar_solve const *solve, char const *path);
void nearfar_solve_destroy(nearfar_solve *solve);  ///< waits first

/// How a solve ran. The C++ header solve.hpp explains each number.
typedef struct nearfar_report {
  double seconds, submit_seconds;
  int tasks, workers, ranks, repeats;
  uint64_t sent_bytes, direct_bytes;
  double idle_fraction, overlap_fraction;
  double critical_seconds, bound_seconds, predicted_seconds;
  double sampled_error;  ///< relative l2 error; 0: unknown
  size_t stages;         ///< for nearfar_solve_stage
  int has_energy, has_virial;
  double energy, virial[6], energy_error, virial_error;  ///< xx, yy, zz, xy, xz, yz; errors relative, 0: unknown
} nearfar_report;
int nearfar_solve_report(nearfar_solve *solve, nearfar_report *report, size_t size);  ///< waits first
typedef struct nearfar_stage {
  char const *stage;
  int tasks;
  double seconds, flops, expected_seconds;
} nearfar_stage;
/// The stage `index` of a report, from 0.
int nearfar_solve_stage(nearfar_solve *solve, size_t index, nearfar_stage *stage, size_t size);

// --- Poisson's equation on a grid -----------------------------------------------------------------------------------

typedef struct nearfar_poisson_options {
  size_t size;
  int precision;    ///< default: double
  int method;       ///< enum nearfar_poisson_method; default: vico_dct
  int grid[3];      ///< cells per direction, which have no default
  double box[3];    ///< edges; default: 1
  int periodic[3];  ///< 1: periodic; 0, the default: open
  int field;        ///< 1: also E = -grad phi
  int green;        ///< enum nearfar_hockney_green; NEARFAR_HOCKNEY only
  int conductor;    ///< enum nearfar_box_face, or NEARFAR_UNSET
  int slabs;        ///< 1: each rank gives and gets its own planes along x (nearfar_poisson_planes); 0: rank 0 all
} nearfar_poisson_options;
void nearfar_poisson_options_init(nearfar_poisson_options *options, size_t size);

int nearfar_poisson_create(nearfar_runtime const *runtime, nearfar_poisson_options const *options,
                           nearfar_poisson **plan);
void nearfar_poisson_destroy(nearfar_poisson *plan);
/// -Laplace(potential) = density, a number per cell in [x][y][z] order; `field` has three per cell, or is NULL and 0.
int nearfar_poisson_submit(nearfar_poisson *plan, void const *density, size_t density_length, void *potential,
                           size_t potential_length, void *field, size_t field_length,
                           nearfar_submit_options const *options, nearfar_solve **solve);
/// From the next solve on.
int nearfar_poisson_set_spacing(nearfar_poisson *plan, double const spacing[3]);
/// Of the grid; of this rank's planes where it is given in slabs.
size_t nearfar_poisson_cells(nearfar_poisson const *plan);
/// The planes along x that this rank gives: from planes[0] on, before planes[1].
int nearfar_poisson_planes(nearfar_poisson const *plan, int planes[2]);
typedef struct nearfar_poisson_parameters {
  double spacing[3];
  int transform[3], green_transform[3];
  double truncation_radius;
  size_t green_bytes, setup_bytes, bytes;
  int on_gpus;
} nearfar_poisson_parameters;
int nearfar_poisson_get_parameters(nearfar_poisson const *plan, nearfar_poisson_parameters *parameters, size_t size);
/// Waits until the Green's function is made, and reports how; of `stages` only the number.
int nearfar_poisson_green_report(nearfar_poisson *plan, nearfar_report *report, size_t size);

#ifdef __cplusplus
}
#endif

#endif
