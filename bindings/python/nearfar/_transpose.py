# SPDX-License-Identifier: BSD-3-Clause
"""The transposed sum of a plan: from numbers at the targets to numbers at the sources, by sums over exchanged points.

Green's functions are even in r = target - source, so that a derivative by the source is minus one by the target. A
potential of charges is therefore its own transpose, a gradient goes back as dipoles, a velocity as forces, a velocity
gradient as force dipoles, and a pressure as charges (docs/conventions.md, "Transposed sums").
"""

from . import _arrays
from ._job import finished
from ._kernels import KERNELS
from ._outputs import Field, width

#: What is its own transpose: the same plan sums over the exchanged points.
OWN = {("laplace", ("potential",)), ("charge-dipole", ("potential", "gradient")), ("yukawa", ("potential",)),
       ("stokeslet", ("velocity",)), ("rotlet", ("velocity",))}
HESSIAN = (0, 1, 2, 1, 3, 4, 2, 4, 5)  # xx, xy, ..., zz among its six columns
RESULTS = {"charge-dipole": ("charges", "dipoles"), "stokes": ("stokeslet", "stresslet")}  #: of two kinds
#: Options that also fit the plans of other kernels.
CARRIED = ("count", "tolerance_of", "split", "window", "gauge_length", "near_precision", "far_precision",
           "implementation", "boundary", "well_separation")


def is_potential(kernel: str) -> bool:
    return KERNELS[kernel].outputs[0] == "potential"


def parts_of(kernel: str, outputs: tuple[str, ...]) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
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
        self._parts = [] if self.own else parts_of(kernel, outputs)
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
            return Field(RESULTS[self._kernel], result) if self._kernel in RESULTS and isinstance(result, tuple) else result
        sums = []
        for i, (each, (_, _, names)) in enumerate(zip(self._plans, self._parts)):
            strengths = given if names == self._outputs else self._chosen(given, names[0])
            job = each.submit(points[i], strengths, stream=stream)
            sums.append(finished(job, progress and (lambda done, i=i: progress((i + done) / len(self._plans)))))
        if flux is not None:
            slopes = self._chosen(given, "gradient") if "gradient" in self._outputs else None
            flux = flux.transposed(self._chosen(given, "velocity"), slopes)
        return self._delivered(self._joined(sums, flux), out)

    def _chosen(self, given, name: str):
        """Those of the given numbers that belong to an output."""
        names = self._outputs
        if isinstance(given, tuple):
            if len(given) != len(names):
                raise ValueError(f"strengths has {len(given)} arrays, but the plan has outputs {names}; pass one array for "
                                 "each")
            return given[names.index(name)]
        if len(names) == 1:
            return given
        widths = [width(self._kernel, each) for each in names]
        place, shape = names.index(name), tuple(getattr(given, "shape", ()))
        begin, whole = sum(widths[:place]), sum(widths)
        if len(shape) not in (2, 3) or shape[-1] != whole:
            raise ValueError(f"strengths has shape {shape}, but the plan has outputs {names}; pass a tuple with an array for "
                             f"each, or one of shape (M, {whole}), or (M, K, {whole}) for several vectors")
        return given[..., begin] if widths[place] == 1 else given[..., begin:begin + widths[place]]

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

    def _delivered(self, result, out):
        names = RESULTS.get(self._kernel)
        if names is None:
            return result if out is None else _written(out, result, "out")
        if out is None:
            return Field(names, tuple(result))
        if not isinstance(out, tuple) or len(out) != 2:
            raise ValueError(f"out needs a tuple of two arrays, of {names[0]} and {names[1]}")
        return Field(names, tuple(_written(o, r, f"out[{i}]") for i, (o, r) in enumerate(zip(out, result))))


def _all(field):
    return field if isinstance(field, (tuple, list)) else (field,)


def _stacked(columns):
    """Columns side by side, by the library they are of."""
    return _arrays.module_of(columns[0]).stack(columns, axis=-1)


def _written(out, result, name):
    if tuple(out.shape) != tuple(result.shape):
        raise ValueError(f"{name} has shape {tuple(out.shape)}, but the result has {tuple(result.shape)}; pass an array of "
                         "that shape")
    out[...] = result
    return out
