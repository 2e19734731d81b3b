# SPDX-License-Identifier: BSD-3-Clause
"""Columns side by side in tuples and in rows of several vectors: each is of the vector and the output that it seems."""

import numpy as np
import pytest
from conftest import ByDlpack, relative

import nearfar as nf

numbers = np.random.default_rng(12)
X, T = numbers.random((50, 3)), numbers.random((30, 3))
FIELD, FLOW = ("potential", "gradient"), ("velocity", "pressure", "gradient")


def plan_of(kernel, outputs=None):
    plan = nf.Fmm(kernel, outputs=outputs, tolerance=1e-3)
    return plan, plan.set_points(X, T, adjoint=True)


def rows(result):
    """As (M, columns), or (M, K, columns) of two vectors."""
    parts = result if isinstance(result, tuple) else (result,)
    several = any(part.ndim == 3 for part in parts)
    return np.concatenate([part if part.ndim == 2 + several else part[..., None] for part in parts], axis=-1)


LAYOUTS = {  # of `count` columns, and what looks at them as (M, columns)
    "an array": lambda n, count: (array := np.empty((n, count)), array),
    "every other number": lambda n, count: (array := np.empty((n, 2 * count))[:, ::2], array),
    "columns": lambda n, count: (tuple((array := np.empty((n, count))).T), array),
    "an array in a tuple": lambda n, count: ((array := np.empty((n, count)),), array),
    "a buffer": lambda n, count: (memoryview(array := np.empty((n, count))), array),
    "DLPack": lambda n, count: (ByDlpack(array := np.empty((n, count))), array),
}
TRANSPOSED = [("stokeslet", FLOW, 13, 3), ("dipole", FIELD[:1], 1, 3), ("charge-dipole", FIELD[:1], 1, 4),
              ("charge-dipole", FIELD, 4, 4), ("stresslet", FLOW[:1], 3, 9), ("stokes", FLOW, 13, 12)]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kernel, outputs, given, back", TRANSPOSED)
def test_transposed_sums_write_as_others_do(layout, kernel, outputs, given, back):
    plan, points = plan_of(kernel, outputs)
    u = numbers.standard_normal((30, given) if given > 1 else 30)
    expected = rows(plan.execute_adjoint(points, u))
    out, seen = LAYOUTS[layout](50, back)
    result = plan.execute_adjoint(points, u, out)
    assert np.array_equal(seen, expected)
    assert result is out or result.names in (("charges", "dipoles"), ("stokeslet", "stresslet"))


@pytest.mark.parametrize("kernel, outputs, given, _", TRANSPOSED)
def test_transposed_sums_read_as_others_do(kernel, outputs, given, _):
    plan, points = plan_of(kernel, outputs)
    u = numbers.standard_normal((30, given) if given > 1 else 30)
    expected = rows(plan.execute_adjoint(points, u))
    columns = u.reshape(30, given).T
    for value in (tuple(columns), tuple(map(ByDlpack, columns)), (u,), memoryview(u), ByDlpack(u), u.tolist()):
        assert relative(rows(plan.execute_adjoint(points, value)), expected) < 1e-12


@pytest.mark.parametrize("wrong, words", [
    (np.empty((50, 3), int), "out is an array of int64"), (np.empty((50, 3), "f4"), "out is an array of float32"),
    (np.empty((49, 3)), "out has 49 rows"), (np.broadcast_to(np.empty(3), (50, 3)), "read-only|in one place")])
def test_transposed_sums_refuse_as_others_do(wrong, words):
    for plan, points in (plan_of("dipole"), plan_of("stokeslet", FLOW[:2])):
        u = numbers.standard_normal((30, sum(plan._outputs.widths)))
        with pytest.raises((TypeError, ValueError), match=words):
            plan.execute_adjoint(points, u, wrong)


def test_stresslets_take_columns():
    plan = nf.Ewald("stresslet", cell=1, tolerance=1e-3)  # whose flow through faces is read from them, too
    points, u = plan.set_points(X, T, adjoint=True), numbers.standard_normal((30, 3))
    assert relative(plan.execute_adjoint(points, tuple(u.T)), plan.execute_adjoint(points, u)) < 1e-12


@pytest.mark.parametrize("call", ["execute", "submit", "direct"])
def test_outputs_in_another_order(call):
    plan, points = plan_of("laplace", FIELD)
    q, phi, gradient = numbers.standard_normal(50), np.empty(30), np.empty((30, 3))
    solve = {"execute": lambda out: plan.execute(points, q, out), "submit": lambda out: plan.submit(points, q, out).wait(),
             "direct": lambda out: nf.direct("laplace", X, q, T, outputs=FIELD, out=out)}[call]
    words = r"out has arrays of shapes \(30, 3\), \(30,\), but the result has potential \(1\), gradient \(3\), in this order"
    with pytest.raises(ValueError, match=words):
        solve((gradient, phi))
    with pytest.raises(ValueError, match="in this order"):
        solve((np.empty((30, 2)), np.empty((30, 2))))
    result = solve((phi, gradient))
    assert result.potential is phi and result.gradient is gradient
    columns = tuple(np.empty(30) for _ in range(4))
    assert solve(columns) is columns and np.array_equal(rows(columns), rows(result))
    mixed = (np.empty(30), np.empty((30, 2)), np.empty(30))
    assert solve(mixed) is mixed and np.array_equal(rows(mixed), rows(result))


