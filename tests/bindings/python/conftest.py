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
