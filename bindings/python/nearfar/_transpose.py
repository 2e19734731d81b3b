# SPDX-License-Identifier: BSD-3-Clause
"""The transposed sum of a plan: from numbers at the targets to numbers at the sources, by sums over exchanged points.

Green's functions are even in r = target - source, so that a derivative by the source is minus one by the target. A
potential of charges is therefore its own transpose, a gradient goes back as dipoles, a velocity as forces, a velocity
gradient as force dipoles, and a pressure as charges (docs/conventions.md, "Transposed sums").
"""

from . import _arrays
from ._columns import expected, ordered, parts_of, views
from ._job import finished
from ._kernels import KERNELS
from ._outputs import Back, Field, named

#: What is its own transpose: the same plan sums over the exchanged points.
OWN = {("laplace", ("potential",)), ("charge-dipole", ("potential", "gradient")), ("yukawa", ("potential",)),
       ("stokeslet", ("velocity",)), ("rotlet", ("velocity",))}
HESSIAN = (0, 1, 2, 1, 3, 4, 2, 4, 5)  # xx, xy, ..., zz among its six columns
#: Options that also fit the plans of other kernels.
CARRIED = ("count", "tolerance_of", "split", "window", "gauge_length", "near_precision", "far_precision",
           "implementation", "boundary", "well_separation")


def is_potential(kernel: str) -> bool:
    return KERNELS[kernel].outputs[0] == "potential"


