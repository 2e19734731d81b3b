# SPDX-License-Identifier: BSD-3-Clause
"""Values: constants of lattices, golden vectors of docs/ewald.md's conventions, and direct sums."""

import asyncio

import numpy as np
import pytest
from conftest import MADELUNG, relative

import nearfar as nf

X = np.array([[.1, .2, .3], [.7, .5, .9], [.4, .85, .15]])
F = np.array([[1, -.5, .25], [-.3, .8, .6], [.45, -.2, -.9]])
Q = np.array([[.5, .1, -.7], [-.2, .9, .3], [.6, -.4, .2]])
N = np.array([[0, 0, 1], [.6, .8, 0], [-.48, .6, .64]])
CHARGES = np.array([1, -2, 1.5])
# By pbc: Stokeslet velocity, stresslet velocity, potential and gradient of the first point, in the unit cube.
GOLDEN = {
    "xyz": ([-3.434402805571, 0.5439787789317, -0.6349731247955], [-1.480684833379, 3.38486793962, 15.03583859602],
            -2.026213547091, [3.918454765289, -4.304332433812, -0.4862710349321]),
    "xy": ([-4.572042879496, -3.004561459377, -0.1755299006021], [-6.000956448851, 11.11507057304, 13.64005548794],
           1.43829524282, [2.933674081816, -3.066247241277, -16.41870728707]),
    "x": ([-2.896632030863, 1.107203665819, 1.33490446337], [4.901636960548, -2.483085742007, 1.665110051843],
          -0.5749387896469, [0.5694622489304, 1.771727787667, -5.964252926001]),
    "none": ([0.7349023925309, 1.020841012511, -0.2717736792302], [1.065269126536, 0.2961946758526, 1.278065025209],
             -0.1714644411482, [-0.4961329007323, 1.668529606712, -2.221069352103]),
}


@pytest.mark.parametrize("pbc", GOLDEN)
def test_golden(pbc):
    u, v, phi, gradient = GOLDEN[pbc]
    how = {"cell": 1, "pbc": pbc, "tolerance": 1e-10, "method": "ewald"}
    both = nf.laplace(X, CHARGES, outputs=("potential", "gradient"), **how)
    assert both.potential[0] == pytest.approx(phi, rel=1e-8)
    np.testing.assert_allclose(both.gradient[0], gradient, rtol=1e-8)
    np.testing.assert_allclose(nf.stokes(X, stokeslet=F, **how).velocity[0], u, rtol=1e-8)
    np.testing.assert_allclose(nf.stokes(X, stresslet=(Q, N), **how).velocity[0], v, rtol=1e-8)
    combined = nf.stokes(X, stokeslet=F, stresslet=(Q, N), **how)
    np.testing.assert_allclose(combined.velocity[0], np.add(u, v), rtol=1e-8)


def test_direct_is_golden():
    u, v, phi, gradient = GOLDEN["none"]
    np.testing.assert_allclose(nf.direct("stokeslet", X, F)[0], u, rtol=1e-11)
    np.testing.assert_allclose(nf.direct("stresslet", X, (Q, N))[0], v, rtol=1e-11)
    both = nf.direct("laplace", X, CHARGES, outputs=("potential", "gradient"))
    np.testing.assert_allclose([both.potential[0], *both.gradient[0]], [phi, *gradient], rtol=1e-11)


def test_what_follows_from_a_flow():
    """Of a force: sigma = -6 r r (r.f) / r^5, and curl u = 2 f x r / r^3 (docs/conventions.md)."""
    f, r = np.array([[0.3, -0.5, 0.2]]), np.array([[0.4, 0.1, -0.7]])
    out = nf.direct("stokeslet", np.zeros((1, 3)), f, r, outputs=("velocity", "pressure", "gradient"))
    size = np.linalg.norm(r)
    sigma = -6 * np.einsum("ni,nj,nk,nk->nij", r, r, r, f) / size**5
    np.testing.assert_allclose(nf.flow.stress(out.pressure, out.gradient), sigma.reshape(1, 9), rtol=1e-13)
    normal = np.array([[0.0, 0.6, 0.8]])
    np.testing.assert_allclose(nf.flow.traction(out.pressure, out.gradient, normal), np.einsum("nij,nj->ni", sigma, normal),
                               rtol=1e-13)
    np.testing.assert_allclose(nf.flow.vorticity(out.gradient), 2 * np.cross(f, r) / size**3, rtol=1e-13)
    strain = nf.flow.strain_rate(out.gradient)
    np.testing.assert_allclose(2 * strain - out.pressure[..., None] * np.eye(3).reshape(9), sigma.reshape(1, 9), atol=1e-13)


