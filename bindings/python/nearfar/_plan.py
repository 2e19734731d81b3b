# SPDX-License-Identifier: BSD-3-Clause
"""What plans of Ewald sums and of multipole sums have in common: points and solves."""

from . import _arrays, _native
from ._job import Job, finished
from ._names import KERNELS, PARTS, PRECISIONS, number, options, periodicity, shape
from ._names import precision as precision_of
from ._outputs import COLUMNS, Field, Outputs, named


class Points:
    """Sources and targets, binned by a plan; good as long as they do not move.

    sources, targets: how many there are; under mpirun, how many this rank has given.
    """

    __slots__ = ("_native", "_swapped", "same", "sources", "targets")

    def __init__(self, native, swapped, sources: int, targets: int | None):
        self._native = native
        self._swapped = swapped
        self.same = targets is None  # the targets are the sources
        self.sources = sources
        self.targets = sources if targets is None else targets

    def __repr__(self):
        return f"Points({self.sources} sources, {self.targets} targets)"


class Plan:
    """The common part of Ewald and Fmm."""

    _any_cell = False  # or only boxes

    def __init__(self, kernel: str, outputs, dtype, tolerance: float):
        self._kernel = number(kernel, KERNELS, "kernel")
        self._outputs = Outputs(kernel, outputs)
        self._precision = precision_of(dtype)
        self.kernel = kernel
        self.outputs = self._outputs.names
        self.dtype = PRECISIONS[self._precision]
        self.tolerance = tolerance
        self._native = None  # made by the method

    def _options(self, cell, pbc, further, known) -> dict:
        """The options of the C API: those that all plans have, and of the `further` ones those that this kind knows."""
        periodic = periodicity(pbc)
        of_cell = shape(cell, periodic)
        if "cell" in of_cell and not self._any_cell:
            raise ValueError("cell has rows that are not along the axes, but this method's boxes are rectangular; use "
                             "Ewald sums, which take any cell")
        return options(further, known) | dict(
            precision=self._precision, kernel=self._kernel, outputs=self._outputs.flags, periodicity=periodic,
            tolerance=self.tolerance, **of_cell)

    @property
    def estimated_error(self) -> float:
        """The relative l2 error that the plan expects. Raises ValueError before points are set, unless `count` is."""
        return self._native.estimated_error

    def set_points(self, sources, targets=None, *, adjoint: bool = False) -> Points:
        """Bins positions, which are copied.

        sources, targets: arrays of shape (N, 3) of the plan's dtype, of any strides, or tuples (x, y, z) of arrays;
        pass a["field"] of structured arrays, and x.T of arrays of shape (3, N). Without targets these are the sources.
        adjoint: also prepare execute_adjoint for targets that are not the sources.
        """
        return self._place(None, sources, targets, adjoint)

    def move_points(self, before: Points, sources, targets=None) -> Points:
        """Points that have moved, as many as `before` and in the same order, which is faster than set_points."""
        return self._place(before, sources, targets, before._swapped is not None)

    def _place(self, before, sources, targets, adjoint):
        x = _arrays.positions(sources, "sources", self._precision)
        t = None if targets is None else _arrays.positions(targets, "targets", self._precision)
        old = None if before is None else before._native
        points = _native.place(self._native, old, x, t)
        swapped = None
        if adjoint and t is not None:
            self._expect_symmetric()
            swapped = _native.place(self._native, None if before is None else before._swapped, t, x)
        return Points(points, swapped, x.rows, None if t is None else t.rows)

    def execute(self, points: Points, strengths, out=None, *, part: str = "whole", stream: int | None = None,
                progress=None):
        """The sum at the targets: submit and wait.

        points: of set_points or move_points of this plan.
        strengths: an array of the plan's dtype with a row for each source, or a tuple of arrays whose columns stand
        side by side. Stokeslet: force (N, 3). Stresslet: (q, n), each (N, 3). Stokes: (f, q, n). Laplace: charges (N,).
        Several vectors go through at once: (N, K) charges, (N, K, 3) forces.
        out: arrays to write, in place: one of shape (M,) or (M, columns), or a tuple with one for each output.
        part: "near" or "far" for one part of an Ewald sum.
        stream: address of a CUDA or HIP stream; the solve begins after the work that is on it.
        progress: a function that is called with the fraction of the solve that is done (Job.on_progress).

        Returns an array of shape (M,) or (M, 3), or a Field of several, in the library and on the device of strengths.
        Raises TypeError or ValueError for arrays that do not fit, and ValueError for strengths that are not finite.
        """
        return finished(self.submit(points, strengths, out, part=part, stream=stream), progress)

    def submit(self, points: Points, strengths, out=None, *, part: str = "whole", stream: int | None = None) -> Job:
        """Submits the sum of execute, and returns at once. Many solves may be in flight."""
        return self._submit(points._native, points.sources, points.targets, strengths, out, part, stream)

    def execute_adjoint(self, points: Points, strengths, out=None, *, stream: int | None = None, progress=None):
        """The transposed sum: from numbers at the targets to numbers at the sources.

        For kernels that are their own transpose: laplace with the potential, stokeslet with the velocity. Shapes are
        those of execute, with sources and targets exchanged. Points with targets of their own need
        set_points(..., adjoint=True).
        """
        self._expect_symmetric()
        if points.same:
            return self.execute(points, strengths, out, stream=stream, progress=progress)
        if points._swapped is None:
            raise ValueError("points have targets of their own and were not prepared for the transposed sum; call "
                             "set_points(sources, targets, adjoint=True)")
        swapped = points._swapped
        job = self._submit(swapped, points.targets, points.sources, strengths, out, "whole", stream)
        return finished(job, progress)

    def _expect_symmetric(self):
        if (self.kernel, self.outputs) in (("laplace", ("potential",)), ("stokeslet", ("velocity",))):
            return
        raise ValueError(f"kernel {self.kernel!r} with outputs {self.outputs} has no transposed sum here; there is one "
                         "for laplace with the potential alone, and for stokeslet with the velocity")

    def _submit(self, points, sources, targets, strengths, out, part, stream):
        given = _arrays.columns(strengths, "strengths", self._precision)
        outputs = self._outputs
        if given.rows != sources:
            raise ValueError(f"strengths has shape {given.shape}, but there are {sources} sources; pass a row for each")
        vectors, rest = divmod(given.count, outputs.strengths)
        if rest or vectors == 0:
            raise ValueError(f"strengths has shape {given.shape} and so {given.count} numbers per source, but kernel "
                             f"{self.kernel!r} has {outputs.strengths}; pass a row of {outputs.strengths} for each "
                             "source")
        count = vectors * outputs.columns
        several = vectors > 1 or given.dimensions == (3 if outputs.strengths > 1 else 2)
        if out is None:
            shape = (targets,) + ((vectors,) if several else ()) + ((outputs.columns,) if outputs.columns > 1 else ())
            array = _arrays.empty_like(strengths, shape, self._precision)
            result = lambda: named(outputs, _arrays.delivered(array, strengths), several)
            into = _native.Columns(array, "out", self._precision, True)
        else:
            array, result = out, out
            if not isinstance(out, tuple):
                result = lambda: named(outputs, out, several)
            elif len(outputs.names) > 1:
                result = lambda: self._field(out)
            into = _arrays.outputs(out, "out", self._precision, targets, count)
        if stream is None:
            stream = given.stream if given.stream is not None else into.stream
        return Job(_native.submit(self._native, points, given, into, number(part, PARTS, "part"), stream), result)

    def _field(self, out):
        widths = [COLUMNS[name] for name in self.outputs]
        shapes = [1 if len(a.shape) == 1 else a.shape[-1] for a in out]
        return Field(self.outputs, out) if widths == shapes else out
