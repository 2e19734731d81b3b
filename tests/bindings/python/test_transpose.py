# SPDX-License-Identifier: BSD-3-Clause
"""The transposed sum of every kernel, held against the sum itself: u.(A f) = (A^T u).f for all f and u."""

import numpy as np
import pytest
from conftest import relative

import nearfar as nf
from nearfar._outputs import width
from nearfar._transpose import sums_of

numbers = np.random.default_rng(11)
SOURCES, TARGETS = numbers.random((60, 3)), numbers.random((40, 3))
STRENGTHS = {"laplace": 1, "yukawa": 1, "dipole": 3, "charge-dipole": 4, "stokeslet": 3, "rotlet": 3, "doublet": 9,
             "stresslet": 6, "stokes": 9}
POTENTIAL, FIELD = ("potential",), ("potential", "gradient")
FLOW = ("velocity", "pressure", "gradient")
CASES = [("laplace", POTENTIAL, "xyz"), ("laplace", FIELD, "xyz"), ("laplace", FIELD, "x"), ("dipole", POTENTIAL, "xyz"),
         ("dipole", FIELD, "xy"), ("charge-dipole", POTENTIAL, "none"), ("charge-dipole", FIELD, "xyz"),
         ("yukawa", POTENTIAL, "xyz"), ("stokeslet", FLOW[:1], "xyz"), ("stokeslet", FLOW[:2], "xyz"),
         ("stokeslet", FLOW, "xy"), ("rotlet", FLOW[:1], "x"), ("rotlet", FLOW, "xyz"), ("doublet", FLOW[:1], "xyz"),
         ("doublet", FLOW, "xyz"), ("stresslet", FLOW[:1], "xyz"), ("stresslet", FLOW, "none"), ("stokes", FLOW[:1], "xy"),
         ("stokes", FLOW, "xyz"), ("rotlet", FLOW[:2], "x")]


def columns(result):
    parts = result if isinstance(result, tuple) else (result,)
    return np.hstack([np.reshape(part, (len(part), -1)) for part in parts])


def linear(kernel, strengths):
    """Strengths as the numbers in which the sum is linear: of a double layer the products q_l n_m."""
    layer = strengths[:, -6:] if kernel in ("stresslet", "stokes") else strengths[:, :0]
    products = np.einsum("nl,nm->nlm", layer[:, :3], layer[:, 3:]).reshape(len(layer), -1)
    return np.hstack([strengths[:, :strengths.shape[1] - layer.shape[1]], products])


def check(plan, points, kernel):
    strengths = numbers.standard_normal((points.sources, STRENGTHS[kernel]))
    forward = columns(plan.execute(points, strengths))
    u = numbers.standard_normal((points.targets, sum(width(kernel, name) for name in plan.outputs)))
    u += forward * np.linalg.norm(u) / np.linalg.norm(forward)  # so the numbers that agree are some
    back = columns(plan.execute_adjoint(points, u))
    f = linear(kernel, strengths)
    assert back.shape == f.shape
    one, other = np.vdot(u, forward), np.vdot(back, f)
    assert abs(one - other) < 100 * plan.tolerance * np.linalg.norm(u) * np.linalg.norm(forward), (one, other)
    assert abs(one) > 0.1 * np.linalg.norm(u) * np.linalg.norm(forward)


def options(kernel, pbc):
    more = {"screening": 2.0} if kernel == "yukawa" else {}
    if kernel in ("stresslet", "stokes") and pbc == "xyz":
        more["zero_mode"] = "zero-mean-flow"
    return more


@pytest.mark.parametrize("kernel, outputs, pbc", CASES)
def test_every_kernel(kernel, outputs, pbc):
    tolerance = 1e-5 if kernel == "yukawa" else 1e-8  # finer plans of that kernel take long to choose
    plan = nf.Ewald(kernel, cell=1, pbc=pbc, outputs=outputs, tolerance=tolerance, **options(kernel, pbc))
    check(plan, plan.set_points(SOURCES, TARGETS, adjoint=True), kernel)


@pytest.mark.parametrize("kernel, outputs", [("laplace", FIELD), ("dipole", POTENTIAL), ("stokeslet", FLOW),
                                             ("doublet", FLOW[:1]), ("stresslet", FLOW)])
def test_multipoles(kernel, outputs):
    plan = nf.Fmm(kernel, outputs=outputs, tolerance=1e-8)
    check(plan, plan.set_points(SOURCES, TARGETS, adjoint=True), kernel)


