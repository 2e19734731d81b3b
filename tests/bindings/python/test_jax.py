# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of JAX, on CPUs."""

import numpy as np
import pytest

import nearfar as nf

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_jax(cloud, dtype):
    x, f = (jax.numpy.asarray(part, dtype) for part in cloud)
    out = nf.stokes(x, stokeslet=f, cell=1, pbc=True, tolerance=1e-4)
    assert isinstance(out.velocity, jax.Array) and out.velocity.dtype == dtype
    same = nf.stokes(np.asarray(x), stokeslet=np.asarray(f), cell=1, pbc=True, tolerance=1e-4)
    assert np.array_equal(out.velocity, same.velocity)


def test_outputs_and_energy(salt):
    ions, charges = (jax.numpy.asarray(part) for part in salt)
    out = nf.laplace(ions, charges, cell=2, pbc=True, tolerance=1e-9, outputs=("potential", "gradient"))
    assert isinstance(out.gradient, jax.Array) and out.gradient.shape == (8, 3)
    assert out.energy == pytest.approx(-4 * 1.747564594633182, rel=1e-8)


def test_immutable_as_output(cloud, stokeslet_plan):
    x, f = cloud
    with pytest.raises(ValueError, match="out is read-only"):
        stokeslet_plan.execute(stokeslet_plan.set_points(x), f, jax.numpy.zeros((300, 3)))


def test_transposed_sum(cloud):
    """Put together from several sums by functions of JAX."""
    plan = nf.Ewald("doublet", cell=1, tolerance=1e-4, outputs=("velocity", "pressure", "gradient"))
    points = plan.set_points(jax.numpy.asarray(cloud[0]), adjoint=True)
    u = np.random.default_rng(4).standard_normal((300, 13))
    back = plan.execute_adjoint(points, jax.numpy.asarray(u))
    assert isinstance(back, jax.Array) and back.shape == (300, 9)
    assert np.array_equal(back, plan.execute_adjoint(points, u))


def test_transposed_sum_with_zero_face_flux(cloud):
    """Whose positions may be of another library than its numbers."""
    plan = nf.Ewald("stokes", cell=1, tolerance=1e-4)
    x, u = cloud[0] + [2, -1, 0], np.random.default_rng(4).standard_normal((300, 3))
    expected = plan.execute_adjoint(plan.set_points(x, adjoint=True), u)
    for given, numbers in ((jax.numpy.asarray(x), jax.numpy.asarray(u)), (x, jax.numpy.asarray(u)), (jax.numpy.asarray(x), u)):
        back = plan.execute_adjoint(plan.set_points(given, adjoint=True), numbers)
        assert isinstance(back.stresslet, type(numbers))
        np.testing.assert_allclose(back.stresslet, expected.stresslet, rtol=1e-12, atol=1e-9)
