! SPDX-License-Identifier: BSD-3-Clause
! The C API from Fortran: Madelung's constant of rock salt, moved points against a direct sum, Poisson's equation,
! options of the runtime, progress, several vectors of strengths, and an error's text.
module fortran_test_progress
  use, intrinsic :: iso_c_binding
  implicit none

  type :: told_type
    integer :: calls = 0
    real(c_double) :: last = 0
    logical :: increases = .true.
    integer(c_int) :: answer = 0
  end type

contains

  integer(c_int) function tell(user, fraction) bind(c)
    type(c_ptr), value :: user
    real(c_double), value :: fraction
    type(told_type), pointer :: told
    call c_f_pointer(user, told)
    told%increases = told%increases .and. fraction > told%last
    told%calls = told%calls + 1
    told%last = fraction
    tell = told%answer
  end function

end module

program fortran_test
  use nearfar
  use fortran_test_progress
  use, intrinsic :: ieee_arithmetic, only : ieee_value, ieee_quiet_nan
  implicit none
  real(c_double), parameter :: madelung = 1.747564594633182_c_double
  type(c_ptr) :: runtime
  integer :: failures = 0

  call ok(nearfar_runtime_create(c_null_ptr, runtime))
  call test_kernels()
  call test_ewald()
  call test_fmm()
  call test_softening()
  call test_vectors()
  call test_progress()
  call test_poisson()
  call test_runtime_options()
  call nearfar_runtime_destroy(runtime)
  print '(i0, a)', failures, ' failures'
  if (failures /= 0) error stop 1

