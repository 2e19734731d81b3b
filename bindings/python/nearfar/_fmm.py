# SPDX-License-Identifier: BSD-3-Clause
"""Plans of fast multipole sums."""

from . import _native
from ._plan import Plan
from ._runtime import current

_OPTIONS = ("count", "boundary", "near_precision", "implementation", "order", "depth", "capacity", "well_separation",
            "virial")


class Fmm(Plan):
    """Sums over particles by the fast multipole method: in free space, or charges and dipoles over all periodic images.

    kernel, outputs, dtype: as for Ewald. cell: None follows the points; periodic boxes need edges,
        which are at right angles.
    pbc: False, or True (laplace).
    tolerance: relative l2 error over the targets, of each output, 1e-1 to 1e-10 (float32: to 1e-5).
    Further options: count, boundary ("tin-foil" or "vacuum", the medium around a periodic cell), near_precision,
        implementation, order, depth, capacity, well_separation (docs/fmm.md), virial as for Ewald.

    Rows of strengths may hold several vectors, which go through the tree at once.
    """

    def __init__(self, kernel: str = "laplace", *, cell=None, pbc=False, tolerance: float = 1e-6, outputs=None,
                 dtype="float64", **further):
        super().__init__(kernel, outputs, dtype, tolerance)
        self._native = _native.make_fmm(current(), self._options(cell, pbc, further, _OPTIONS))

    @property
    def parameters(self) -> dict:
        """What the plan chose for the points set last: order, depth, boxes, pairs, estimated_error, and so on."""
        return self._native.fmm_parameters
