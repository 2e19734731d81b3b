# SPDX-License-Identifier: BSD-3-Clause
"""What plans of Ewald sums and of multipole sums have in common: points and solves."""

import copy
from typing import Any

from . import _arrays, _native
from ._columns import ordered, written
from ._face_flux import FaceFlux
from ._job import Job, finished
from ._kernels import KERNELS, PERIODICITIES
from ._names import PARTS, PRECISIONS, address, number, options, periodicity, rows_of, shape
from ._names import precision as precision_of
from ._outputs import PARTS_OF, Outputs, named
from ._runtime import current
from ._several import Arrays as Several
from ._several import columns_of, results_for
from ._transpose import CARRIED, Transpose
from ._types import Arrays, Cell, Dtype, Names, Periods, Progress


class Points:
    """Sources and targets, binned by a plan; good as long as they do not move.

    sources, targets: how many there are; under mpirun, how many this rank has given.
    """

    __slots__ = ("_cut", "_flux", "_native", "_swapped", "same", "sources", "targets")

    def __init__(self, native: "_native.Points", swapped: tuple["Points", ...] | None, sources: int,
                 targets: int | None, cut: list[int] | None = None, flux: FaceFlux | None = None) -> None:
        self._cut = cut  # rows of each array of targets, if they or the sources came in several
        self._flux = flux  # of the transposed sum with zero_mode "zero-face-flux"
        self._native = native
        self._swapped = swapped  # of the transposed sum
        self.same = targets is None  # the targets are the sources
        self.sources = sources
        self.targets = sources if targets is None else targets

    def __repr__(self) -> str:
        return f"Points({self.sources} sources, {self.targets} targets)"


def native(points: Points, argument: str) -> "_native.Points":
    try:
        return points._native
    except AttributeError:
        raise TypeError(f"{argument} is a {type(points).__name__}, but a plan sums over what its set_points has returned; "
                        "call that first") from None