@pytest.mark.parametrize("kernel, outputs", [("laplace", FIELD), ("dipole", FIELD), ("charge-dipole", FIELD),
                                             ("stokeslet", FLOW), ("rotlet", FLOW), ("doublet", FLOW), ("stokes", FLOW)])
def test_several_vectors(kernel, outputs):
    plan = nf.Fmm(kernel, outputs=outputs, tolerance=1e-5)
    points = plan.set_points(SOURCES, TARGETS, adjoint=True)
    u = numbers.standard_normal((len(TARGETS), 2, sum(width(kernel, name) for name in outputs)))
    back = plan.execute_adjoint(points, u)
    for k in range(2):
        alone = plan.execute_adjoint(points, u[:, k].copy())
        for one, other in zip(*(each if isinstance(each, tuple) else (each,) for each in (back, alone))):
            assert relative(one[:, k], other) < 1e-12


def test_of_the_sources_themselves_moved_and_in_another_cell():
    plan = nf.Ewald("laplace", cell=1, outputs=FIELD, tolerance=1e-8)
    points = plan.set_points(SOURCES, adjoint=True)
    check(plan, points, "laplace")
    check(plan, plan.move_points(points, (SOURCES + 0.01) % 1), "laplace")
    check(plan, plan.set_cell([[1, 0, 0], [0.2, 1, 0], [0, 0, 1]], points), "laplace")
    plan.set_cell([1, 1.2, 1])
    check(plan, plan.set_points(SOURCES, TARGETS, adjoint=True), "laplace")


@pytest.mark.parametrize("kernel, outputs, more", [
    ("dipole", POTENTIAL, {}), ("doublet", FLOW[:1], {}), ("stresslet", FLOW[:1], {}),
    ("stresslet", FLOW[:1], {"zero_mode": "zero-mean-flow"})])
@pytest.mark.parametrize("prepared", [False, True])
def test_points_set_after_those_of_another_cell(kernel, outputs, more, prepared):
    """Plans of the transposed sum are in the new cell too, whether the points that went there were prepared or not."""
    plan = nf.Ewald(kernel, cell=1, outputs=outputs, tolerance=1e-5, **more)
    before = plan.set_points(SOURCES, TARGETS, adjoint=True)
    plan.set_cell([1.3, 1.1, 1.2], before if prepared else plan.set_points(SOURCES, TARGETS))
    check(plan, plan.set_points(SOURCES, TARGETS, adjoint=True), kernel)


def test_plans_that_cannot_follow_to_another_cell(monkeypatch):
    """For lack of memory, for example: they are made anew, not used for the cell before."""
    plan = nf.Ewald("dipole", cell=1, tolerance=1e-5)
    plan.set_points(SOURCES, TARGETS, adjoint=True)

    def fails(cell, points=None):
        raise MemoryError

    monkeypatch.setattr(plan._transpose._plans[0], "set_cell", fails)
    with pytest.raises(MemoryError):
        plan.set_cell(1.3)
    check(plan, plan.set_points(SOURCES, TARGETS, adjoint=True), "dipole")