@pytest.mark.parametrize("pbc", ("none", "xy"))
def test_flows_have_pressure_and_gradient(pbc):
    names = ("velocity", "pressure", "gradient")
    out = nf.stokes(X, stokeslet=F, stresslet=(Q, N), outputs=names, cell=1, pbc=pbc, tolerance=1e-10)
    assert out.pressure.shape == (len(X),) and out.gradient.shape == (len(X), 9)
    two = nf.stokes(X, stokeslet=F, stresslet=(Q, N), outputs=names[:2], cell=1, pbc=pbc, tolerance=1e-10)
    np.testing.assert_allclose(two.pressure, out.pressure, rtol=1e-7)
    trace = out.gradient.reshape(-1, 3, 3).trace(axis1=1, axis2=2)
    assert abs(trace).max() < 1e-8 * abs(out.gradient).max()
    if pbc == "none":
        exact = nf.direct("stokes", X, (F, Q, N), outputs=names)
        for name in names:
            np.testing.assert_allclose(getattr(out, name), getattr(exact, name), rtol=1e-7)


def test_one_call(salt):
    ions, charges = salt
    out = nf.laplace(ions, charges, cell=2, pbc=True, tolerance=1e-9, outputs=("potential", "gradient"))
    np.testing.assert_allclose(out.potential, -MADELUNG * charges, rtol=1e-8)
    assert abs(out.gradient).max() < 1e-7
    assert out.energy == pytest.approx(-4 * MADELUNG, rel=1e-8)
    assert out.velocity is None
    assert out.report["tasks"] > 5 and out.report["stages"]["p2g"]["tasks"] > 0
    assert out.parameters["estimated_error"] <= 1e-9


def test_every_call_together():
    """A program that uses all there is: one call, plans, points that move, solves in flight, and the transposed sum."""
    numbers = np.random.default_rng(8)
    x, f, q, n, t = (numbers.random((60, 3)) for _ in range(5))
    out = nf.stokes(x, stokeslet=f, stresslet=(q, n), targets=t, cell=1, pbc="xy", tolerance=1e-8)
    assert out.velocity.shape == (60, 3) and out.energy is None and out.report["tasks"] > 0
    plan = nf.Ewald("stokes", cell=1, pbc=True, tolerance=1e-6, outputs=("velocity",), dtype="float64")
    points = plan.set_points(x, targets=None, adjoint=True)
    points = plan.move_points(points, x + 1e-3)
    u = plan.execute(points, (f, q, n), out=None)
    job = plan.submit(points, (f, q, n), out=np.empty_like(u), stream=None)
    assert np.array_equal(job.wait(), u) and job.ready() and job.report()["workers"] > 0

    async def awaited():
        return await plan.submit(points, (f, q, n))

    assert np.array_equal(asyncio.run(awaited()), u)
    back = plan.execute_adjoint(points, u)
    products = np.einsum("nl,nm->nlm", q, n).reshape(60, 9)
    assert (back.stokeslet * f).sum() + (back.stresslet * products).sum() == pytest.approx((u * u).sum(), rel=1e-5)


def test_virial(salt, cloud):
    ions, charges = salt
    how = {"tolerance": 1e-9, "outputs": ("potential", "gradient"), "virial": True}
    out = nf.laplace(ions, charges, cell=2, pbc=True, **how)
    np.testing.assert_allclose(out.virial, 3 * [-4 * MADELUNG / 3] + 3 * [0], atol=1e-7)
    x, q = cloud[0], cloud[1][:, 0].copy()
    for method in ("fmm", "ewald"):
        out = nf.laplace(x, q, method=method, **how)
        force = -q[:, None] * out.gradient
        full = force.T @ x
        np.testing.assert_allclose(out.virial, [full[a, b] for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))],
                                   rtol=1e-7, atol=1e-7 * abs(full).max())
        assert sum(out.virial[:3]) == pytest.approx(out.energy, rel=1e-6)
        assert out.energy == pytest.approx(0.5 * (q * out.potential).sum(), rel=1e-12)
    assert nf.laplace(x, q, tolerance=1e-4).virial is None
    with pytest.raises(ValueError, match="outputs potential,gradient"):
        nf.laplace(x, q, virial=True)
    with pytest.raises(ValueError, match="use kernel laplace"):
        nf.Ewald("stokeslet", cell=1, virial=True)
    out = nf.laplace(ions, charges, cell=2, pbc=True, method="fmm", **how)
    np.testing.assert_allclose(out.virial, 3 * [-4 * MADELUNG / 3] + 3 * [0], atol=1e-7)


def test_fmm(cloud):
    x, f = cloud
    plan = nf.Fmm("stokeslet", tolerance=1e-5)
    targets = x[:40] + 0.01
    points = plan.set_points(x, targets)
    assert (points.sources, points.targets) == (300, 40)
    assert relative(plan.execute(points, f), nf.direct("stokeslet", x, f, targets)) < 1e-5
    moved = plan.move_points(points, x + 1e-3, targets + 1e-3)
    assert relative(plan.execute(moved, f), nf.direct("stokeslet", x, f, targets)) < 1e-5
    assert plan.parameters["order"] > 1


def test_plans_for_several_vectors():
    one, four = (nf.Ewald("stokeslet", cell=1, count=100000, vectors=k).parameters["cutoff"] for k in (1, 4))
    assert four > one  # their pairs cost less each
    with pytest.raises(ValueError, match="vectors is -2"):
        nf.Ewald("stokeslet", cell=1, vectors=-2)


