# SPDX-License-Identifier: BSD-3-Clause
"""Arrays in place: strided ones, fields of structs, tuples of columns, other libraries; and what does not fit."""

import array
import ctypes

import numpy as np
import pytest
from conftest import ByDlpack

import nearfar as nf
from nearfar import _arrays


@pytest.fixture
def solved(cloud, stokeslet_plan):
    """Forces and the velocities that every layout must give, with the same bits."""
    x, f = cloud
    points = stokeslet_plan.set_points(x)
    return points, f, stokeslet_plan.execute(points, f)


def test_no_copy_and_in_place(cloud, stokeslet_plan, solved):
    x, f = cloud
    before = dict(_arrays.copies)
    out = np.empty_like(f)
    assert stokeslet_plan.execute(stokeslet_plan.set_points(x), f, out) is out
    assert np.array_equal(out, solved[2])
    beads = np.zeros(300, dtype=[("mass", "f8"), ("place", "f8", 3), ("force", "f8", 3), ("speed", "f8", 3)])
    beads["place"], beads["force"] = x, f
    stokeslet_plan.execute(stokeslet_plan.set_points(beads["place"]), beads["force"], beads["speed"])
    assert np.array_equal(beads["speed"], solved[2])
    assert _arrays.copies == before


def test_layouts(cloud, stokeslet_plan, solved):
    x, f = cloud
    points, _, expected = solved
    before = dict(_arrays.copies)
    fields = np.ascontiguousarray(x.T)  # (3, N)
    assert np.array_equal(stokeslet_plan.execute(stokeslet_plan.set_points(fields.T), f), expected)
    assert np.array_equal(stokeslet_plan.execute(stokeslet_plan.set_points(tuple(fields)), f), expected)
    every_second = np.repeat(f, 2, axis=0)[::2]
    assert np.array_equal(stokeslet_plan.execute(points, every_second), expected)
    backwards = np.ascontiguousarray(f[::-1])[::-1]
    assert np.array_equal(stokeslet_plan.execute(points, backwards), expected)
    into = np.empty((3, 300))
    stokeslet_plan.execute(points, f, into.T)
    assert np.array_equal(into.T, expected)
    parts = tuple(np.empty(300) for _ in range(3))
    assert stokeslet_plan.execute(points, f, parts) is parts
    assert np.array_equal(np.stack(parts, axis=1), expected)
    assert _arrays.copies == before


def test_several_outputs_in_place(cloud):
    x, f = cloud
    plan = nf.Ewald("laplace", cell=1, tolerance=1e-6, outputs=("potential", "gradient"))
    points = plan.set_points(x)
    field = plan.execute(points, f[:, 0])
    assert field.names == ("potential", "gradient") and field.gradient.shape == (300, 3)
    phi, gradient = np.empty(300), np.empty((300, 3))
    again = plan.execute(points, f[:, 0], (phi, gradient))
    assert again.potential is phi and again.gradient is gradient
    assert np.array_equal(phi, field.potential) and np.array_equal(gradient, field.gradient)


def test_copies_are_counted(cloud, stokeslet_plan, solved):
    x, f = cloud
    before = dict(_arrays.copies)
    assert np.array_equal(stokeslet_plan.execute(solved[0], f.tolist()), solved[2])
    odd = np.zeros(300, dtype=np.dtype([("name", "i1"), ("force", "f8", 3)]))
    odd["force"] = f
    assert np.array_equal(stokeslet_plan.execute(solved[0], odd["force"]), solved[2])
    assert _arrays.copies["arrays"] == before["arrays"] + 2
    assert _arrays.copies["bytes"] == before["bytes"] + 2 * f.nbytes


def test_buffers_of_python(stokeslet_plan, solved):
    points, f, expected = solved
    buffer = memoryview(array.array("d", f.ravel())).cast("B").cast("d", (300, 3))
    assert np.array_equal(stokeslet_plan.execute(points, buffer), expected)


