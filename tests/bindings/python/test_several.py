# SPDX-License-Identifier: BSD-3-Clause
"""Rows in several arrays have the bits of one array."""

import numpy as np
import pytest

import nearfar as nf

COUNT = 600


@pytest.fixture
def particles():
    random = np.random.default_rng(1)
    return random.random((COUNT, 3)), random.standard_normal(COUNT), random.standard_normal((COUNT, 3))


def cut(array, *places):
    return nf.Arrays(np.ascontiguousarray(part) for part in np.split(array, places))


def test_charges(particles):
    x, q, _ = particles
    plan = nf.Ewald("laplace", cell=1.0, pbc=True, tolerance=1e-4, outputs=("potential", "gradient"))
    one = plan.execute(plan.set_points(x), q)
    points = plan.set_points(cut(x, 100, 100, 350))
    assert (points.sources, points.targets) == (COUNT, COUNT)
    result = plan.execute(points, cut(q, 100, 100, 350))
    assert isinstance(result, nf.Arrays)
    assert [len(part.potential) for part in result] == [100, 0, 250, 250]
    np.testing.assert_array_equal(np.concatenate([part.gradient for part in result]), one.gradient)
    out = nf.Arrays([np.empty((COUNT - 7, 4)), np.empty((7, 4))])
    moved = plan.move_points(points, x)
    again = plan.submit(moved, q, out).wait()
    np.testing.assert_array_equal(np.concatenate([part.potential for part in again]), one.potential)
    np.testing.assert_array_equal(out[0][:, 0], one.potential[:-7])


def test_several_vectors_and_own_targets(particles):
    x, _, f = particles
    plan = nf.Fmm("stokeslet", tolerance=1e-3)
    two = np.stack([f, 2 * f], axis=1)
    one = plan.execute(plan.set_points(x, x[:50] + 0.1), two)
    points = plan.set_points(cut(x, 300), cut(x[:50] + 0.1, 20))
    result = plan.execute(points, cut(two, 300))
    assert [part.shape for part in result] == [(20, 2, 3), (30, 2, 3)]
    np.testing.assert_array_equal(np.concatenate(result), one)
    np.testing.assert_array_equal(np.concatenate(plan.execute(points, two)), one)


def test_refused(particles):
    x, q, _ = particles
    plan = nf.Ewald("laplace", cell=1.0, pbc=True, tolerance=1e-4)
    points = plan.set_points(cut(x, 300))
    with pytest.raises(ValueError, match=r"strengths has arrays of shapes .*600 sources"):
        plan.execute(points, cut(q[:-1], 300))
    with pytest.raises(ValueError, match="strengths has 3 arrays, but the targets came in 2"):
        plan.execute(points, cut(q, 100, 200))
    with pytest.raises(ValueError, match=r"out has 599 rows, but there are 600 targets"):
        plan.execute(points, q, nf.Arrays([np.empty(599)]))
    with pytest.raises(ValueError, match=r"sources\[0\] is not contiguous"):
        plan.set_points(nf.Arrays([x[::2], x[1::2]]))
    with pytest.raises(ValueError, match="17 arrays"):
        plan.set_points(cut(x, *range(1, 17)))
    with pytest.raises(ValueError, match="adjoint points come in one array"):
        plan.set_points(cut(x, 300), adjoint=True)
    with pytest.raises(TypeError, match=r"strengths\[1\]"):
        plan.execute(points, nf.Arrays([q[:300], q[300:].astype(np.float32)]))


def test_in_another_cell_and_shown(particles):
    x, q, _ = particles
    plan = nf.Ewald("laplace", cell=1.0, pbc=True, tolerance=1e-4)
    points = plan.set_cell(1.1, plan.set_points(cut(x, 200)))
    result = plan.execute(points, cut(q, 200))
    assert [len(part) for part in result] == [200, 400]
    assert "(200,), (400,)" in repr(nf.laplace(cut(x, 200), cut(q, 200), cell=1.0, pbc=True))