class Plan:
    """The common part of Ewald and Fmm."""

    _by_multipoles = False

    def __init__(self, kernel: str, cell: Cell, pbc: Periods, tolerance: float | None, outputs: Names, dtype: Dtype,
                 further: dict[str, Any], known: tuple[str, ...], make) -> None:
        """further: options of which the plan knows `known`; make: its maker among those of the module _native."""
        self._kernel = number(kernel, tuple(KERNELS), "kernel", self._kernels())
        if kernel not in self._kernels():
            raise ValueError(f"kernel is {kernel!r}, which the multipole method does not sum; use nf.Ewald, or nf.direct")
        self._outputs = Outputs(kernel, outputs)
        self._precision = precision_of(dtype)
        self.kernel = kernel
        self.outputs: tuple[str, ...] = self._outputs.names
        self.dtype: str = PRECISIONS[self._precision]
        if tolerance is None:
            tolerance = (1e-6, 1e-4)[self._precision]
        given = options(further, known)  # first: a misspelt cell is not a missing one
        possible = KERNELS[kernel].fmm_pbc if self._by_multipoles else KERNELS[kernel].pbc
        periodic = periodicity(pbc, possible)
        if PERIODICITIES[periodic] not in possible:
            raise ValueError(f"pbc is {pbc!r}, but multipoles sum kernel {kernel!r} for {' and '.join(possible)} alone; use "
                             "nf.Ewald, which takes any")
        of_cell = shape(cell, periodic)
        if "cell" in of_cell and self._by_multipoles:
            raise ValueError("cell has rows that are not along the axes, but this method's boxes are rectangular; use "
                             "Ewald sums, which take any cell")
        self._native = make(current(), given | dict(
            precision=self._precision, kernel=self._kernel, outputs=self._outputs.flags, periodicity=periodic,
            tolerance=tolerance, **of_cell))
        self.tolerance = float(tolerance)
        # For the plans of a transposed sum, which may be made when the caller's arrays have changed.
        self._how = {"cell": rows_of(**of_cell), "pbc": PERIODICITIES[periodic], "tolerance": self.tolerance,
                     "dtype": self.dtype} | {name: copy.deepcopy(further[name]) for name in CARRIED if name in further}
        self._has_flux = periodic == PERIODICITIES.index("xyz") and KERNELS[kernel].zero_mode and (
            further.get("zero_mode") in (None, "zero-face-flux"))
        self._softened = bool(further.get("softening"))
        self._transpose: Transpose | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.kernel!r}, outputs={self.outputs}, tolerance={self.tolerance}, dtype={self.dtype!r})"

    @classmethod
    def _kernels(cls) -> list[str]:
        """Those that the method sums."""
        return [name for name, known in KERNELS.items() if known.fmm_outputs or not cls._by_multipoles]

    @property
    def estimated_error(self) -> float:
        """The relative l2 error that the plan expects. Raises ValueError before points are set, unless `count` is."""
        return self._native.estimated_error

    def set_points(self, sources: Arrays, targets: Arrays | None = None, *, adjoint: bool = False) -> Points:
        """Bins positions, which are copied.

        sources, targets: arrays of shape (N, 3) of the plan's dtype, of any strides, or tuples (x, y, z) of arrays, in
        any unit of length; pass a["field"] of structured arrays, and x.T of arrays of shape (3, N). Without targets
        these are the sources.
        In nearfar.Arrays they are rows in several arrays, one after the other, such as one on each GPU.
        adjoint: also prepare execute_adjoint, which needs it for targets that are not the sources, and for kernels that
        are not their own transpose.

        Raises TypeError for arrays of another dtype, ValueError for another shape, positions that are not finite, lie
        outside of a box with free directions, or coincide.
        """
        return self._place(None, sources, targets, adjoint)

    def move_points(self, before: Points, sources: Arrays, targets: Arrays | None = None) -> Points:
        """Points that have moved, which is faster than set_points. Those before stay as they are.

        before: points of this plan. sources, targets: (N, 3), as many as before and in the same order.
        Raises what set_points raises, and ValueError for another number of points.
        """
        native(before, "before")
        return self._place(before, sources, targets, before._swapped is not None)

    def _place(self, before: Points | None, sources, targets, adjoint: bool) -> Points:
        if isinstance(sources, Several) or isinstance(targets, Several):
            return self._place_several(before, sources, targets, adjoint)
        x = _arrays.positions(sources, "sources", self._precision)
        t = None if targets is None else _arrays.positions(targets, "targets", self._precision)
        if before is not None:
            for name, rows, count in (("sources", x.rows, before.sources), ("targets", t and t.rows, before.targets)):
                if rows is not None and rows != count:
                    raise ValueError(f"{name} has {rows} rows, but there were {count} before, and moving makes no new ones; "
                                     "use set_points")
        old = None if before is None else before._native
        points = _native.place(self._native, old, x, t)
        swapped = None
        if adjoint and not (t is None and self._transposed().own):
            swapped = self._transposed().set_points(self, before and before._swapped, sources, targets)
        flux = FaceFlux(sources, targets, self.parameters["cell"]) if swapped and self._has_flux else None
        return Points(points, swapped, x.rows, None if t is None else t.rows, flux=flux)

    def _place_several(self, before: Points | None, sources, targets, adjoint: bool) -> Points:
        if adjoint:
            raise ValueError("adjoint points come in one array, but there are several (nearfar.Arrays); join them")
        check = lambda value, name: _arrays.positions(value, name, self._precision)
        x = columns_of(sources, "sources", check)
        t = None if targets is None else columns_of(targets, "targets", check)
        points = _native.place_arrays(self._native, None if before is None else before._native, x, t)
        cut = [columns.rows for columns in (x if t is None else t)]
        return Points(points, None, sum(columns.rows for columns in x), None if t is None else sum(cut), cut)

    def execute(self, points: Points, strengths: Arrays, out: Arrays | None = None, *, part: str = "whole",
                stream: int | None = None, progress: Progress = None) -> Any:
        """The sum at the targets: submit and wait.

        points: of set_points or move_points of this plan.
        strengths: an array of the plan's dtype with a row for each source, or a tuple of arrays whose columns stand
        side by side. Stokeslet: force (N, 3). Stresslet: (q, n), each (N, 3). Stokes: (f, q, n). Laplace: charges (N,).
        Several vectors go through at once: (N, K) charges, (N, K, 3) forces; arrays of a tuple have K in the same place.
        In nearfar.Arrays: rows in several arrays; results then come as such, cut as the targets were, or as out is.
        out: arrays to write, in place: one of shape (M,) or (M, columns), or a tuple with one for each output, in the
        order of plan.outputs, or one for each column; of several vectors (M, K) and (M, K, columns).
        part: "near" or "far" for one part of an Ewald sum.
        stream: address of a CUDA or HIP stream; the solve begins after the work that is on it.
        progress: a function that is called with the fraction of the solve that is done (Job.on_progress).

        Returns an array of shape (M,) or (M, columns), or a Field of several, in the library and on the device of
        strengths, in units of strength / length (potential), and so on: nothing is scaled by 4 pi or a viscosity.
        Raises TypeError or ValueError for arrays that do not fit or are in another order, and ValueError for strengths
        that are not finite.
        """
        return finished(self.submit(points, strengths, out, part=part, stream=stream), progress)

    def submit(self, points: Points, strengths: Arrays, out: Arrays | None = None, *, part: str = "whole",
               stream: int | None = None) -> Job:
        """Submits the sum of execute, and returns at once. Many solves may be in flight.

        points, strengths, out, part, stream: as for execute, of the same shapes; they belong to the job until it has
        ended. Raises what execute raises for arrays that do not fit; the rest comes from Job.wait.
        """
        known = native(points, "points")
        if points._cut is not None or isinstance(strengths, Several) or isinstance(out, Several):
            return self._submit_several(points, strengths, out, part, stream)
        return self._submit(known, points.sources, points.targets, strengths, out, part, stream)

    def execute_adjoint(self, points: Points, strengths: Arrays, out: Arrays | None = None, *,
                        stream: int | None = None, progress: Progress = None) -> Any:
        """The transposed sum: from numbers at the targets to numbers at the sources, for gradients and iterations.

        points: set with adjoint=True, unless the sources are the targets and the kernel is its own transpose (laplace,
        yukawa: potential; charge-dipole: potential and gradient; stokeslet, rotlet: velocity).
        strengths: one number for each of what execute gives: an array of (M,) or (M, columns), or a tuple with one for
        each output, or for each column. out, stream, progress: as for execute, of the shape of what is returned.

        Returns what execute takes, (N,) or (N, columns), two arrays as a Field. A double layer is linear in the products
        q_l n_m, so that what belongs to it is (N, 9), the derivative by q_l n_m in column 3 l + m: for fixed n, the
        transposed sum for q is the matrix times n.
        Raises ValueError for sums that have no transposed one (Hessians, gradients of yukawa, with several ranks a
        double layer with zero_mode "zero-face-flux"), and what execute raises.
        """
        native(points, "points")
        transposed = self._transposed()
        if points.same and transposed.own:
            return transposed.execute(self, (points,), strengths, out, stream, progress)
        if points._swapped is None:
            raise ValueError("points were not prepared for the transposed sum, which needs them exchanged; call "
                             "set_points(..., adjoint=True)")
        return transposed.execute(self, points._swapped, strengths, out, stream, progress, points._flux)

    def _transposed(self) -> Transpose:
        if self._transpose is None:
            if self._has_flux and current().ranks > 1:
                raise ValueError("zero_mode is \"zero-face-flux\", whose transposed sum is over the positions of all points, "
                                 "but each rank has its own; make the plan with zero_mode=\"zero-mean-flow\"")
            if self._softened and "gradient" in self.outputs:
                raise ValueError("softening with outputs (\"potential\", \"gradient\") has no transposed sum: that would be "
                                 "one of softened dipoles, which are no kernel; leave out the gradient, or the softening")
            how, kind = self._how, type(self)
            self._transpose = Transpose(self.kernel, self.outputs,
                                        lambda kernel, outputs: kind(kernel, outputs=outputs, **how))
        return self._transpose

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
        several = vectors > 1 or given.dimensions == (3 if outputs.strengths > 1 else 2)
        if isinstance(strengths, tuple) and (vectors > 1 or self.kernel in PARTS_OF):
            given = self._ordered(strengths, given, vectors)
        if out is None:
            shape = (targets,) + ((vectors,) if several else ()) + ((outputs.columns,) if outputs.columns > 1 else ())
            array = _arrays.empty_like(strengths, shape, self._precision)
            result = lambda: named(outputs, _arrays.delivered(array, strengths), several)
            into = _native.Columns(array, "out", self._precision, True)
        else:
            into, result = written(out, "out", self._precision, targets, outputs, vectors, several)
        if stream is None:
            stream = given.stream if given.stream is not None else into.stream
        return Job(_native.submit(self._native, points, given, into, number(part, PARTS, "part"), address(stream)), result)

    def _ordered(self, strengths: tuple, given, vectors: int):
        """Columns of the arrays of a tuple in the order that the kernel needs."""
        whole = self._outputs.strengths
        parts = PARTS_OF.get(self.kernel, (whole,))
        right = f"kernel {self.kernel!r} has {' and '.join(map(str, parts))} numbers per source, in this order; pass " + (
            "arrays of shape (N, K) for one number of K vectors, (N, K, columns) for more" if vectors > 1 else
            "an array for each, or one for each column")
        arrays, _ = ordered(strengths, "strengths", self._precision, parts, vectors, right)
        return given if arrays is strengths else _arrays.columns(arrays, "strengths", self._precision)

    def _submit_several(self, points: Points, strengths, out, part, stream) -> Job:
        given = columns_of(strengths, "strengths", lambda value, name: _arrays.columns(value, name, self._precision))
        outputs, rows = self._outputs, sum(columns.rows for columns in given)
        vectors, rest = divmod(given[0].count, outputs.strengths)
        if rows != points.sources or rest or any(columns.count != given[0].count for columns in given):
            raise ValueError(f"strengths has arrays of shapes {[columns.shape for columns in given]}, but there are "
                             f"{points.sources} sources, and kernel {self.kernel!r} has {outputs.strengths} numbers for each; "
                             "pass a row for each")
        several = vectors > 1 or given[0].dimensions == (3 if outputs.strengths > 1 else 2)
        cut = points._cut or [points.targets]
        into, result = results_for(strengths, out, cut, outputs, vectors, several, self._precision)
        if stream is None:
            stream = next((columns.stream for columns in (*given, *into) if columns.stream is not None), None)
        return Job(_native.submit_arrays(self._native, points._native, given, into, number(part, PARTS, "part"),
                                         address(stream)), result)
