# SPDX-License-Identifier: BSD-3-Clause
"""Sums by one call: plan, points and solve at once."""

from dataclasses import dataclass
from typing import Any

from . import _arrays
from ._direct import expect_precision, precision_like
from ._ewald import Ewald
from ._fmm import Fmm
from ._job import finished
from ._kernels import FLAGS
from ._names import PRECISIONS, number, periodicity
from ._several import Arrays as Several
from ._types import Array, Arrays, Cell, Names, Periods, Progress


@dataclass(frozen=True, repr=False)
class Sum:
    """The result of laplace() or stokes(): outputs that were asked for, and how they came about."""

    potential: Any = None  #: of charges, (M,)
    gradient: Any = None  #: of the potential, (M, 3); of the velocity, du_j/dx_m in column 3 j + m, (M, 9)
    hessian: Any = None  #: of the potential, (M, 6)
    velocity: Any = None  #: (M, 3)
    pressure: Any = None  #: of a flow, (M,)
    energy: float | None = None  #: half the sum of charge times potential, of one vector, where the targets are the sources
    virial: Any = None  #: (xx, yy, zz, xy, xz, yz), with virial=True
    report: dict[str, Any] | None = None  #: seconds, tasks, stages, ... as of Job.report
    parameters: dict[str, Any] | None = None  #: what the plan chose

    def __repr__(self) -> str:
        arrays = [f"{name} {_shapes(value)}" for name in FLAGS if (value := getattr(self, name)) is not None]
        energy = [] if self.energy is None else [f"energy {self.energy:.12g}"]
        error = [] if self.parameters is None else [f"estimated error {self.parameters['estimated_error']:.1e}"]
        return f"Sum({', '.join(arrays + energy + error)})"


def _shapes(value) -> str:
    """Of an array, or of each of several."""
    return ", ".join(str(tuple(array.shape)) for array in (value if isinstance(value, Several) else (value,)))


def laplace(sources: Arrays, charges: Array | None = None, *, dipoles: Array | None = None,
            screening: float | None = None, targets: Arrays | None = None, cell: Cell = None, pbc: Periods = False,
            tolerance: float | None = None, outputs: Names = ("potential",), method: str | None = None,
            progress: Progress = None, **further: Any) -> Sum:
    """Potential q / r of charges and p.r / r^3 of dipoles, its gradient and its Hessian.

    sources, targets: (N, 3), (M, 3) of float64 or float32; without targets these are the sources.
    charges: (N,), dipoles (N, 3). Give charges, dipoles or both.
    screening: lam of charges whose potential is exp(-lam r) q / r.
    cell, pbc, tolerance: as for Ewald.
    outputs: "potential", ("potential", "gradient"), or these and "hessian" (xx, xy, xz, yy, yz, zz).
    method: "ewald" or "fmm"; None takes ewald with periods and for screened charges, else fmm.
    progress: as for Ewald.execute.
    Further options: those of the plan.

    A periodic cell that is not neutral has a uniform background. Multiply by 1 / (4 pi epsilon_0) for SI units.
    Raises ValueError and TypeError as Ewald, Plan.set_points and Plan.execute do, and MemoryError where the problem does
    not fit.
    """
    if charges is None and dipoles is None:
        raise ValueError("there are no strengths; give charges, dipoles=p, or both")
    if screening is not None:
        if charges is None or dipoles is not None:
            raise ValueError("screening is given for dipoles, but only charges are screened; leave it out")
        method = "ewald" if method is None else method
        further = dict(further, screening=screening)
        kernel = "yukawa"
    else:
        kernel = "laplace" if dipoles is None else "dipole" if charges is None else "charge-dipole"
    strengths = {name: array for name, array in (("charges", charges), ("dipoles", dipoles)) if array is not None}
    return _sum(kernel, sources, strengths, targets, cell, pbc, tolerance, outputs, method, progress, further)


