# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

import nearfar as nf

MADELUNG = 1.747564594633182  # of rock salt, per distance of neighbours


@pytest.fixture
def salt():
    """Rock salt: the 8 ions of a box of 2, and their charges."""
    ions = np.array([[i // 4, i // 2 % 2, i % 2] for i in range(8)], float)
    return ions, 1 - 2 * (ions.sum(axis=1) % 2)


@pytest.fixture
def cloud():
    """300 points of the unit cube with three numbers each."""
    numbers = np.random.default_rng(1)
    return numbers.random((300, 3)), numbers.standard_normal((300, 3))


@pytest.fixture(scope="session")
def stokeslet_plan():
    return nf.Ewald("stokeslet", cell=1, pbc=True, tolerance=1e-6)


def relative(value, exact):
    return np.linalg.norm(np.asarray(value) - exact) / np.linalg.norm(exact)


class ByDlpack:
    """An array of a library that has nothing but __dlpack__."""

    def __init__(self, kept, old=False):
        self._kept, self._old = kept, old

    def __dlpack__(self, **how):
        if self._old and "max_version" in how:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        return self._kept.__dlpack__(**how)

    def __dlpack_device__(self):
        return self._kept.__dlpack_device__()
