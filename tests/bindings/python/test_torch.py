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