def stokes(sources: Arrays, *, stokeslet: Array | None = None, stresslet: tuple[Array, Array] | None = None,
           targets: Arrays | None = None, cell: Cell = None, pbc: Periods = False, tolerance: float | None = None,
           outputs: Names = ("velocity",), method: str | None = None, progress: Progress = None,
           **further: Any) -> Sum:
    """Velocity of Stokes flow: u = (I / r + r r / r^3) f of forces f, and -6 r r r / r^5 : q n of a tuple (q, n).

    stokeslet: (N, 3), stresslet a tuple of two (N, 3) arrays. Give one of them or both.
    outputs: "velocity", and perhaps "pressure" and "gradient" (du_j/dx_m in column 3 j + m).
    sources, targets, cell, pbc, tolerance, method, progress: as for laplace.
    Divide by 8 pi mu for velocities of forces in a fluid of viscosity mu, and by 8 pi for pressures.
    Raises what laplace raises.
    """
    if stresslet is not None and not (isinstance(stresslet, tuple) and len(stresslet) == 2):
        raise ValueError("stresslet needs a tuple (q, n) of two arrays with a row for each source")
    if stokeslet is None and stresslet is None:
        raise ValueError("there are no strengths; give stokeslet=f, stresslet=(q, n), or both")
    kernel = "stokeslet" if stresslet is None else "stresslet" if stokeslet is None else "stokes"
    strengths = {} if stokeslet is None else {"stokeslet": stokeslet}
    strengths.update({} if stresslet is None else {"stresslet[0]": stresslet[0], "stresslet[1]": stresslet[1]})
    return _sum(kernel, sources, strengths, targets, cell, pbc, tolerance, outputs, method, progress, further)


def _fitting(named, precision, sources):
    """Strengths as a plan takes them. Raises TypeError or ValueError by the names that they have here."""
    fitting, vectors = [], {}
    for name, array in named.items():
        if isinstance(array, Several):
            if len(named) > 1:
                raise TypeError(f"{name} has rows in several arrays (nearfar.Arrays), but of two kinds of strengths each takes "
                                "one array; join them")
            return array
        if isinstance(array, list):
            array = _arrays.copied(array, precision, name)
        fitting.extend(array if isinstance(array, tuple) else (array,))
        given, width = _arrays.columns(array, name, precision), 1 if name == "charges" else 3
        if given.rows != sources:
            raise ValueError(f"{name} has shape {given.shape}, but there are {sources} sources; pass a row for each")
        vectors[name], rest = divmod(given.count, width)
        if rest or given.count == 0:
            raise ValueError(f"{name} has shape {given.shape} and so {given.count} numbers per source, but it needs {width}; "
                             f"pass a row of {width} for each source")
        first = next(iter(vectors))
        if vectors[name] != vectors[first]:
            raise ValueError(f"{name} has {vectors[name]} vectors, but {first} has {vectors[first]}; pass as many")
    return fitting[0] if len(fitting) == 1 else tuple(fitting)


def _sum(kernel, sources, strengths, targets, cell, pbc, tolerance, outputs, method, progress, further):
    if "dtype" in further:
        raise TypeError(f"dtype is {further['dtype']!r}, but a sum by one call takes the dtype of its sources; leave it out, "
                        "and convert the arrays")
    fmm = not periodicity(pbc) if method is None else number(method, ("ewald", "fmm"), "method") == 1
    precision = precision_like(sources)
    for name, array in {"sources": sources, "targets": targets, **strengths}.items():
        expect_precision(array, name, precision)
    plan = (Fmm if fmm else Ewald)(kernel, cell=cell, pbc=pbc, tolerance=tolerance, outputs=outputs,
                                   dtype=PRECISIONS[precision], **further)
    points = plan.set_points(sources, targets)
    strengths = _fitting(strengths, precision, points.sources)
    job = plan.submit(points, strengths)
    result = finished(job, progress)
    named = {plan.outputs[0]: result} if len(plan.outputs) == 1 else dict(zip(plan.outputs, result))
    report = job.report()
    energy = report.get("energy")
    if energy is None and kernel == "laplace" and targets is None and not isinstance(strengths, Several) and (
            len(getattr(strengths, "shape", ())) == 1):
        energy = 0.5 * float((strengths * named["potential"]).sum())
    return Sum(**named, energy=energy, virial=report.get("virial"), report=report, parameters=plan.parameters)