def test_dlpack(stokeslet_plan, solved):
    points, f, expected = solved
    assert np.array_equal(stokeslet_plan.execute(points, ByDlpack(f)), expected)
    assert np.array_equal(stokeslet_plan.execute(points, ByDlpack(f, old=True)), expected)
    out = np.empty_like(f)
    stokeslet_plan.execute(points, f, ByDlpack(out))
    assert np.array_equal(out, expected)
    out.flags.writeable = False
    with pytest.raises((ValueError, BufferError), match="out is read-only|readonly"):  # NumPy 1 does not give it away
        stokeslet_plan.execute(points, f, ByDlpack(out))


@pytest.mark.parametrize("wrong, error, words", [
    (lambda x: x.astype("float32"), TypeError, r"sources is an array of float32.*float64.*dtype=\"float32\""),
    (lambda x: (100 * x).astype(int), TypeError, "sources is an array of int64.*convert the array"),
    (lambda x: x.astype(">f8"), TypeError, "sources is an array of '>d'"),
    (lambda x: x.astype(complex), TypeError, "complex128"),
    (lambda x: np.ascontiguousarray(x.T), ValueError, r"shape \(3, 300\).*sources\.T"),
    (lambda x: x[:, :2], ValueError, "2 columns, but a position has 3"),
    (lambda x: x[0, 0], ValueError, r"shape \(\)"),
    (lambda x: "points", TypeError, "of type str, which is no array"),
    (lambda x: (x[:, 0], x[:, 1], x[1:, 2]), ValueError, r"sources\[2\] has 299 rows.*have 300"),
    (lambda x: x * np.nan, ValueError, "nan"),
    (lambda x: (), ValueError, "empty tuple"),
])
def test_what_does_not_fit_as_positions(cloud, stokeslet_plan, wrong, error, words):
    with pytest.raises(error, match=words):
        stokeslet_plan.set_points(wrong(cloud[0]))


def test_what_does_not_fit_as_strengths_and_results(stokeslet_plan, solved):
    points, f, _ = solved
    with pytest.raises(ValueError, match="2 numbers per source.*has 3"):
        stokeslet_plan.execute(points, f[:, :2])
    with pytest.raises(ValueError, match="out has 299 rows of 3 numbers.*300 rows"):
        stokeslet_plan.execute(points, f, np.empty((299, 3)))
    with pytest.raises(TypeError, match="out is an array of float32"):
        stokeslet_plan.execute(points, f, np.empty((300, 3), "float32"))
    frozen = np.empty((300, 3))
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="out is read-only"):
        stokeslet_plan.execute(points, f, frozen)
    columns = np.empty((300, 3))
    with pytest.raises(ValueError, match=r"out\[0\] and out\[2\] have numbers in common"):
        stokeslet_plan.execute(points, f, (columns[:, 0], columns[:, 1], columns[:, 0]))
    stokeslet_plan.execute(points, f, (columns[:, 2], columns[:, 1], columns[:, 0]))
    assert np.array_equal(columns[:, ::-1], stokeslet_plan.execute(points, f))
    with pytest.raises(ValueError, match=r"strengths has shape \(299, 3\).*300 sources"):
        stokeslet_plan.execute(points, f[1:])
    broken = f.copy()
    broken[7, 1] = np.inf
    with pytest.raises(ValueError, match=r"\(stage .*, block"):
        stokeslet_plan.execute(points, broken)


def test_no_targets_are_not_taken_for_the_sources(stokeslet_plan, cloud):
    with pytest.raises(ValueError, match="there are no targets"):
        stokeslet_plan.set_points(cloud[0], np.empty((0, 3)))


def test_buffers_that_are_nothing_else():
    """array.array and arrays of ctypes, which tell no strides."""
    x, q = np.random.default_rng(5).random((40, 3)), np.linspace(-1, 1, 40)
    plan = nf.Ewald("dipole", cell=1, tolerance=1e-3, outputs="potential")
    points = plan.set_points(x, adjoint=True)
    dipoles = plan.execute_adjoint(points, q)
    assert np.array_equal(plan.execute_adjoint(points, array.array("d", q)), dipoles)
    rows = (ctypes.c_double * 3 * 40)(*map(tuple, dipoles))
    assert np.array_equal(plan.execute(points, rows), plan.execute(points, dipoles))
    assert np.array_equal(plan.execute_adjoint(points, (ctypes.c_double * 40)(*q)), dipoles)
