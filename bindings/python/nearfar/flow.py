# SPDX-License-Identifier: BSD-3-Clause
"""What follows from the outputs "pressure" and "gradient" of a flow, in their scale: of stokes(), Ewald, Fmm and direct().

Pressures and stresses are 8 pi times, velocities and their gradients 8 pi mu times those in physical units, so the stress of
the results over 8 pi is that of the fluid, whatever its viscosity mu. The formulas are those of docs/conventions.md.

gradient: (..., 9), du_j/dx_m in column 3 j + m. pressure: (...). normal: (..., 3), unit vectors. Arrays of any library whose
arrays have Python's operators; results are of the same.
"""

from typing import Any

from . import _arrays
from ._types import Array


def stress(pressure: Array, gradient: Array) -> Any:
    """sigma = -p I + L + L^T, symmetric, of shape (..., 9)."""
    return _stacked([gradient[..., 3 * j + m] + gradient[..., 3 * m + j] - (pressure if j == m else 0)
                     for j in range(3) for m in range(3)])


def traction(pressure: Array, gradient: Array, normal: Array) -> Any:
    """sigma n, of shape (..., 3): the force per area that the fluid to which the normal points exerts on the other side."""
    sigma = stress(pressure, gradient)
    return _stacked([sum(sigma[..., 3 * j + m] * normal[..., m] for m in range(3)) for j in range(3)])


def strain_rate(gradient: Array) -> Any:
    """(L + L^T) / 2, symmetric, of shape (..., 9)."""
    return _stacked([(gradient[..., 3 * j + m] + gradient[..., 3 * m + j]) / 2 for j in range(3) for m in range(3)])


def vorticity(gradient: Array) -> Any:
    """curl u, of shape (..., 3); a small sphere in the flow turns with half of it."""
    return _stacked([gradient[..., i] - gradient[..., k] for i, k in ((7, 5), (2, 6), (3, 1))])


def _stacked(columns):
    return _arrays.module_of(columns[0]).stack(columns, axis=-1)
