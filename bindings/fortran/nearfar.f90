! SPDX-License-Identifier: BSD-3-Clause
!> nearfar in Fortran: interfaces of the C API (nearfar.h, docs/c.md) for Ewald sums, multipole sums, direct sums,
!> Poisson's equation and solves, with all of iso_c_binding. Compile this file with your program. Arrays are passed as
!> they are, points as x(3, n); functions return 0 or an error, whose text nearfar_error() gives. Arrays of a solve in
!> flight need the attribute asynchronous, and their numbers must follow each other: of a section such as u(2, :) the
!> compiler passes a copy, which is gone when a submit function returns.
module nearfar
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: nearfar_ok = 0, nearfar_bug = 1, nearfar_bad_input = 2, nearfar_no_resource = 3
  integer(c_int), parameter :: nearfar_double = 0, nearfar_single = 1
  integer(c_int), parameter :: nearfar_stokeslet = 0, nearfar_stresslet = 1, nearfar_stokes = 2, nearfar_laplace = 3, &
    nearfar_rotlet = 4, nearfar_dipole = 5, nearfar_charge_dipole = 6, nearfar_yukawa = 7, nearfar_doublet = 8
  integer(c_int), parameter :: nearfar_output_potential = 1, nearfar_output_velocity = 2, &
    nearfar_output_pressure = 8, nearfar_output_gradient = 4, nearfar_output_hessian = 16
  integer(c_int), parameter :: nearfar_periodic_none = 0, nearfar_periodic_x = 1, nearfar_periodic_xy = 2, &
    nearfar_periodic_xyz = 3, nearfar_periodic_y = 4, nearfar_periodic_z = 5, nearfar_periodic_xz = 6, &
    nearfar_periodic_yz = 7
  integer(c_int), parameter :: nearfar_zero_face_flux = 0, nearfar_zero_mean_flow = 1
  integer(c_int), parameter :: nearfar_tin_foil = 0, nearfar_vacuum = 1
  integer(c_int), parameter :: nearfar_of_parts = 0, nearfar_of_whole = 1
  integer(c_int), parameter :: nearfar_part_whole = 0, nearfar_part_near = 1, nearfar_part_far = 2
  integer(c_int), parameter :: nearfar_part_automatic = 0, nearfar_part_double = 1, nearfar_part_single = 2
  integer(c_int), parameter :: nearfar_hockney = 0, nearfar_vico = 1, nearfar_vico_dct = 2
  integer(c_int), parameter :: nearfar_cell_average = 0, nearfar_constant = 1, nearfar_integrated = 2
  integer(c_int), parameter :: nearfar_x_low = 0, nearfar_x_high = 1, nearfar_y_low = 2, nearfar_y_high = 3, &
    nearfar_z_low = 4, nearfar_z_high = 5
  integer(c_int), parameter :: nearfar_unset = -1

  !> As in C; nearfar_runtime_options_init(options, c_sizeof(options)) comes first. scheduler, trace: c_loc of a text
  !> that ends with c_null_char. communicator: address of one of C (MPI_Comm_f2c).
  type, bind(c) :: nearfar_runtime_options
    integer(c_size_t) :: size
    type(c_ptr) :: scheduler
    integer(c_int) :: cpus, gpus
    type(c_ptr) :: trace, communicator
    integer(c_int) :: network_given
    real(c_double) :: network_latency, network_bandwidth
  end type

  !> As in C; nearfar_ewald_options_init(options, c_sizeof(options)) comes first.
  type, bind(c) :: nearfar_ewald_options
    integer(c_size_t) :: size
    integer(c_int) :: precision, kernel, outputs, periodicity
    real(c_double) :: box(3), tolerance
    integer(c_size_t) :: count
    integer(c_int) :: split, window, implementation, zero_mode
    real(c_double) :: gauge_length
    integer(c_int) :: near_precision, far_precision, influence
    real(c_double) :: cutoff, split_parameter
    integer(c_int) :: grid(3), window_points, tolerance_of, virial
    real(c_double) :: cell(9), screening
    integer(c_int) :: vectors
  end type

  type, bind(c) :: nearfar_fmm_options
    integer(c_size_t) :: size
    integer(c_int) :: precision, kernel, outputs, periodicity
    real(c_double) :: box(3), tolerance
    integer(c_size_t) :: count
    integer(c_int) :: boundary, near_precision, implementation
    integer(c_int) :: order, depth, capacity, well_separation, virial
    real(c_double) :: softening
  end type

  type, bind(c) :: nearfar_poisson_options
    integer(c_size_t) :: size
    integer(c_int) :: precision, method, grid(3)
    real(c_double) :: box(3)
    integer(c_int) :: periodic(3), field, green, conductor, slabs
  end type

  !> As in C; nearfar_submit_options_init(options, c_sizeof(options)) comes first, and submit functions take the c_loc.
  type, bind(c) :: nearfar_submit_options
    integer(c_size_t) :: size
    integer(c_int) :: part, after_stream
    type(c_ptr) :: stream
  end type

  !> As in C: what can be asked of a kernel. name: as nearfar_text tells it.
  type, bind(c) :: nearfar_kernel_info
    type(c_ptr) :: name
    integer(c_int) :: outputs, fmm_outputs, periodicities, fmm_periodicities, energy_outputs, virial_outputs
    integer(c_int) :: screening, zero_mode, gauge_length
  end type

  !> As in C: one of several arrays that hold rows one after the other; first is its c_loc, length its numbers.
  type, bind(c) :: nearfar_array
    type(c_ptr) :: first
    integer(c_size_t) :: length
  end type

  !> As in C: views of rows, one column for each number of a row. columns is the c_loc of an array of nearfar_column,
  !> first that of the number in the first row, stride the bytes from one row to the next.
  type, bind(c) :: nearfar_column
    type(c_ptr) :: first
    integer(c_intptr_t) :: stride
  end type
  type, bind(c) :: nearfar_rows
    integer(c_size_t) :: rows
    type(c_ptr) :: columns
    integer(c_int) :: column_count, precision
  end type

  !> As in C: what the tasks of one stage took. stage: its name, as nearfar_text tells it.
  type, bind(c) :: nearfar_stage
    type(c_ptr) :: stage
    integer(c_int) :: tasks
    real(c_double) :: seconds, flops, expected_seconds
  end type

  !> As in C: how a solve ran, and what it found beside its results.
  type, bind(c) :: nearfar_report
    real(c_double) :: seconds, submit_seconds
    integer(c_int) :: tasks, workers, ranks, repeats
    integer(c_int64_t) :: sent_bytes, direct_bytes
    real(c_double) :: idle_fraction, overlap_fraction, critical_seconds, bound_seconds, predicted_seconds, sampled_error
    integer(c_size_t) :: stages
    integer(c_int) :: has_energy, has_virial
    real(c_double) :: energy, virial(6), energy_error, virial_error
  end type

  interface
    subroutine nearfar_runtime_options_init(options, size) bind(c)
      import :: c_size_t, nearfar_runtime_options
      type(nearfar_runtime_options), intent(out) :: options
      integer(c_size_t), value :: size
    end subroutine
    !> options: c_null_ptr for all defaults, or c_loc of them.
    integer(c_int) function nearfar_runtime_create(options, runtime) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: options
      type(c_ptr), intent(out) :: runtime
    end function
    subroutine nearfar_runtime_destroy(runtime) bind(c)
      import :: c_ptr
      type(c_ptr), value :: runtime
    end subroutine

    integer(c_int) function nearfar_get_kernel_info(kernel, info, size) bind(c)
      import :: c_int, c_size_t, nearfar_kernel_info
      integer(c_int), value :: kernel
      type(nearfar_kernel_info), intent(out) :: info
      integer(c_size_t), value :: size
    end function

    subroutine nearfar_ewald_options_init(options, size) bind(c)
      import :: c_size_t, nearfar_ewald_options
      type(nearfar_ewald_options), intent(out) :: options
      integer(c_size_t), value :: size
    end subroutine
    integer(c_int) function nearfar_ewald_create(runtime, options, plan) bind(c)
      import :: c_int, c_ptr, nearfar_ewald_options
      type(c_ptr), value :: runtime
      type(nearfar_ewald_options), intent(in) :: options
      type(c_ptr), intent(out) :: plan
    end function
    subroutine nearfar_fmm_options_init(options, size) bind(c)
      import :: c_size_t, nearfar_fmm_options
      type(nearfar_fmm_options), intent(out) :: options
      integer(c_size_t), value :: size
    end subroutine
    integer(c_int) function nearfar_fmm_create(runtime, options, plan) bind(c)
      import :: c_int, c_ptr, nearfar_fmm_options
      type(c_ptr), value :: runtime
      type(nearfar_fmm_options), intent(in) :: options
      type(c_ptr), intent(out) :: plan
    end function
    subroutine nearfar_plan_destroy(plan) bind(c)
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine
    integer(c_int) function nearfar_plan_estimated_error(plan, error) bind(c)
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: plan
      real(c_double), intent(out) :: error
    end function

    !> Without targets these are the sources; target_count is 0 then.
    integer(c_int) function nearfar_set_points(plan, sources, source_count, targets, target_count, points) bind(c)
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan
      type(*), intent(in) :: sources(*)
      integer(c_size_t), value :: source_count, target_count
      type(*), intent(in), optional :: targets(*)
      type(c_ptr), intent(out) :: points
    end function
    integer(c_int) function nearfar_move_points(plan, before, sources, source_count, targets, target_count, &
                                                points) bind(c)
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan, before
      type(*), intent(in) :: sources(*)
      integer(c_size_t), value :: source_count, target_count
      type(*), intent(in), optional :: targets(*)
      type(c_ptr), intent(out) :: points
    end function
    !> Points in several arrays, such as one for each GPU; no targets: target_arrays is 0.
    integer(c_int) function nearfar_set_points_arrays(plan, sources, source_arrays, targets, target_arrays, &
                                                      points) bind(c)
      import :: c_int, c_ptr, c_size_t, nearfar_array
      type(c_ptr), value :: plan
      type(nearfar_array), intent(in) :: sources(*)
      integer(c_size_t), value :: source_arrays, target_arrays
      type(nearfar_array), intent(in), optional :: targets(*)
      type(c_ptr), intent(out) :: points
    end function
    integer(c_int) function nearfar_move_points_arrays(plan, before, sources, source_arrays, targets, target_arrays, &
                                                       points) bind(c)
      import :: c_int, c_ptr, c_size_t, nearfar_array
      type(c_ptr), value :: plan, before
      type(nearfar_array), intent(in) :: sources(*)
      integer(c_size_t), value :: source_arrays, target_arrays
      type(nearfar_array), intent(in), optional :: targets(*)
      type(c_ptr), intent(out) :: points
    end function
    !> The vectors a, b, c are the columns of cell. before: c_null_ptr, or points that are also put into that cell.
    integer(c_int) function nearfar_set_cell(plan, cell, before, points) bind(c)
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: plan, before
      real(c_double), intent(in) :: cell(3, 3)
      type(c_ptr), intent(out), optional :: points
    end function
    subroutine nearfar_points_destroy(points) bind(c)
      import :: c_ptr
      type(c_ptr), value :: points
    end subroutine

    !> Submits and waits.
    integer(c_int) function nearfar_execute(plan, points, strengths, strengths_length, result, result_length) bind(c)
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan, points
      type(*), intent(in) :: strengths(*)
      type(*) :: result(*)
      integer(c_size_t), value :: strengths_length, result_length
    end function
    subroutine nearfar_submit_options_init(options, size) bind(c)
      import :: c_size_t, nearfar_submit_options
      type(nearfar_submit_options), intent(out) :: options
      integer(c_size_t), value :: size
    end subroutine
    !> options: c_null_ptr for all defaults.
    integer(c_int) function nearfar_submit(plan, points, strengths, strengths_length, result, result_length, options, &
                                           solve) bind(c)
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan, points, options
      type(*), intent(in), asynchronous :: strengths(*)
      type(*), asynchronous :: result(*)
      integer(c_size_t), value :: strengths_length, result_length
      type(c_ptr), intent(out) :: solve
    end function
    !> The numbers are the caller's until the solve has ended; the descriptions of the arrays are read at once.
    integer(c_int) function nearfar_submit_arrays(plan, points, strengths, strength_arrays, result, result_arrays, &
                                                  options, solve) bind(c)
      import :: c_int, c_ptr, c_size_t, nearfar_array
      type(c_ptr), value :: plan, points, options
      type(nearfar_array), intent(in) :: strengths(*), result(*)
      integer(c_size_t), value :: strength_arrays, result_arrays
      type(c_ptr), intent(out) :: solve
    end function
    integer(c_int) function nearfar_direct_submit(runtime, kernel, outputs, sources, source_count, targets, &
                                                  target_count, strengths, strengths_length, result, result_length, &
                                                  solve) bind(c)
      import :: c_int, c_ptr, c_size_t, c_double
      type(c_ptr), value :: runtime
      integer(c_int), value :: kernel, outputs
      real(c_double), intent(in), asynchronous :: sources(*), strengths(*)
      real(c_double), intent(in), asynchronous, optional :: targets(*)
      integer(c_size_t), value :: source_count, target_count, strengths_length, result_length
      real(c_double), asynchronous :: result(*)
      type(c_ptr), intent(out) :: solve
    end function

    !> targets: the c_loc of a nearfar_rows, or c_null_ptr
    integer(c_int) function nearfar_direct_submit_screened(runtime, kernel, outputs, screening, softening, sources, &
                                                           targets, strengths, result, solve) bind(c)
      import :: c_int, c_ptr, c_double, nearfar_rows
      type(c_ptr), value :: runtime, targets
      integer(c_int), value :: kernel, outputs
      real(c_double), value :: screening, softening
      type(nearfar_rows), intent(in) :: sources, strengths, result
      type(c_ptr), intent(out) :: solve
    end function

    integer(c_int) function nearfar_solve_ready(solve) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: solve
    end function
    integer(c_int) function nearfar_solve_wait(solve) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: solve
    end function
    !> callback: c_funloc of an integer(c_int) function (user, fraction) bind(c), type(c_ptr), value :: user,
    !> real(c_double), value :: fraction, which returns 0, or another number to cancel the solve. Workers call it.
    integer(c_int) function nearfar_solve_on_progress(solve, callback, user) bind(c)
      import :: c_int, c_ptr, c_funptr
      type(c_ptr), value :: solve, user
      type(c_funptr), value :: callback
    end function
    integer(c_int) function nearfar_solve_cancel(solve) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: solve
    end function
    !> Waits first. size: c_sizeof(report).
    integer(c_int) function nearfar_solve_report(solve, report, size) bind(c)
      import :: c_int, c_ptr, c_size_t, nearfar_report
      type(c_ptr), value :: solve
      type(nearfar_report), intent(out) :: report
      integer(c_size_t), value :: size
    end function
    !> The stage `index` of a report, from 0. size: c_sizeof(stage).
    integer(c_int) function nearfar_solve_stage(solve, index, stage, size) bind(c)
      import :: c_int, c_ptr, c_size_t, nearfar_stage
      type(c_ptr), value :: solve
      integer(c_size_t), value :: index, size
      type(nearfar_stage), intent(out) :: stage
    end function
    subroutine nearfar_solve_destroy(solve) bind(c)
      import :: c_ptr
      type(c_ptr), value :: solve
    end subroutine

    subroutine nearfar_poisson_options_init(options, size) bind(c)
      import :: c_size_t, nearfar_poisson_options
      type(nearfar_poisson_options), intent(out) :: options
      integer(c_size_t), value :: size
    end subroutine
    integer(c_int) function nearfar_poisson_create(runtime, options, plan) bind(c)
      import :: c_int, c_ptr, nearfar_poisson_options
      type(c_ptr), value :: runtime
      type(nearfar_poisson_options), intent(in) :: options
      type(c_ptr), intent(out) :: plan
    end function
    !> The last direction of the grid is the first index: density(nz, ny, nx), field(3, nz, ny, nx), which is left out
    !> with length 0 where only the potential is wanted. options: c_null_ptr for all defaults.
    integer(c_int) function nearfar_poisson_submit(plan, density, density_length, potential, potential_length, field, &
                                                   field_length, options, solve) bind(c)
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan, options
      type(*), intent(in), asynchronous :: density(*)
      type(*), asynchronous :: potential(*)
      type(*), asynchronous, optional :: field(*)
      integer(c_size_t), value :: density_length, potential_length, field_length
      type(c_ptr), intent(out) :: solve
    end function
    integer(c_int) function nearfar_poisson_set_spacing(plan, spacing) bind(c)
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: plan
      real(c_double), intent(in) :: spacing(3)
    end function
    integer(c_size_t) function nearfar_poisson_cells(plan) bind(c)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: plan
    end function
    subroutine nearfar_poisson_destroy(plan) bind(c)
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine

    !> Of this thread, as nearfar_error tells it.
    type(c_ptr) function nearfar_last_error() bind(c)
      import :: c_ptr
    end function
    !> Measures this machine, for better plans. precision: nearfar_double or nearfar_single.
    integer(c_int) function nearfar_tune(runtime, precision) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int), value :: precision
    end function
  end interface

contains

  !> The text of the last error of this thread.
  function nearfar_error() result(text)
    character(:), allocatable :: text
    text = nearfar_text(nearfar_last_error())
  end function

  !> A text of C, such as the name of a stage.
  function nearfar_text(place) result(text)
    type(c_ptr), intent(in) :: place
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: length
    text = ''  ! also of c_null_ptr
    if (.not. c_associated(place)) return
    call c_f_pointer(place, letters, [huge(length)])
    length = 0
    do while (letters(length + 1) /= c_null_char)
      length = length + 1
    end do
    text = transfer(letters(:length), repeat(' ', length))
  end function

end module
