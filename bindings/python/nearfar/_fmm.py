# SPDX-License-Identifier: BSD-3-Clause
"""Plans of fast multipole sums."""

from typing import Any

from . import _native
from ._names import PLAN_OPTIONS
from ._plan import Plan
from ._types import Cell, Dtype, Names, Periods


class Fmm(Plan):
    """Sums over particles by the fast multipole method: in free space, or charges and dipoles over all periodic images.

    kernel, outputs, dtype: as for Ewald, of all kernels but "yukawa". cell: None follows the points; periodic boxes need
        edges, which are at right angles.
    pbc: False, or True (laplace, dipole, charge-dipole).
    tolerance: relative l2 error over the targets, of each output, 0.5 to 1e-10 (float32: to 1e-5). None stands for
        1e-6 (float32: 1e-4).
    Further options: count, boundary ("tin-foil" or "vacuum", the medium around a periodic cell), near_precision,
        implementation, order, depth, capacity, well_separation (docs/fmm.md), virial as for Ewald, softening (a length,
        0 for none: the potential of charges in free space is q / sqrt(r**2 + softening**2); small beside the leaves of
        the tree).

    Rows of strengths may hold several vectors, (N, K) or (N, K, 3), which go through the tree at once.
    Raises what Ewald raises, and ValueError for kernels and cells that only Ewald sums take.
    """

    _by_multipoles = True

    def __init__(self, kernel: str = "laplace", *, cell: Cell = None, pbc: Periods = False, tolerance: float | None = None,
                 outputs: Names = None, dtype: Dtype = "float64", **further: Any) -> None:
        super().__init__(kernel, cell, pbc, tolerance, outputs, dtype, further, PLAN_OPTIONS["nf.Fmm"],
                         _native.make_fmm)

    @property
    def parameters(self) -> dict[str, Any]:
        """What the plan chose for the points set last: order, depth, boxes, pairs, estimated_error, and so on."""
        return self._native.fmm_parameters
