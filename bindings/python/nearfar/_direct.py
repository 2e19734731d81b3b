# SPDX-License-Identifier: BSD-3-Clause
"""The sum over all pairs, by which fast sums are checked."""

from typing import Any

from . import _arrays, _native
from ._columns import written
from ._job import Job, finished
from ._kernels import KERNELS
from ._names import PRECISIONS, decimal, dtype_name, number
from ._names import precision as precision_of
from ._outputs import Outputs, named
from ._runtime import current
from ._types import Arrays, Names, Progress


def direct(kernel: str, sources: Arrays, strengths: Arrays, targets: Arrays | None = None, *, outputs: Names = None,
           screening: float = 0, softening: float = 0, out: Arrays | None = None, progress: Progress = None) -> Any:
    """The O(N M) sum in free space, in extended precision.

    kernel, outputs, screening: as for Ewald. softening: as for Fmm, of any length.
    sources, targets: (N, 3), (M, 3); without targets these are the sources, whose dtype, float64 or float32, all have.
    strengths, out, progress: as for Ewald.execute.
    Returns an array of shape (M,) or (M, 3), or a Field of several outputs; a velocity's gradient has shape (M, 9), with
    du_j/dx_m in column 3 j + m. Units are those of strengths and lengths, unscaled.
    Raises TypeError for arrays of another dtype, and ValueError for another shape, for arrays in GPU memory, and for
    numbers that are not finite.
    """
    code = number(kernel, tuple(KERNELS), "kernel")
    wanted = Outputs(kernel, outputs)
    precision = precision_like(sources)
    screening, softening = (0 if value is None else decimal(value, name)
                            for value, name in ((screening, "screening"), (softening, "softening")))
    for array, name in ((sources, "sources"), (targets, "targets"), (strengths, "strengths"), (out, "out")):
        expect_precision(array, name, precision)
    x = _arrays.positions(sources, "sources", precision)
    t = None if targets is None else _arrays.positions(targets, "targets", precision)
    given = _arrays.columns(strengths, "strengths", precision)
    if given.count != wanted.strengths:
        raise ValueError(f"strengths has {given.count} numbers per source, but kernel {kernel!r} has "
                         f"{wanted.strengths}")
    if given.rows != x.rows:
        raise ValueError(f"strengths has shape {given.shape}, but there are {x.rows} sources; pass a row for each")
    for array, name in ((x, "sources"), (t, "targets"), (given, "strengths")):
        if array is not None and array.on_gpu:
            raise ValueError(f"{name} is in GPU memory, but the direct sum is computed by CPUs; move it to the host")
    rows = x.rows if t is None else t.rows
    if out is None:
        array = _arrays.empty_like(strengths, (rows, wanted.columns) if wanted.columns > 1 else (rows,), precision)
        into = _native.Columns(array, "out", precision, True)
        result = lambda: named(wanted, _arrays.delivered(array, strengths), False)
    else:
        into, result = written(out, "out", precision, rows, wanted, 1, False)
    native = _native.submit_direct(current(), code, wanted.flags, screening, softening, x, t, given, into)
    return finished(Job(native, result), progress)


def precision_like(array) -> int:
    """The precision of an array of numbers, or of the first of several; float64 for lists."""
    first = array[0] if isinstance(array, (tuple, _arrays.Arrays)) and array else array
    dtype = getattr(first, "dtype", None)
    if dtype is None:
        return 0
    try:
        return precision_of(dtype)
    except ValueError:
        words = {"U": "text", "S": "bytes", "O": "objects"}.get(getattr(dtype, "kind", ""), dtype)
        raise TypeError(f"sources is an array of {words}, but sums are computed in float64 or float32; convert the "
                        "array") from None


def expect_precision(array, name: str, precision: int) -> None:
    """Raises TypeError for what is of the other precision, in calls that have no option for it."""
    if isinstance(array, (tuple, _arrays.Arrays)):
        for part, where in _arrays.each_of(tuple(array), name):
            expect_precision(part, where, precision)
    elif dtype_name(getattr(array, "dtype", None)) == PRECISIONS[1 - precision]:
        raise TypeError(f"{name} is an array of {PRECISIONS[1 - precision]}, but the sum is computed in "
                        f"{PRECISIONS[precision]}, the dtype of sources; convert one of them")
