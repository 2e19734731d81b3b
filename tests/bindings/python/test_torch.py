# SPDX-License-Identifier: BSD-3-Clause
"""Tensors of PyTorch, on CPUs."""

import numpy as np
import pytest

import nearfar as nf

torch = pytest.importorskip("torch")


def test_torch(cloud, stokeslet_plan):
    x, f = (torch.from_numpy(part) for part in cloud)
    points = stokeslet_plan.set_points(x)
    u = stokeslet_plan.execute(points, f)
    assert isinstance(u, torch.Tensor) and u.dtype == torch.float64
    assert np.array_equal(u, stokeslet_plan.execute(points, cloud[1]))
    out = torch.empty((3, 300), dtype=torch.float64).T
    assert stokeslet_plan.execute(points, f, out) is out
    assert torch.equal(out, u)


def test_transposed_sum(cloud):
    """Put together from several sums by functions of PyTorch."""
    x = torch.from_numpy(cloud[0])
    plan = nf.Ewald("doublet", cell=1, tolerance=1e-4, outputs=("velocity", "pressure", "gradient"))
    points = plan.set_points(x, adjoint=True)
    u = np.random.default_rng(4).standard_normal((300, 13))
    back = plan.execute_adjoint(points, torch.from_numpy(u))
    assert isinstance(back, torch.Tensor) and back.shape == (300, 9)
    assert np.array_equal(back, plan.execute_adjoint(points, u))


def test_transposed_sum_with_zero_face_flux(cloud):
    """Whose positions may be of another library than its numbers."""
    plan = nf.Ewald("stokes", cell=1, tolerance=1e-4)
    x, u = cloud[0] + [2, -1, 0], np.random.default_rng(4).standard_normal((300, 3))
    expected = plan.execute_adjoint(plan.set_points(x, adjoint=True), u)
    for given, numbers in ((torch.from_numpy(x), torch.from_numpy(u)), (x, torch.from_numpy(u)), (torch.from_numpy(x), u)):
        back = plan.execute_adjoint(plan.set_points(given, adjoint=True), numbers)
        assert isinstance(back.stresslet, type(numbers))
        np.testing.assert_allclose(back.stresslet, expected.stresslet, rtol=1e-12, atol=1e-9)
