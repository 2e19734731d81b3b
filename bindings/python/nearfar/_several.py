# SPDX-License-Identifier: BSD-3-Clause
"""Rows in several arrays, one after the other."""

from . import _arrays, _native
from ._arrays import Arrays
from ._columns import written
from ._outputs import named

__all__ = ["Arrays", "columns_of", "results_for"]


def columns_of(value, name: str, check) -> "list[_native.Columns]":
    """Columns of each array, as check(array, name) makes them; one array is one of one."""
    if not isinstance(value, Arrays):
        return [check(value, name)]
    if not value:
        raise ValueError(f"{name} is an empty nearfar.Arrays; pass one array at least, which may have no rows")
    for k, array in enumerate(value):
        if isinstance(array, tuple):
            raise TypeError(f"{name}[{k}] is a tuple of arrays, but where rows lie in several arrays each has whole rows; stack "
                            "its columns")
    return [check(array, f"{name}[{k}]") for k, array in enumerate(value)]


def results_for(strengths, out, cut: list[int], outputs, vectors: int, several: bool, precision: int):
    """Columns to write for targets that came in arrays of so many rows, and what makes the caller's result of them.

    Without `out`, the result of target array k is on the device of the k-th array of strengths.
    """
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
    each = columns_of(out, "out", lambda array, name: written(array, name, precision, None, outputs, vectors, several))
    into = [columns for columns, _ in each]
    if sum(columns.rows for columns in into) != sum(cut):
        raise ValueError(f"out has {sum(columns.rows for columns in into)} rows, but there are {sum(cut)} targets; pass a row "
                         "for each")
    results = lambda: Arrays(result() for _, result in each)
    return into, results if isinstance(out, Arrays) else lambda: results()[0]
