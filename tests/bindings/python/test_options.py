# SPDX-License-Identifier: BSD-3-Clause
"""Options: every spelling that is accepted, and messages for those that are not."""

from fractions import Fraction

import numpy as np
import pytest

import nearfar as nf
from conftest import relative


@pytest.mark.parametrize("how, error, words", [
    ({"kernel": "stokselet"}, ValueError, "did you mean 'stokeslet'"),
    ({"kernel": "stokeslet", "outputs": ("pressure",)}, ValueError, "pressure.*without velocity"),
    ({"kernel": "stokeslet", "outputs": ("velocity", "hessian")}, ValueError, "hessian.*it has velocity, pressure, gradient"),
    ({"kernel": "laplace", "outputs": ("potential", "pressure")}, ValueError, "pressure.*it has potential, gradient, hessian"),
    ({"kernel": "laplace", "outputs": ()}, ValueError, "outputs is empty"),
    ({"pbc": "zy"}, ValueError, "one of none, x, xy"),
    ({"pbc": (True, True)}, ValueError, "pbc has 2 values"),
    ({"cell": None}, ValueError, "cell is missing"),
    ({"cell": (1, 2)}, ValueError, "one edge, three, or a 3 x 3"),
    ({"cell": 1j}, ValueError, "cell is 1j; give one edge, three, or a 3 x 3"),
    ({"cell": (1, 2, None)}, TypeError, "cell is None; pass a number"),
    ({"cell": [[1, 0, 0], [2, 1e-9, 0], [0, 0, 1]]}, ValueError, "nearly parallel"),
    ({"cell": [[1, 0, 0], [0, 1, 0], [0.1, 0, 1]], "pbc": "xy"}, ValueError, "row c.*direction z does not repeat"),
    ({"dtype": "float16"}, ValueError, "'float64' or 'float32'"),
    ({"tolerance": 2}, ValueError, "tolerance"),
    ({"tol": 1e-3}, TypeError, "did you mean 'tolerance'"),
    ({"cell": None, "cel": 1}, TypeError, "'cel' is no option; did you mean 'cell'"),
    ({"windw": "pswf"}, TypeError, "did you mean 'window'"),
    ({"window": "pwsf"}, ValueError, "window is 'pwsf'.*did you mean 'pswf'"),
    ({"softening": 0.1}, TypeError, "'softening' is an option of nf.Fmm, but not of this one"),
    ({"outputs": 3}, TypeError, "outputs is 3; pass a name, or several"),
    ({"pbc": 2.5}, ValueError, "pbc is 2.5; give True, False"),
    ({"pbc": 3}, ValueError, "pbc is 3; give True, False"),
    ({"grid": 2.5}, TypeError, "grid is 2.5; pass a whole number"),
    ({"grid": "large"}, TypeError, "grid is 'large'; pass a whole number"),
    ({"grid": 10**12}, TypeError, "grid is .10{12}, .*pass 3 numbers up to 2147483647"),
    ({"count": 10**30}, TypeError, "count is 10{30}, .*pass an integer up to 18446744073709551615"),
])
def test_refused(how, error, words):
    with pytest.raises(error, match=words):
        nf.Ewald(**{"cell": 1, **how})


@pytest.mark.parametrize("name, value", [("screening", 1.0), ("cutoff", 0.1), ("grid", 16), ("split", "pswf")])
def test_options_of_the_other_method(name, value):
    with pytest.raises(TypeError, match=f"'{name}' is an option of nf.Ewald, but not of this one; leave it out"):
        nf.Fmm("laplace", **{name: value})
    with pytest.raises(TypeError, match="'order' is an option of nf.Fmm"):
        nf.laplace(np.zeros((2, 3)), np.ones(2), cell=1, pbc=True, order=4)


@pytest.mark.parametrize("how, words", [
    ({"shape": 8}, "shape is 8, but a grid has three directions"),
    ({"shape": None}, "shape is None, but a grid has three directions; give \\(nx, ny, nz\\)"),
    ({"shape": (8, 8)}, "shape is \\(8, 8\\), but a grid has three directions; give \\(nx, ny, nz\\)"),
    ({"shape": (8, 8, 2.5)}, "shape is 2.5; pass a whole number"),
    ({"shape": "8x8"}, "shape is '8'; pass a whole number"),
    ({"shape": (8, 0, 8)}, "the grid has 0 cells along y.*give 2 to 16384 per direction"),
    ({"shape": (8, 8, 1)}, "the grid has 1 cells along z.*give 2 to 16384 per direction"),
    ({"shape": (20000, 8, 8)}, "the grid has 20000 cells along x .no transform here is so long.; give 2 to 16384 per direc"),
    ({"shape": (10**30, 8, 8)}, "shape is .10{30}, 8, 8., but 32 bits hold the numbers of cells"),
    ({"spacing": None}, "spacing is None; pass a number"),
    ({"spacing": 0}, "spacing is 0, but it is the edge of a cell; give lengths above 0"),
    ({"spacing": (1, 1, -2)}, "spacing is \\(1, 1, -2\\), but it is the edge of a cell"),
    ({"spacing": float("nan")}, "spacing is nan, but it is the edge of a cell"),
    ({"spacing": (1, 2)}, "spacing has 2 values; give one, or one for each direction"),
    ({"pbc": "zx"}, "pbc is 'zx', but periodic directions are one of none, x, xy"),
    ({"pbc": (True, False)}, "pbc has 2 values"),
    ({"method": "hockney", "green": "smooth"}, "green is 'smooth', which is no known name; it is one of 'cell-average'"),
    ({"conductor": "top"}, "conductor is 'top', which is no known name; it is one of 'x-low'"),
    ({"dtype": "float16"}, "dtype is 'float16', but sums are computed in 'float64' or 'float32'"),
])
def test_refused_grids(how, words):
    with pytest.raises((TypeError, ValueError), match=words):
        nf.Poisson(**{"shape": (8, 8, 8), **how})


