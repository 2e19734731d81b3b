# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from conftest import ByDlpack

import nearfar as nf
from nearfar import _arrays


def wave(n, length):
    k = 2 * np.pi / length
    x = (np.arange(n) + 0.5) * length / n
    return k, np.broadcast_to(np.cos(k * x)[:, None, None], (n, n, n)).copy(), np.sin(k * x)


def test_wave():
    k, density, slope = wave(16, 3.0)
    solver = nf.Poisson((16, 16, 16), 3 / 16, True, field=True)
    phi, e = solver(density)
    np.testing.assert_allclose(phi, density / k**2, atol=1e-12)
    np.testing.assert_allclose(e[:, 0, 0, 0], slope / k, atol=1e-12)
    out = (np.empty_like(phi), np.empty_like(e))
    again = solver(density, out)
    assert again.potential is out[0] and np.array_equal(out[1], e)
    solver.set_spacing(1.5 / 16)
    np.testing.assert_allclose(solver(density).potential, density / (4 * k**2), atol=1e-12)
    assert solver.parameters["spacing"] == pytest.approx((1.5 / 16,) * 3)


def test_open_box_and_layouts():
    """A charge far away has 1 / (4 pi r)."""
    solver = nf.Poisson((12, 10, 8), (0.1, 0.1, 0.1))
    density = np.zeros((12, 10, 8))
    density[5, 5, 4] = 1000  # a charge of 1
    phi = solver(density)
    assert phi[5, 5, 0] == pytest.approx(1 / (4 * np.pi * 0.4), rel=0.05)
    assert np.array_equal(solver(np.asfortranarray(density)), phi)
    assert solver.submit(density).wait().shape == (12, 10, 8)


@pytest.mark.parametrize("pbc, flags", [(True, (1, 1, 1)), (None, (0, 0, 0)), ("none", (0, 0, 0)), ("xz", (1, 0, 1)),
                                        ("y", (0, 1, 0)), ("xyz", (1, 1, 1))])
def test_words_for_periodic_directions(pbc, flags):
    density = np.random.default_rng(5).standard_normal((6, 7, 8))
    density -= density.mean()
    by_word, by_flags = (nf.Poisson(density.shape, (0.1, 0.2, 0.3), way)(density) for way in (pbc, flags))
    assert np.array_equal(by_word, by_flags)


def test_arrays_of_every_kind():
    """Lists, and arrays that have nothing but __dlpack__, give what arrays of NumPy give."""
    density = np.random.default_rng(5).standard_normal((4, 5, 6))
    solver = nf.Poisson(density.shape)
    phi = solver(density)
    before = dict(_arrays.copies)
    into = np.empty(density.shape)
    solver(ByDlpack(density), ByDlpack(into))
    assert np.array_equal(into, phi) and _arrays.copies == before
    assert np.array_equal(solver(ByDlpack(density)), phi)
    assert np.array_equal(solver(density.tolist()), phi)
    assert _arrays.copies["arrays"] == before["arrays"] + 1


def test_what_does_not_fit():
    solver = nf.Poisson((8, 8, 8), 1.0, (True, False, False))
    with pytest.raises(ValueError, match=r"density has shape \(8, 8\).*\(8, 8, 8\)"):
        solver(np.zeros((8, 8)))
    with pytest.raises(TypeError, match="float32"):
        solver(np.zeros((8, 8, 8), "float32"))
    with pytest.raises(ValueError, match="out is not packed"):
        solver(np.zeros((8, 8, 8)), np.empty((8, 8, 8), order="F"))
    with pytest.raises(ValueError, match="method is 'fft'"):
        nf.Poisson((8, 8, 8), method="fft")
    with pytest.raises(ValueError, match="not finite|nan"):
        solver(np.full((8, 8, 8), np.nan))