def test_several_vectors_at_once(cloud):
    x, f = cloud
    plan = nf.Fmm("laplace", tolerance=1e-5, outputs=("potential", "gradient"))
    points = plan.set_points(x)
    phi, gradient = plan.execute(points, np.ascontiguousarray(f))  # three vectors of charges
    assert phi.shape == (300, 3) and gradient.shape == (300, 3, 3)
    for k in range(3):
        alone = nf.direct("laplace", x, np.ascontiguousarray(f[:, k]), outputs=("potential", "gradient"))
        assert relative(phi[:, k], alone.potential) < 1e-5
        assert relative(gradient[:, k], alone.gradient) < 1e-5
    stokes = nf.Fmm("stokeslet", tolerance=1e-5)
    two = stokes.execute(stokes.set_points(x), np.stack([f, 2 * f], axis=1))
    assert two.shape == (300, 2, 3)
    assert relative(two[:, 1], 2 * two[:, 0]) < 1e-12


@pytest.mark.parametrize("method", [nf.Ewald, nf.Fmm])
def test_several_vectors_in_tuples_of_arrays(cloud, method):
    x, f = cloud
    q, p = np.ascontiguousarray(f[:, :2]), np.stack([f, f[::-1] - 1], axis=1)  # two vectors of charges and dipoles
    plan = method("charge-dipole", pbc=False, tolerance=1e-6, outputs=("potential", "gradient"))
    points = plan.set_points(x)
    out = np.empty((300, 2)), np.empty((300, 2, 3))
    for phi, gradient in plan.execute(points, (q, p)), plan.execute(points, (q, p), out=out), out:
        for k in range(2):
            alone = plan.execute(points, (q[:, k].copy(), p[:, k].copy()))
            assert relative(phi[:, k], alone.potential) < 1e-12
            assert relative(gradient[:, k], alone.gradient) < 1e-12
    with pytest.raises(ValueError, match=r"strengths\[0\] has shape \(300,\), but strengths\[1\] has 2 vectors"):
        plan.execute(points, (q[:, 0].copy(), p))


def test_strengths_in_columns_in_one_call(cloud):
    x, f = cloud
    q, n = f[::-1].copy(), f[:, ::-1].copy()
    expected = nf.stokes(x, stokeslet=f, stresslet=(q, n)).velocity
    assert np.array_equal(nf.stokes(x, stokeslet=tuple(f.T), stresslet=(tuple(q.T), n)).velocity, expected)
    expected = nf.laplace(x, f[:, 0], dipoles=q).potential
    assert np.array_equal(nf.laplace(x, f[:, 0], dipoles=tuple(q.T)).potential, expected)


def test_moved_points_have_the_bits_of_new_ones(cloud, stokeslet_plan):
    x, f = cloud
    plan = stokeslet_plan
    before = plan.set_points(x)
    x1 = (x + 0.01) % 1
    moved = plan.execute(plan.move_points(before, x1), f)
    assert np.array_equal(moved, plan.execute(plan.set_points(x1), f))


def test_parts_add_up(cloud, stokeslet_plan):
    x, f = cloud
    points = stokeslet_plan.set_points(x)
    near, far = (stokeslet_plan.execute(points, f, part=part) for part in ("near", "far"))
    np.testing.assert_allclose(near + far, stokeslet_plan.execute(points, f), rtol=1e-9, atol=1e-9)


def test_transposed_sum(cloud):
    x, f = cloud
    targets = (x[:70] + 0.37) % 1
    g = f[:70]
    for kernel, strengths, ubar in (("stokeslet", f, g), ("laplace", f[:, 0].copy(), g[:, 0].copy())):
        plan = nf.Ewald(kernel, cell=1, tolerance=1e-9)
        points = plan.set_points(x, targets, adjoint=True)
        u = plan.execute(points, strengths)
        back = plan.execute_adjoint(points, ubar)
        assert back.shape == strengths.shape
        assert np.vdot(u, ubar) == pytest.approx(np.vdot(strengths, back), rel=1e-8)
        own = plan.set_points(x)
        assert np.array_equal(plan.execute_adjoint(own, strengths), plan.execute(own, strengths))
        with pytest.raises(ValueError, match="adjoint=True"):
            plan.execute_adjoint(plan.set_points(x, targets), ubar)
    with pytest.raises(ValueError, match="adjoint=True"):
        stresslet = nf.Ewald("stresslet", cell=1)
        stresslet.execute_adjoint(stresslet.set_points(x), (f, f))


def test_single_precision(cloud):
    x, f = (array.astype("float32") for array in cloud)
    out = nf.stokes(x, stokeslet=f, tolerance=1e-4)
    assert out.velocity.dtype == np.float32
    assert relative(out.velocity, nf.direct("stokeslet", x.astype(float), f.astype(float))) < 1e-4
    assert nf.direct("stokeslet", x, f).dtype == np.float32