@pytest.mark.parametrize("given", [lambda: {"cell": np.ones(3)}, lambda: {"cell": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
                                   lambda: {"cell": 1, "pbc": np.array([True] * 3), "tolerance": np.array(1e-5)}])
def test_options_are_those_that_were_given(given):
    """Arrays and lists are the caller's, who may change them before a plan of the transposed sum is made."""
    how = {"tolerance": 1e-5} | given()
    plan = nf.Ewald("dipole", **how)
    for value in how.values():
        if isinstance(value, np.ndarray):
            value[...] = 0
        elif isinstance(value, list):
            value[0][0] = 2
    check(plan, plan.set_points(SOURCES, TARGETS, adjoint=True), "dipole")
    other = np.array([1.2, 1, 1])
    plan = nf.Ewald("dipole", cell=1, tolerance=1e-5)
    plan.set_cell(other)
    other *= 2
    check(plan, plan.set_points(SOURCES, TARGETS, adjoint=True), "dipole")


def test_layouts_results_in_place_and_progress():
    plan = nf.Ewald("stokeslet", cell=1, outputs=FLOW, tolerance=1e-6)
    points = plan.set_points(SOURCES, TARGETS, adjoint=True)
    u = numbers.standard_normal((40, 13))
    back = plan.execute_adjoint(points, u)
    assert np.array_equal(plan.execute_adjoint(points, (u[:, :3], u[:, 3], u[:, 4:])), back)
    out, told = np.empty((60, 3)), []
    assert plan.execute_adjoint(points, u, out, progress=told.append) is out and np.array_equal(out, back)
    assert told == sorted(told) and told[-1] == 1
    both = nf.Ewald("charge-dipole", cell=1, outputs=FIELD, tolerance=1e-6)
    points = both.set_points(SOURCES, TARGETS, adjoint=True)
    u = numbers.standard_normal((40, 4))
    result = both.execute_adjoint(points, u)
    assert result.names == ("charges", "dipoles") and result.dipoles.shape == (60, 3)
    assert result.charges.shape == (60,)
    into = (np.empty(60), np.empty((60, 3)))
    again = both.execute_adjoint(points, u, into)
    assert again.charges is into[0] and relative(again.dipoles, result.dipoles) == 0


@pytest.mark.parametrize("kernel, outputs", [("stresslet", FLOW[:1]), ("stokes", FLOW[:1]), ("stokes", FLOW)])
def test_no_flux_through_faces(kernel, outputs):
    """The default zero mode of double layers, which depends on where points are given: here in several cells."""
    cell = [[1.1, 0, 0], [0.2, 0.9, 0], [0.1, -0.1, 1]]
    plan = nf.Ewald(kernel, cell=cell, outputs=outputs, tolerance=1e-8)
    x, t = SOURCES + numbers.integers(-1, 2, SOURCES.shape) @ cell, TARGETS + np.array([1, 0, -1]) @ cell
    for points in (plan.set_points(x, t, adjoint=True), plan.set_points(x, adjoint=True)):
        check(plan, points, kernel)
    points = plan.set_points(x, t, adjoint=True)
    check(plan, plan.move_points(points, x + 0.01, t), kernel)
    x += 100  # a caller's array, which may change
    check(plan, points, kernel)
    u = numbers.standard_normal((len(t), 2, sum(width(kernel, name) for name in outputs)))
    several, alone = (plan.execute_adjoint(points, part) for part in (u, u[:, 1].copy()))
    for one, other in zip(*(each if isinstance(each, tuple) else (each,) for each in (several, alone))):
        assert relative(one[:, 1], other) < 1e-7
    in_rows = plan.execute_adjoint(points, u.reshape(len(t), -1))
    for one, other in zip(*(each if isinstance(each, tuple) else (each,) for each in (several, in_rows))):
        assert relative(other, one) == 0
    sheared = plan.set_cell([[1.1, 0, 0], [0.3, 0.9, 0], [0.1, -0.1, 1]], points)
    with pytest.raises(ValueError, match="adjoint=True"):
        plan.execute_adjoint(sheared, u[:, 0].copy())


@pytest.mark.parametrize("kernel, outputs, words", [
    ("laplace", FIELD + ("hessian",), "quadrupoles"),
    ("laplace", POTENTIAL + ("hessian",), "quadrupoles"),
])
def test_refused(kernel, outputs, words):
    plan = nf.Ewald(kernel, cell=1, outputs=outputs, tolerance=1e-3)
    with pytest.raises(ValueError, match=words):
        plan.set_points(SOURCES, TARGETS, adjoint=True)
    with pytest.raises(ValueError, match=words):
        plan.execute_adjoint(plan.set_points(SOURCES), np.zeros(60))


def test_screened_dipoles_are_no_kernel():
    with pytest.raises(ValueError, match="screened dipoles"):
        sums_of("yukawa", FIELD)


def test_what_does_not_fit():
    plan = nf.Ewald("stokeslet", cell=1, outputs=FLOW, tolerance=1e-3)
    points = plan.set_points(SOURCES, TARGETS, adjoint=True)
    with pytest.raises(ValueError, match=r"strengths has shape \(40, 3\).*\(M, 13\)"):
        plan.execute_adjoint(points, np.zeros((40, 3)))
    with pytest.raises(ValueError, match="strengths has 2 arrays"):
        plan.execute_adjoint(points, (np.zeros((40, 3)), np.zeros(40)))
    with pytest.raises(ValueError, match="out has 40 rows of 3 numbers.*60 rows of 3"):
        plan.execute_adjoint(points, np.zeros((40, 13)), np.zeros((40, 3)))
    with pytest.raises(ValueError, match="adjoint=True"):
        plan.execute_adjoint(plan.set_points(SOURCES, TARGETS), np.zeros((40, 13)))