def test_refused_runtimes():
    for how, words in (({"cpus": "all"}, "cpus is 'all'; pass a whole number"), ({"trace": 3}, "trace is 3; pass text")):
        with pytest.raises(TypeError, match=words):
            nf.runtime(**how)


@pytest.mark.parametrize("pbc", [True, "xyz", (True, True, True), np.array([1, 1, 1]), np.True_])
@pytest.mark.parametrize("cell", [2, 2.0, Fraction(2), (2, Fraction(2), 2), np.full(3, 2.0), np.diag([2.0, 2, 2])])
def test_spellings(pbc, cell, salt):
    plan = nf.Ewald("laplace", cell=cell, pbc=pbc, tolerance=1e-4, dtype=np.float64, count=8, grid=24, window_points=8,
                    cutoff=0.9)
    assert plan.parameters["grid"] == (24, 24, 24) and plan.parameters["cutoff"] == 0.9
    assert plan.outputs == ("potential",) and plan.dtype == "float64" == nf.Fmm(dtype=float).dtype


def test_any_cell(cloud):
    x, f = cloud
    rows = [[1, 0, 0], [0.3, 0.9, 0], [-0.2, 0.25, 0.8]]
    plan = nf.Ewald("stokeslet", cell=rows, tolerance=1e-8)
    assert np.allclose(plan.execute(plan.set_points(x), f),
                       nf.stokes(x, stokeslet=f, cell=np.array(rows) + [[0, 0, 0], rows[0], [0, 0, 0]], pbc=True,
                                 tolerance=1e-8).velocity, rtol=1e-7, atol=1e-6)
    assert np.allclose(plan.parameters["cell"], rows)
    with pytest.raises(ValueError, match="use Ewald sums"):
        nf.Fmm("laplace", cell=rows, pbc=True)


def test_softening(cloud):
    x, f = cloud
    plan = nf.Fmm("laplace", softening=0.1, depth=1)
    apart = np.sqrt(((x[:, None] - x) ** 2).sum(-1) + 0.01)
    expected = (f[:, 0] / apart).sum(1) - f[:, 0] / 0.1
    assert np.allclose(plan.execute(plan.set_points(x), f[:, 0].copy()).ravel(), expected, rtol=1e-9, atol=1e-9)
    plain, none = (nf.Fmm("laplace", **how) for how in ({}, {"softening": 0}))  # as in C
    assert np.array_equal(plain.execute(plain.set_points(x), f[:, 0].copy()), none.execute(none.set_points(x), f[:, 0].copy()))
    assert np.allclose(nf.direct("laplace", x, f[:, 0].copy(), softening=0.1), expected, rtol=1e-13)
    with pytest.raises(ValueError, match="softening is 0.1 with kernel stokeslet"):
        nf.direct("stokeslet", x, f, softening=0.1)
    with pytest.raises(ValueError, match="softening is 0.1 with kernel yukawa"):
        nf.direct("yukawa", x, f[:, 0].copy(), softening=0.1, screening=2)
    with pytest.raises(ValueError, match="softening is -1"):
        nf.Fmm("laplace", softening=-1)
    with pytest.raises(TypeError, match="softening is 'a', which is no value of this option; pass a number"):
        nf.Fmm("laplace", softening="a")
    with pytest.raises(ValueError, match="softened dipoles"):
        nf.Fmm("laplace", softening=0.1, outputs=("potential", "gradient")).set_points(x, x[:5].copy(), adjoint=True)