def test_numbers_in_another_order():
    plan, points = plan_of("charge-dipole")
    q, p = numbers.standard_normal(50), numbers.standard_normal((50, 3))
    with pytest.raises(ValueError, match=r"strengths has arrays of shapes \(50, 3\), \(50,\), but .* 1 and 3 numbers"):
        plan.execute(points, (p, q))
    assert np.array_equal(plan.execute(points, (q, *p.T)), plan.execute(points, (q, p)))
    plan, points = plan_of("stokeslet", FLOW[:2])
    u, pressure = numbers.standard_normal((30, 3)), numbers.standard_normal(30)
    with pytest.raises(ValueError, match=r"\(30,\), \(30, 3\), but the plan has outputs velocity \(3\), pressure \(1\), in this"):
        plan.execute_adjoint(points, (pressure, u))


def test_several_vectors_in_rows():
    """Of K vectors, (M, K columns) has the numbers of (M, K, columns), and is seen so in the result."""
    plan, points = plan_of("laplace", FIELD)
    q = numbers.standard_normal((50, 2))
    expected = plan.execute(points, q)
    for out in (np.empty((30, 8)), np.empty((30, 16))[:, ::2], np.empty((8, 30)).T, np.empty((30, 2, 4))):
        result = plan.execute(points, q, out)
        assert np.array_equal(result.potential, expected.potential) and np.array_equal(result.gradient, expected.gradient)
        assert np.shares_memory(result.gradient, out)
    several = plan.execute(plan.set_points(X, nf.Arrays([T[:10], T[10:]])), q, nf.Arrays([np.empty((30, 8))]))
    assert np.array_equal(several[0].potential, expected.potential)
    u = np.concatenate([expected.potential[..., None], expected.gradient], axis=-1)
    out = np.empty((50, 2))
    assert plan.execute_adjoint(points, u, out) is out and relative(out, plan.execute_adjoint(points, u)) == 0
    plan, points = plan_of("dipole")
    for layout in ("an array", "DLPack"):
        out, seen = LAYOUTS[layout](50, 6)
        plan.execute_adjoint(points, expected.potential, out)
        assert np.array_equal(seen.reshape(50, 2, 3), plan.execute_adjoint(points, expected.potential))


def test_several_vectors_in_columns():
    """Arrays of a tuple have vectors in the same place, even if none has a third one."""
    plan, points = plan_of("dipole", FIELD)
    p = numbers.standard_normal((50, 2, 3))
    expected = rows(plan.execute(points, p))
    assert np.array_equal(rows(plan.execute(points, tuple(np.moveaxis(p, 2, 0)))), expected)
    out = tuple(np.empty((30, 2)) for _ in range(4))
    assert plan.execute(points, p, out) is out and np.array_equal(np.stack(out, axis=-1), expected)
    back = plan.execute_adjoint(points, expected)
    for value in out, tuple(map(ByDlpack, out)), tuple(map(memoryview, out)):
        assert relative(plan.execute_adjoint(points, value), back) < 1e-12
    into = tuple(np.empty((50, 2)) for _ in range(3))
    assert plan.execute_adjoint(points, out, into) is into and relative(np.stack(into, axis=-1), back) < 1e-12
    apart = tuple(np.empty(50) for _ in range(6))  # the columns of one vector, then those of the next
    assert np.array_equal(rows(plan.execute(points, tuple(p.reshape(50, 6).T))), expected)
    plan.execute_adjoint(points, expected, apart)
    assert np.array_equal(np.stack(apart, axis=-1), back.reshape(50, 6))
    with pytest.raises(ValueError, match=r"strengths has 3 arrays of shape \(50, 3\), which may be 3 vectors or 3 columns of as"):
        plan.execute(points, (p[:, 0], p[:, 1], p[:, 0]))
    with pytest.raises(ValueError, match=r"out has arrays of shapes \(30, 2\), \(30, 6\), .*of shapes \(M, K\) and \(M, K, col"):
        plan.execute(points, p, (np.empty((30, 2)), np.empty((30, 6))))
    with pytest.raises(ValueError, match=r"out\[0\] has shape \(30,\), but out\[1\] has 1 vectors"):
        plan.execute(points, p[:, :1], (np.empty(30), np.empty((30, 1, 3))))
