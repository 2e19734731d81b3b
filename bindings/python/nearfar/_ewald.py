# SPDX-License-Identifier: BSD-3-Clause
"""Plans of Ewald sums."""

from typing import Any

from . import _native
from ._kernels import PERIODICITIES
from ._names import PLAN_OPTIONS, rows_of, shape
from ._plan import Plan, Points, native
from ._types import Cell, Dtype, Names, Periods


class Ewald(Plan):
    """Sums over particles and their periodic images, by a fast Ewald sum.

    kernel: "laplace", "stokeslet", "stresslet", "stokes" (both), "rotlet", "doublet" (force
        dipoles, nine numbers by rows), "dipole", "charge-dipole" or "yukawa" (charges whose potential is exp(-screening r) / r).
    cell: the edges of the box [0, Lx) x [0, Ly) x [0, Lz): one number or three; or the rows of a cell of any shape, a
        3 x 3 matrix. Along free directions it must hold all points, and rows are along their axes, normal to the
        others; 0 there, or None without periods, follows the points.
    pbc: True, False, the periodic directions as in "xz", or three booleans.
    tolerance: relative l2 error over the targets, 0.5 to 1e-12 (float32: to 1e-5). All parameters follow from it. None
        stands for 1e-6 (float32: 1e-4).
    outputs: names among "potential", "gradient", "hessian" (xx, xy, xz, yy, yz, zz); of flows "velocity", "pressure",
        "gradient" (of the velocity: du_j/dx_m in column 3 j + m); None for the first that the kernel has.
    screening: of "yukawa", which needs it: above 0, in one over the unit of length.
    virial: True for the virial in Job.report(), beside the energy: (xx, yy, zz, xy, xz, yz) of minus the derivative of
        the energy by strain; laplace and yukawa with outputs ("potential", "gradient"), dipole and charge-dipole
        with "hessian" too, without targets.
    dtype: "float64" or "float32", of all arrays.
    tolerance_of: "parts" (the default) holds the tolerance for the far part by itself, too; "whole" for the sum alone,
        which makes later solves of a plan cheaper where the near part outweighs the far one (docs/ewald.md).
    vectors: how many vectors of strengths are summed at once, as a rule (1). Any number may be, but the best cutoff of
        several is longer.
    Further options, which the plan chooses otherwise: count, split, window, zero_mode, gauge_length, near_precision,
        far_precision, influence, implementation, cutoff, split_parameter, grid, window_points (docs/ewald.md).

    Raises ValueError for options that do not fit, saying what would be right, and TypeError for unknown ones.
    """

    def __init__(self, kernel: str = "stokeslet", *, cell: Cell = None, pbc: Periods = True, tolerance: float | None = None,
                 outputs: Names = None, dtype: Dtype = "float64", **further: Any) -> None:
        super().__init__(kernel, cell, pbc, tolerance, outputs, dtype, further, PLAN_OPTIONS["nf.Ewald"],
                         _native.make_ewald)

    def set_cell(self, cell: Cell, points: Points | None = None) -> Points | None:
        """Another cell, from now on, for points that are set or moved later; those set before keep theirs.

        cell: as for the plan. What stays valid is kept as long as the tolerance is met, so that steps of a sheared
        suspension or a strained crystal need no new plans. Rows of the same lattice give the same bits.
        points: are also put into that cell and returned, at their Cartesian coordinates; those that were outside of the
        cell in which they were set count as their images in it. To move points with the cell, use move_points after
        set_cell(cell).
        For the transposed sum of a double layer with zero_mode "zero-face-flux" they have to be set anew.

        Raises ValueError for cells that the plan would not take.
        """
        rows = rows_of(**shape(cell, PERIODICITIES.index("xyz")))
        after = _native.set_cell(self._native, sum(rows, ()), None if points is None else native(points, "points"))
        self._how["cell"] = rows
        # Those of zero_face_flux go with positions in the old cell.
        ready = points._swapped if points is not None and points._flux is None else None
        transpose, self._transpose = self._transpose, None  # plans that cannot follow are made anew
        swapped = None if transpose is None else transpose.set_cell(self, rows, ready)
        self._transpose = transpose
        if points is None:
            return None
        return Points(after, swapped, points.sources, None if points.same else points.targets, points._cut)

    @property
    def parameters(self) -> dict[str, Any]:
        """What the plan chose: cutoff, grid, window_points, estimated_error, predicted times, and so on."""
        return self._native.ewald_parameters
