# SPDX-License-Identifier: BSD-3-Clause
"""Poisson's equation on a grid."""

import math
from collections.abc import Sequence
from typing import Any

from . import _arrays, _native
from ._job import Job, finished
from ._names import PRECISIONS, address, decimal, flags, options, whole
from ._names import precision as precision_of
from ._outputs import Field
from ._runtime import current
from ._types import Array, Arrays, Dtype, Periods, Progress


class Poisson:
    """-Laplace(phi) = rho on a grid of cells, each direction open or periodic.

    shape: numbers of cells (nx, ny, nz). spacing: edge of a cell, one number or three.
    pbc: directions that repeat: True for all, False for none, axes as "xz", or three booleans.
    field: also E = -grad phi. method: "vico-dct", "vico" (spectral) or "hockney" (second order).
    green: for hockney, "cell-average", "constant" or "integrated". conductor: an earthed face, "z-low" for example.
    slabs: with several ranks, each gives and gets its own planes along x (planes); otherwise rank 0 all of them.
    dtype: "float64" or "float32".

    Raises ValueError for grids, spacings and methods that do not fit, and MemoryError if tables do not fit the machine.

    A charge q far away has phi = q / (4 pi r). Densities and potentials are at the centres of cells, in C order.
    """

    def __init__(self, shape: Sequence[int], spacing: float | Sequence[float] = 1.0, pbc: Periods = False,
                 *, field: bool = False, method: str = "vico-dct", green: str | None = None,
                 conductor: str | None = None, slabs: bool = False, dtype: Dtype = "float64") -> None:
        if not hasattr(shape, "__len__") or len(shape) != 3:
            raise ValueError(f"shape is {shape!r}, but a grid has three directions; give (nx, ny, nz)")
        self.shape = tuple(whole(n, "shape") for n in shape)
        if any(abs(n) >= 2**31 for n in self.shape):
            raise ValueError(f"shape is {self.shape}, but 32 bits hold the numbers of cells; pass smaller ones")
        steps = _three(spacing, "spacing")
        periodic = flags(pbc)
        self._precision = precision_of(dtype)
        self.dtype = PRECISIONS[self._precision]
        self.field = bool(field)
        given = options({"method": method, "green": green, "conductor": conductor}, ("method", "green", "conductor"))
        given.update(precision=self._precision, grid=self.shape, periodic=[int(flag) for flag in periodic],
                     box=tuple(n * h for n, h in zip(self.shape, steps)), field=int(self.field), slabs=int(bool(slabs)))
        runtime = current()
        self._native = _native.make_poisson(runtime, given)
        self._gets = bool(slabs) or runtime.rank == 0
        first, last = self.planes
        self._own = (last - first, *self.shape[1:]) if slabs else self.shape

    def __repr__(self) -> str:
        return f"Poisson({self.shape}, field={self.field}, dtype={self.dtype!r})"

    @property
    def parameters(self) -> dict[str, Any]:
        """spacing, points of the transforms, bytes of a solve, and so on."""
        return self._native.parameters

    @property
    def planes(self) -> tuple[int, int]:
        """The planes along x, first and one past the last, whose density this rank gives."""
        first, last = self._native.planes
        return first, last

    def set_spacing(self, spacing: float | Sequence[float]) -> None:
        """Changes the spacing, the edge of a cell in units of length: one number or three; from the next solve on.

        Raises ValueError for numbers that are not above 0.
        """
        self._native.set_spacing(_three(spacing, "spacing"))

    def __call__(self, density: Array, out: Arrays | None = None, *, stream: int | None = None,
                 progress: Progress = None) -> Any:
        """Solves for a density of the plan's dtype, of its shape or in slabs of this rank's planes.

        Returns the potential, or with field a Field(potential, field) whose field has shape (nx, ny, nz, 3). Of several
        ranks without slabs, rank 0 alone gives the density and gets that; the others get None.
        out: packed arrays to write, the potential or a tuple (potential, field). stream, progress: as for
        Ewald.execute.
        Raises TypeError for another dtype, and ValueError for another shape, arrays to write that are not packed or are
        read-only, and densities that are not finite.
        """
        return finished(self.submit(density, out, stream=stream), progress)

    def submit(self, density: Array, out: Arrays | None = None, *, stream: int | None = None) -> Job:
        """Submits one solve of a density of the plan's shape, or of this rank's planes, and returns at once.

        density, out, stream: as for a call; they belong to the job until it has ended. Raises what a call raises.
        """
        given = self._block(density, "density", self._own, False)
        shapes = (self._own, (*self._own, 3)) if self.field else (self._own,)
        made = out is None
        if made:
            arrays = tuple(_arrays.empty_like(density, shape, self._precision) for shape in shapes)
        else:
            arrays = out if isinstance(out, tuple) else (out,)
        if len(arrays) != len(shapes):
            raise ValueError(f"out has {len(arrays)} arrays, but the solver gives {len(shapes)}; pass one for each")
        names = ("out[0]", "out[1]") if self.field else ("out",)
        into = [self._block(array, name, shape, True) for array, name, shape in zip(arrays, names, shapes)]
        stream = given.stream if stream is None else address(stream)
        job = _native.submit_poisson(self._native, given, into[0], into[1] if self.field else None, stream)

        def result():
            if not self._gets:
                return None
            done = tuple(_arrays.delivered(array, density) for array in arrays) if made else arrays
            return Field(("potential", "field"), done) if self.field else done[0]

        return Job(job, result)

    def _block(self, array, name, shape, writable):
        _arrays.expect_one(array, name)
        if not writable and (isinstance(array, list) or _other_order(array) and array.dtype == self.dtype):
            array = _arrays.copied(array, self._precision, name)
        return _native.Columns.block(array, name, self._precision, writable, shape)


def _other_order(array) -> bool:
    """Whether a NumPy array has not the order of C; arrays of other libraries are asked when they are read."""
    return _arrays.framework(array) == "numpy" and not array.flags.c_contiguous


def _three(value, argument):
    several = hasattr(value, "__len__") and not isinstance(value, str)
    steps = tuple(decimal(step, argument) for step in value) if several else (decimal(value, argument),) * 3
    if len(steps) != 3:
        raise ValueError(f"{argument} has {len(steps)} values; give one, or one for each direction")
    if not all(0 < step < math.inf for step in steps):
        raise ValueError(f"{argument} is {value!r}, but it is the edge of a cell; give lengths above 0")
    return steps
