# SPDX-License-Identifier: BSD-3-Clause
"""Columns of arrays, which may stand side by side in a tuple: whose vector and output each is of."""

from . import _arrays, _native
from ._outputs import Field, named


def ordered(value: tuple, name: str, precision: int, widths: tuple[int, ...], vectors: int, right: str):
    """The arrays of a tuple, those for one column of several vectors, (M, K), as (M, K, 1); and how many columns each has.

    An array has columns of one part of a vector, or whole vectors: any other stands in the wrong place. widths: of the
    parts. right: for the error, a ValueError, what would be.
    """
    shapes = [_native.Columns(part, where, precision, False).shape for part, where in _arrays.each_of(value, name)]
    whole = sum(widths)
    if vectors > 1 and len(value) == whole > 1 and all(shape[1:] == (vectors,) for shape in shapes):
        if vectors == whole:
            raise ValueError(f"{name} has {whole} arrays of shape {shapes[0]}, which may be {whole} vectors or {whole} columns "
                             f"of as many; pass one array of shape ({shapes[0][0]}, {vectors}, {whole})")
        return tuple(_arrays.by_numpy(part)[..., None] for part in value), (1,) * whole
    of_vectors = any(len(shape) == 3 for shape in shapes)
    counts = tuple(1 if len(shape) <= 1 + of_vectors else shape[-1] for shape in shapes)
    ends = [sum(widths[:i]) for i in range(1, len(widths) + 1)]
    at = 0
    for count in counts:
        if (at or count % whole) and at + count > next(end for end in ends if end > at):
            raise ValueError(f"{name} has arrays of shapes {', '.join(map(str, shapes))}, but {right}")
        at = (at + count) % whole
    return value, counts


def views(value, columns: int, several: bool) -> list:
    """Each column of an array, or of the arrays of ordered(), to read or write: (M,), or (M, K) of several vectors."""
    parts = tuple(map(_arrays.by_numpy, value if isinstance(value, tuple) else (value,)))
    if isinstance(value, tuple):
        several = any(len(part.shape) == 3 for part in parts)
    elif several and columns > 1 and len(parts[0].shape) == 2:
        parts = (parts[0].reshape((len(parts[0]), -1, columns)),)
    return [view for part in parts for view in (
        [part] if len(part.shape) <= 1 + several else [part[..., k] for k in range(part.shape[-1])])]


def expected(out, name: str, precision: int, rows: int | None, outputs, vectors: int, several: bool):
    """The caller's arrays for results, as views() takes them, what the caller gets of them, and Columns of each.

    rows: of the result; None: any. Raises TypeError or ValueError for arrays that do not fit.
    """
    each = _arrays.outputs(out, name, precision, rows, vectors * outputs.columns)
    if not isinstance(out, tuple):
        return out, (lambda: named(outputs, out, several)), each
    if vectors == 1 and len(outputs.names) == 1:
        return out, lambda: out, each
    arrays, counts = ordered(out, name, precision, outputs.widths, vectors, f"the result has {parts_of(outputs, vectors)}")
    result = Field(outputs.names, out) if counts == outputs.widths and len(out) > 1 else out
    return arrays, lambda: result, each


def written(out, name: str, precision: int, rows: int | None, outputs, vectors: int, several: bool):
    """Columns of the caller's arrays for results, and what the caller gets of them. Arguments and errors: of expected()."""
    arrays, result, each = expected(out, name, precision, rows, outputs, vectors, several)
    return _native.Columns(arrays, name, precision, True) if isinstance(arrays, tuple) else each[0], result


def parts_of(outputs, vectors: int) -> str:
    """For errors: what there is, and how to pass it."""
    shapes = ", of shapes (M, K) and (M, K, columns)" if vectors > 1 else ""
    return (", ".join(f"{part} ({width})" for part, width in zip(outputs.names, outputs.widths)) +
            f", in this order; pass an array for each, or for each column{shapes}")