def test_set_cell(cloud):
    x, f = cloud
    plan = nf.Ewald("stokeslet", cell=1, tolerance=1e-6)
    points = plan.set_points(x, x + 0.01, adjoint=True)
    u = plan.execute(points, f)
    for cell in ([[1, 0, 0], [0.3, 1, 0], [0, 0, 1]], [1, 1.5, 1], np.eye(3)):
        other = plan.set_cell(cell, points)
        assert (other.sources, other.targets) == (points.sources, points.targets)
        fresh = nf.Ewald("stokeslet", cell=cell, tolerance=1e-9)
        assert relative(plan.execute(other, f), fresh.execute(fresh.set_points(x, x + 0.01), f)) < 1e-6
        assert plan.execute_adjoint(other, f).shape == f.shape
    assert np.array_equal(plan.execute(points, f), u)
    assert plan.set_cell(2) is None and plan.set_points(x) and plan.parameters["box"] == (2, 2, 2)
    with pytest.raises(ValueError, match="left-handed"):
        plan.set_cell([[0, 1, 0], [1, 0, 0], [0, 0, 1]], points)
    with pytest.raises(ValueError, match="nearly parallel"):
        nf.Ewald("stokeslet", cell=[[1, 0, 0], [1, 1e-9, 0], [0, 0, 1]])
    with pytest.raises(ValueError, match="left-handed"):
        nf.Ewald("stokeslet", cell=[[0, 1, 0], [1, 0, 0], [0, 0, 1]])
    with pytest.raises(ValueError, match="the next image"):
        nf.Ewald("stokeslet", cell=[[1, 0.5, 0], [0, 0, 0], [0, 0, 1]])
    with pytest.raises(ValueError, match="does not repeat"):
        nf.Ewald("stokeslet", cell=[[1, 0, 0.1], [0, 1, 0], [0, 0, 1]], pbc="xy")


def test_free_space_follows_the_points(cloud):
    x, f = cloud
    plan = nf.Ewald("stokeslet", pbc=False, tolerance=1e-4)
    plan.set_points(5 * x)
    assert min(plan.parameters["box"]) > 4


def test_one_call_refuses():
    with pytest.raises(ValueError, match="there are no strengths"):
        nf.stokes(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="tuple"):
        nf.stokes(np.zeros((2, 3)), stresslet=np.zeros((2, 6)))
    with pytest.raises(ValueError, match="method is 'pme'"):
        nf.laplace(np.zeros((2, 3)), np.ones(2), method="pme")


def test_zero_modes():
    x = np.array([[.1, .2, .3], [.7, .5, .9]])
    q, n = np.array([[.5, .1, -.7], [-.2, .9, .3]]), np.array([[0, 0, 1.], [.6, .8, 0]])
    u = [nf.stokes(x, stresslet=(q, n), cell=1, pbc=True, zero_mode=mode).velocity
         for mode in ("zero-face-flux", "zero-mean-flow")]
    assert not np.allclose(u[0], u[1])


@pytest.mark.parametrize("method, finest", [(nf.Ewald, 1e-12), (nf.Fmm, 1e-10)])
def test_tolerances_are_those_of_the_docs(method, finest):
    assert f"0.5 to {finest:.0e} (float32: to 1e-5)" in method.__doc__
    for dtype, least in (("float64", finest), ("float32", 1e-5)):
        for tolerance in (0.5, least):
            assert method("laplace", pbc=False, tolerance=tolerance, dtype=dtype).tolerance == tolerance
        for tolerance in (0.51, 0.99 * least):
            with pytest.raises(ValueError, match=f"tolerance is {tolerance}"):
                method("laplace", pbc=False, tolerance=tolerance, dtype=dtype)


def test_members_of_plans():
    """As the page says of them."""
    members = [{name for name in dir(method) if not name.startswith("_")} for method in (nf.Ewald, nf.Fmm)]
    assert members[0] ^ members[1] == {"set_cell"}


def test_a_tolerance_that_fits_the_precision():
    """Without one, plans of either precision are made; arrays of PyTorch and JAX are of single precision by default."""
    x = np.random.default_rng(4).random((50, 3), dtype="float32")
    for pbc in (False, True):
        assert nf.laplace(x, x[:, 0].copy(), cell=1, pbc=pbc).potential.dtype == "float32"
    assert nf.Fmm(dtype="float32").tolerance == 1e-4 and nf.Ewald(cell=1).tolerance == 1e-6
    with pytest.raises(TypeError, match="takes the dtype of its sources"):
        nf.laplace(x, x[:, 0].copy(), dtype="float64")


def test_points_are_those_of_set_points():
    plan, x = nf.Ewald(cell=1, tolerance=1e-3), np.random.default_rng(4).random((20, 3))
    calls = {"points": [lambda: plan.execute(x, x), lambda: plan.submit(x, x), lambda: plan.execute_adjoint(x, x),
                        lambda: plan.set_cell(2, x)], "before": [lambda: plan.move_points(x, x)]}
    for name, attempts in calls.items():
        for attempt in attempts:
            with pytest.raises(TypeError, match=f"{name} is a ndarray, but .* set_points"):
                attempt()


def test_what_is_shown():
    x = np.random.default_rng(4).random((20, 3))
    assert repr(nf.Ewald(cell=1)) == "Ewald('stokeslet', outputs=('velocity',), tolerance=1e-06, dtype='float64')"
    shown = repr(nf.laplace(x, x[:, 0].copy(), outputs=("potential", "gradient")))
    assert shown.startswith("Sum(potential (20,), gradient (20, 3), energy ") and "estimated error" in shown