contains

  subroutine ok(code)
    integer(c_int), intent(in) :: code
    if (code == nearfar_ok) return
    failures = failures + 1
    print *, 'error ', code, ': ', nearfar_error()
  end subroutine

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    if (condition) return
    failures = failures + 1
    print *, 'not so: ', what
  end subroutine

  subroutine test_kernels()
    type(nearfar_kernel_info) :: info
    call ok(nearfar_get_kernel_info(nearfar_stokeslet, info, c_sizeof(info)))
    call check(nearfar_text(info%name) == 'stokeslet', 'the name of a kernel')
    call check(info%outputs == nearfar_output_velocity + nearfar_output_pressure + nearfar_output_gradient, &
               'the outputs of a flow')
    call check(info%fmm_periodicities == ibset(0, nearfar_periodic_none), 'multipole sums of flows are in free space')
    call check(nearfar_get_kernel_info(77, info, c_sizeof(info)) == nearfar_bad_input, 'no kernel has the number 77')
  end subroutine

  subroutine test_ewald()
    type(nearfar_ewald_options) :: options
    type(nearfar_report) :: report
    type(nearfar_submit_options), target :: part_alone
    type(c_ptr) :: plan, points, moved, solve, none
    real(c_double), asynchronous, target :: ions(3, 8), charges(8), potential(8), field(4, 8), parts(8, 2)
    real(c_double) :: error
    integer :: i
    do i = 0, 7
      ions(:, i + 1) = [i / 4, mod(i / 2, 2), mod(i, 2)]
      charges(i + 1) = 1 - 2 * mod(nint(sum(ions(:, i + 1))), 2)
    end do
    call nearfar_ewald_options_init(options, c_sizeof(options))
    options%kernel = nearfar_laplace
    options%box = 2
    options%tolerance = 1e-9_c_double
    call ok(nearfar_ewald_create(runtime, options, plan))
    call ok(nearfar_set_points(plan, ions, 8_c_size_t, target_count=0_c_size_t, points=points))
    call ok(nearfar_submit(plan, points, charges, 8_c_size_t, potential, 8_c_size_t, c_null_ptr, solve))
    call ok(nearfar_solve_report(solve, report, c_sizeof(report)))
    call nearfar_solve_destroy(solve)
    call check(all(abs(potential + madelung * charges) < 1e-8_c_double), 'Madelung''s constant')
    call ok(nearfar_set_points_arrays(plan, [nearfar_array(c_loc(ions), 6_c_size_t), &
                                             nearfar_array(c_loc(ions(1, 3)), 18_c_size_t)], 2_c_size_t, &
                                      target_arrays=0_c_size_t, points=moved))
    call ok(nearfar_submit_arrays(plan, moved, [nearfar_array(c_loc(charges), 8_c_size_t)], 1_c_size_t, &
                                  [nearfar_array(c_loc(field), 3_c_size_t), &
                                   nearfar_array(c_loc(field(1, 4)), 5_c_size_t)], 2_c_size_t, c_null_ptr, solve))
    call ok(nearfar_solve_wait(solve))
    call nearfar_solve_destroy(solve)
    call check(nearfar_text(c_null_ptr) == '', 'no text')
    call check(all([field(1:3, 1), field(1:4, 4), field(1, 5)] == potential), 'several arrays have the bits of one')
    call nearfar_points_destroy(moved)
    call nearfar_submit_options_init(part_alone, c_sizeof(part_alone))
    do i = nearfar_part_near, nearfar_part_far
      part_alone%part = int(i, c_int)
      call ok(nearfar_submit(plan, points, charges, 8_c_size_t, parts(1, i), 8_c_size_t, c_loc(part_alone), solve))
      call ok(nearfar_solve_wait(solve))
      call nearfar_solve_destroy(solve)
    end do
    call check(all(abs(parts(:, 1) + parts(:, 2) - potential) < 1e-12_c_double), 'the whole is the sum of its parts')
    call check(report%has_energy == 1 .and. abs(report%energy + 4 * madelung) < 1e-8_c_double, 'the energy of the ions')
    call check(report%has_virial == 0, 'a virial only where it is asked for')
    call ok(nearfar_plan_estimated_error(plan, error))
    call check(error > 0 .and. error <= options%tolerance, 'an estimate below the tolerance')

    options%outputs = ior(nearfar_output_potential, nearfar_output_gradient)
    options%virial = 1
    call ok(nearfar_ewald_create(runtime, options, none))
    call nearfar_points_destroy(points)
    call ok(nearfar_set_points(none, ions, 8_c_size_t, target_count=0_c_size_t, points=points))
    call ok(nearfar_submit(none, points, charges, 8_c_size_t, field, 32_c_size_t, c_null_ptr, solve))
    call ok(nearfar_solve_report(solve, report, c_sizeof(report)))
    call nearfar_solve_destroy(solve)
    call check(all(abs(report%virial(:3) + 4 * madelung / 3) < 1e-7_c_double), 'the virial of the ions')
    call check(all(abs(report%virial(4:)) < 1e-7_c_double), 'the virial is isotropic')
    call ok(nearfar_set_cell(none, reshape([2d0, 0d0, 0d0, 2d0, 2d0, 0d0, 0d0, 0d0, 2d0], [3, 3]), points, moved))
    call ok(nearfar_execute(none, moved, charges, 8_c_size_t, field, 32_c_size_t))
    call check(all(abs(field(1, :) + madelung * charges) < 1e-8_c_double), 'a cell that leans by a row is the same')
    call ok(nearfar_set_cell(none, reshape([1d0, 0d0, 0d0, 0d0, 1d0, 0d0, 0d0, 0d0, 1d0], [3, 3]), c_null_ptr))
    call nearfar_points_destroy(points)
    call nearfar_points_destroy(moved)
    call nearfar_plan_destroy(none)
    options%outputs = 0
    options%virial = 0
    options%vectors = -2
    call check(nearfar_ewald_create(runtime, options, none) == nearfar_bad_input, 'a plan for less than one vector')
    options%vectors = 0
    call ok(nearfar_set_points(plan, ions, 8_c_size_t, target_count=0_c_size_t, points=points))

    charges(3) = ieee_value(error, ieee_quiet_nan)
    call check(nearfar_execute(plan, points, charges, 8_c_size_t, potential, 8_c_size_t) == nearfar_bad_input, &
               'a NaN among the charges is refused')
    call check(index(nearfar_error(), 'stage') > 0, 'the error names the stage: '//nearfar_error())
    options%tolerance = -1
    call check(nearfar_ewald_create(runtime, options, none) == nearfar_bad_input, 'a negative tolerance is refused')
    call nearfar_points_destroy(points)
    call nearfar_plan_destroy(plan)
  end subroutine

  !> Two vectors of charges in one solve, f(vector, particle): each has the bits that it has alone.
  subroutine test_vectors()
    integer(c_size_t), parameter :: n = 60
    type(nearfar_ewald_options) :: options
    type(c_ptr) :: plan, points
    real(c_double), asynchronous :: x(3, n), q(2, n), field(4, 2, n), one(n), alone(4, n)
    integer :: v
    call random_number(x)
    call random_number(q)
    q(2, :) = -1000 * q(2, :)
    call nearfar_ewald_options_init(options, c_sizeof(options))
    options%kernel = nearfar_laplace
    options%outputs = ior(nearfar_output_potential, nearfar_output_gradient)
    options%tolerance = 1e-4_c_double
    call ok(nearfar_ewald_create(runtime, options, plan))
    call ok(nearfar_set_points(plan, x, n, target_count=0_c_size_t, points=points))
    call ok(nearfar_execute(plan, points, q, 2 * n, field, 8 * n))
    do v = 1, 2
      one = q(v, :)
      call ok(nearfar_execute(plan, points, one, n, alone, 4 * n))
      call check(any(alone /= 0) .and. all(field(:, v, :) == alone), 'a vector of several is what it is alone')
    end do
    call check(nearfar_execute(plan, points, q, 2 * n, field, 4 * n) == nearfar_bad_input, 'results of one vector')
    call nearfar_points_destroy(points)
    call nearfar_plan_destroy(plan)
  end subroutine

  !> The callback of a solve that goes on, and of one that it cancels; and a solve that is cancelled from here.
  subroutine test_progress()
    integer(c_size_t), parameter :: n = 3000
    type(told_type), target :: told
    type(c_ptr) :: solve
    real(c_double), asynchronous :: x(3, n), f(3, n), u(3, n)
    integer :: answer
    call random_number(x)
    call random_number(f)
    do answer = 0, 1
      told = told_type(answer=answer)
      call ok(nearfar_direct_submit(runtime, nearfar_stokeslet, 0, x, n, x, n, f, 3 * n, u, 3 * n, solve))
      call ok(nearfar_solve_on_progress(solve, c_funloc(tell), c_loc(told)))
      if (answer == 0) then
        call ok(nearfar_solve_wait(solve))
        call check(told%increases .and. told%last == 1, 'progress goes up to 1')
      else
        call check(nearfar_solve_wait(solve) == nearfar_bad_input, 'the callback cancels its solve')
        call check(told%calls == 1 .and. told%last < 1, 'it is not called again')
      end if
      call nearfar_solve_destroy(solve)
    end do
    call ok(nearfar_direct_submit(runtime, nearfar_stokeslet, 0, x, n, x, n, f, 3 * n, u, 3 * n, solve))
    call ok(nearfar_solve_cancel(solve))
    call check(nearfar_solve_wait(solve) == nearfar_bad_input, 'a cancelled solve is an error')
    call nearfar_solve_destroy(solve)
  end subroutine

  !> Velocities at points of their own, of sources that have moved, against the direct sum.
  subroutine test_fmm()
    integer(c_size_t), parameter :: n = 1000, m = 50
    type(nearfar_fmm_options) :: options
    type(c_ptr) :: plan, before, points, solve
    real(c_double), asynchronous :: x(3, n), t(3, m), f(3, n), u(3, m), exact(3, m), two(3, 2, n), flows(3, 2, m)
    call random_number(x)
    call random_number(t)
    call random_number(f)
    call nearfar_fmm_options_init(options, c_sizeof(options))
    options%kernel = nearfar_stokeslet
    options%tolerance = 1e-5_c_double
    call ok(nearfar_fmm_create(runtime, options, plan))
    call ok(nearfar_set_points(plan, x, n, t, m, before))
    x = x + 0.001_c_double * f
    call ok(nearfar_move_points(plan, before, x, n, t, m, points))
    call ok(nearfar_execute(plan, points, f, 3 * n, u, 3 * m))
    call ok(nearfar_direct_submit(runtime, nearfar_stokeslet, 0, x, n, t, m, f, 3 * n, exact, 3 * m, solve))
    call ok(nearfar_solve_wait(solve))
    call nearfar_solve_destroy(solve)
    call check(norm2(u - exact) < 1e-5_c_double * norm2(exact), 'the multipole sum is the direct sum')
    two(:, 1, :) = f  ! several vectors at once: rows of all of them
    two(:, 2, :) = -3 * f
    call ok(nearfar_execute(plan, points, two, 6 * n, flows, 6 * m))
    call check(norm2(flows(:, 1, :) - exact) < 1e-5_c_double * norm2(exact), 'the first vector of two')
    call check(norm2(flows(:, 2, :) + 3 * exact) < 3e-5_c_double * norm2(exact), 'the second vector of two')
    call nearfar_points_destroy(before)
    call nearfar_points_destroy(points)
    call nearfar_plan_destroy(plan)
  end subroutine

  !> Two charges, softened: q / sqrt(r**2 + softening**2).
  subroutine test_softening()
    real(c_double), target :: x(3, 2), q(2), phi(2)
    type(nearfar_column), target :: place(3), charge(1), potential(1)
    type(nearfar_rows) :: sources, strengths, result
    type(c_ptr) :: solve
    integer :: d
    x = reshape([0.1_c_double, 0.2_c_double, 0.3_c_double, 0.4_c_double, 0.6_c_double, 0.3_c_double], [3, 2])
    q = [2.0_c_double, -3.0_c_double]
    do d = 1, 3
      place(d) = nearfar_column(c_loc(x(d, 1)), 24)
    end do
    charge(1) = nearfar_column(c_loc(q), 8)
    potential(1) = nearfar_column(c_loc(phi), 8)
    sources = nearfar_rows(2, c_loc(place), 3, nearfar_double)
    strengths = nearfar_rows(2, c_loc(charge), 1, nearfar_double)
    result = nearfar_rows(2, c_loc(potential), 1, nearfar_double)
    call ok(nearfar_direct_submit_screened(runtime, nearfar_laplace, 0, 0.0_c_double, 1.2_c_double, sources, &
                                           c_null_ptr, strengths, result, solve))
    call ok(nearfar_solve_wait(solve))
    call nearfar_solve_destroy(solve)
    call check(abs(phi(1) + 3 / 1.3_c_double) < 1e-14_c_double, 'a softened potential')
    call check(abs(phi(2) - 2 / 1.3_c_double) < 1e-14_c_double, 'another one')
  end subroutine

  !> A cosine in a periodic box: phi = rho / k^2, E = -grad phi; and how the solve ran.
  subroutine test_poisson()
    integer, parameter :: n = 16
    integer(c_size_t), parameter :: cells = n**3
    type(nearfar_poisson_options) :: options
    type(nearfar_report) :: report
    type(nearfar_stage) :: stage
    type(c_ptr) :: plan, solve
    real(c_double), asynchronous :: density(n, n, n), potential(n, n, n), field(3, n, n, n)
    real(c_double) :: k
    integer :: i, tasks
    integer(c_size_t) :: s
    k = 8 * atan(1.0_c_double) / 3
    do i = 1, n
      density(:, :, i) = cos(k * 3 / n * (i - 0.5_c_double))
    end do
    call nearfar_poisson_options_init(options, c_sizeof(options))
    options%grid = n
    options%box = 3
    options%periodic = 1
    options%field = 1
    call ok(nearfar_poisson_create(runtime, options, plan))
    call check(nearfar_poisson_cells(plan) == cells, 'cells of the grid')
    call ok(nearfar_poisson_submit(plan, density, cells, potential, cells, field, 3 * cells, c_null_ptr, solve))
    call ok(nearfar_solve_report(solve, report, c_sizeof(report)))
    call check(maxval(abs(potential - density / k**2)) < 1e-12_c_double, 'the potential of a cosine')
    call check(maxval(abs(field(2:, :, :, :))) < 1e-12_c_double, 'no field across it')
    call check(abs(field(1, 1, 1, 1) - sin(k * 1.5_c_double / n) / k) < 1e-12_c_double, 'the field of a cosine')
    tasks = 0
    do s = 0, report%stages - 1
      call ok(nearfar_solve_stage(solve, s, stage, c_sizeof(stage)))
      tasks = tasks + stage%tasks
      call check(len(nearfar_text(stage%stage)) > 1, 'stages have names')
    end do
    call check(tasks == report%tasks, 'tasks of the stages are those of the solve')
    call nearfar_solve_destroy(solve)
    call ok(nearfar_poisson_set_spacing(plan, [1.5_c_double, 1.5_c_double, 1.5_c_double] / n))
    call ok(nearfar_poisson_submit(plan, density, cells, potential, cells, field, 3 * cells, c_null_ptr, solve))
    call ok(nearfar_solve_wait(solve))
    call check(abs(potential(1, 1, 1) - density(1, 1, 1) / (4 * k**2)) < 1e-12_c_double, 'half the spacing')
    call nearfar_solve_destroy(solve)
    call nearfar_poisson_destroy(plan)
  end subroutine

  !> Options of the runtime, of which there is one already.
  subroutine test_runtime_options()
    type(nearfar_runtime_options), target :: options
    character(kind=c_char), target :: name(5) = ['h', 'o', 'p', 'e', c_null_char]
    type(c_ptr) :: none
    call nearfar_runtime_options_init(options, c_sizeof(options))
    call check(options%cpus == nearfar_unset .and. options%network_given == 0, 'defaults of the runtime')
    options%scheduler = c_loc(name)
    call check(nearfar_runtime_create(c_loc(options), none) == nearfar_bad_input, 'a second runtime of other options')
    call check(index(nearfar_error(), 'other options') > 0, 'the error says that they are others')
  end subroutine

end program
