# SPDX-License-Identifier: BSD-3-Clause
"""Rows in several arrays, one after the other."""

from typing import Any

from . import _arrays, _native
from ._outputs import named


class Arrays(list[Any]):
    """Rows in several arrays, one after the other, where execute and the like take one array: nf.Arrays([x0, x1]).

    Each is contiguous, of the plan's dtype, in the memory of the host or of a GPU that a worker drives. With the points
    of each GPU in an array there, they stay there but for what crosses between the GPUs' parts of the box: GPU k of K
    has the k-th part along x (Ewald sums) or along the curve of the tree (multipole sums). Positions, strengths and
    results may be cut differently, into at most 16 arrays; under mpirun they are on the host.
    """

    __slots__ = ()


def columns_of(value, name: str, check) -> "list[_native.Columns]":
    """Columns of each array, as check(array, name) makes them; one array is one of one."""
    arrays = value if isinstance(value, Arrays) else [value]
    return [check(array, f"{name}[{k}]" if isinstance(value, Arrays) else name) for k, array in enumerate(arrays)]


def results_for(strengths, out, cut: list[int], outputs, vectors: int, several: bool, precision: int):
    """Columns to write for targets that came in arrays of so many rows, and what makes the caller's result of them.

    Without `out`, the result of target array k is on the device of the k-th array of strengths.
    """
    count = vectors * outputs.columns
    if out is None:
        like = strengths if isinstance(strengths, Arrays) else [strengths]
        if len(like) not in (1, len(cut)):
            raise ValueError(f"strengths has {len(like)} arrays, but the targets came in {len(cut)} (which tell where results "
                             "go); pass out, or strengths in as many arrays")
        shape = ((vectors,) if several else ()) + ((outputs.columns,) if outputs.columns > 1 else ())
        like = like * len(cut) if len(like) == 1 else like
        new = [_arrays.empty_like(like[k], (rows, *shape), precision) for k, rows in enumerate(cut)]
        into = [_native.Columns(array, "out", precision, True) for array in new]
        each = lambda: [named(outputs, _arrays.delivered(array, like[k]), several) for k, array in enumerate(new)]
        return into, (lambda: Arrays(each())) if len(cut) > 1 else lambda: each()[0]
    arrays = out if isinstance(out, Arrays) else [out]
    into = [_arrays.outputs(array, f"out[{k}]", precision, None, count) for k, array in enumerate(arrays)]
    if sum(columns.rows for columns in into) != sum(cut):
        raise ValueError(f"out has {sum(columns.rows for columns in into)} rows, but there are {sum(cut)} targets; pass a row "
                         "for each")
    each = lambda: [array if isinstance(array, tuple) else named(outputs, array, several) for array in arrays]
    return into, (lambda: Arrays(each())) if isinstance(out, Arrays) else lambda: each()[0]