def sums_of(kernel: str, outputs: tuple[str, ...]) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Sums that make the transposed one: kernel, outputs, and which of the given numbers are its strengths."""
    if "hessian" in outputs or kernel == "yukawa":
        lacking = "screened dipoles" if kernel == "yukawa" else "quadrupoles"
        raise ValueError(f"kernel {kernel!r} with outputs {outputs} has no transposed sum: that would be one of {lacking}, "
                         "which are no kernel; leave out what is derived that often")
    if is_potential(kernel):
        wanted = ("potential",) if kernel == "laplace" else ("potential", "gradient")
        return [("laplace" if outputs == ("potential",) else "charge-dipole", wanted, outputs)]
    flow = {"stokeslet": ("velocity",), "rotlet": ("velocity", "gradient"),
            "doublet": ("velocity", "gradient")}.get(kernel, ("velocity", "pressure", "gradient"))
    parts = [("stokeslet", flow, ("velocity",))]
    if "gradient" in outputs:
        parts.append(("doublet", flow, ("gradient",)))
    if "pressure" in outputs and kernel != "rotlet":  # torques have no pressure
        slopes = ("potential", "gradient") + (() if kernel == "stokeslet" else ("hessian",))
        parts.append(("laplace", slopes, ("pressure",)))
    return parts


class Transpose:
    """The transposed sum of a plan, with plans of its own where it needs other kernels."""

    def __init__(self, kernel: str, outputs: tuple[str, ...], make):
        """make: a function of kernel and outputs that makes a plan for the same cell, tolerance and so on."""
        self._kernel, self._outputs = kernel, outputs
        self.own = (kernel, outputs) in OWN
        self._back = Back(kernel)
        self._parts = [] if self.own else sums_of(kernel, outputs)
        self._plans = [make(part, wanted) for part, wanted, _ in self._parts]

    def _plans_or(self, plan):
        return (plan,) if self.own else self._plans

    def set_points(self, plan, before, sources, targets) -> tuple:
        """Points of each plan, whose sources are the targets; targets: None if they are the sources."""
        x, t = (sources, None) if targets is None else (targets, sources)
        if before is None:
            return tuple(each.set_points(x, t) for each in self._plans_or(plan))
        return tuple(each.move_points(old, x, t) for each, old in zip(self._plans_or(plan), before))

    def set_cell(self, plan, cell, points: tuple | None) -> tuple | None:
        """The plans of other kernels in another cell, and the points of all."""
        if points is None:
            for each in self._plans:
                each.set_cell(cell)
            return None
        return tuple(each.set_cell(cell, old) for each, old in zip(self._plans_or(plan), points))

    def execute(self, plan, points: tuple, given, out, stream, progress, flux=None):
        """The numbers at the sources for numbers at the targets. flux: a FaceFlux, where the plan has such a flow."""
        if self.own:
            result = plan.execute(points[0], given, out, stream=stream, progress=progress)
            return Field(self._back.names, result) if isinstance(result, Field) else result
        fields, vectors, several = self._by_output(plan, points[0].sources, given)
        if out is not None:
            arrays, delivered, _ = expected(out, "out", plan._precision, points[0].targets, self._back, vectors, several)
        sums = []
        for i, (each, (_, _, names)) in enumerate(zip(self._plans, self._parts)):
            strengths = given if names == self._outputs else fields[names[0]]
            job = each.submit(points[i], strengths, stream=stream)
            sums.append(finished(job, progress and (lambda done, i=i: progress((i + done) / len(self._plans)))))
        if flux is not None:
            flux = flux.transposed(fields["velocity"], fields.get("gradient"))
        result = self._joined(sums, flux)
        if out is None:
            return Field(self._back.names, result) if len(self._back.names) > 1 else result
        self._write(arrays, result, several)
        return delivered()

    def _by_output(self, plan, rows: int, given):
        """The given numbers of each output: (M,) or (M, w), or of several vectors (M, K) or (M, K, w); and how many vectors
        there are, and whether they have a place of their own in the shape."""
        outputs = plan._outputs
        count = dimensions = 0
        for part, where in _arrays.each_of(given, "strengths"):
            columns = _arrays.columns(part, where, plan._precision)
            if columns.rows != rows:
                raise ValueError(f"{where} has shape {columns.shape}, but there are {rows} targets; pass a row for each")
            count, dimensions = count + columns.count, max(dimensions, columns.dimensions)
        vectors, rest = divmod(count, outputs.columns)
        if rest or vectors == 0:
            shown = f"{len(given)} arrays of {count} columns" if isinstance(given, tuple) else f"shape {columns.shape}"
            raise ValueError(f"strengths has {shown}, but the plan has outputs {parts_of(outputs, 1)}, or one array of shape "
                             f"(M, {outputs.columns}), or (M, K, {outputs.columns}) for several vectors")
        several = vectors > 1 or dimensions == (3 if outputs.columns > 1 else 2)
        if not isinstance(given, tuple):
            given = _arrays.copied(given, plan._precision) if isinstance(given, list) else _arrays.by_numpy(given)
            if several and outputs.columns > 1 and len(given.shape) == 2:
                given = given.reshape((rows, vectors, outputs.columns))
            fields = named(outputs, given, several)
        else:
            arrays, _ = ordered(given, "strengths", plan._precision, outputs.widths, vectors,
                                f"the plan has outputs {parts_of(outputs, vectors)}")
            fields = self._one_each(arrays, outputs, several)
        return dict(zip(self._outputs, _all(fields))), vectors, several

    @staticmethod
    def _one_each(arrays, outputs, several: bool):
        """Arrays of any columns as one for each output."""
        arrays = tuple(map(_arrays.by_numpy, arrays))
        if len(arrays) == len(outputs.widths) and all(
                len(array.shape) == 1 + several + (width > 1) for array, width in zip(arrays, outputs.widths)):
            return arrays
        columns = views(arrays, outputs.columns, several)
        if len(columns) > outputs.columns:  # one after the other of each vector
            columns = [_stacked(columns[k::outputs.columns]) for k in range(outputs.columns)]
        columns = iter(columns)
        return tuple(next(columns) if width == 1 else _stacked([next(columns) for _ in range(width)])
                     for width in outputs.widths)

    def _write(self, arrays, result, several: bool) -> None:
        """Into the caller's arrays, by columns."""
        columns = [column for part, width in zip(_all(result), self._back.widths)
                   for column in ([part] if width == 1 else [part[..., k] for k in range(width)])]
        into = views(arrays, self._back.columns, several)
        if len(into) > len(columns):
            columns = [column[:, k] for k in range(columns[0].shape[1]) for column in columns]
        for to, column in zip(into, columns):
            to[...] = _arrays.in_library_of(column, to).reshape(to.shape)

    def _joined(self, sums, flux):
        """Results of the parts as numbers for each strength of the plan's kernel."""
        kernel = self._kernel
        if is_potential(kernel):
            return sums[0] if kernel == "laplace" else sums[0].gradient if kernel == "dipole" else sums[0]
        phi = sums.pop() if self._parts[-1][0] == "laplace" else None
        flow = sums[0] if len(sums) == 1 else [one + other for one, other in zip(*map(_all, sums))]
        flow = _all(flow)
        force = flow[0] if phi is None else flow[0] + 2 * phi.gradient
        if kernel == "stokeslet":
            return force
        slope = flow[-1]
        if kernel == "rotlet":
            return _stacked([0.5 * (slope[..., 3 * k + j] - slope[..., 3 * j + k]) for j, k in ((1, 2), (2, 0), (0, 1))])
        if kernel == "doublet":
            return slope if phi is None else _stacked(
                [slope[..., k] + 2 * phi.hessian[..., HESSIAN[k]] for k in range(9)])
        layer = [-slope[..., 3 * j + m] - slope[..., 3 * m + j] for j in range(3) for m in range(3)]
        for k in (0, 4, 8):
            layer[k] = layer[k] + flow[1] + (0 if flux is None else flux)
        if phi is not None:
            layer = [each - 4 * phi.hessian[..., HESSIAN[k]] for k, each in enumerate(layer)]
        return _stacked(layer) if kernel == "stresslet" else (force, _stacked(layer))


def _all(field):
    return field if isinstance(field, (tuple, list)) else (field,)


def _stacked(columns):
    """Columns side by side, by the library they are of."""
    return _arrays.module_of(columns[0]).stack(columns, axis=-1)
