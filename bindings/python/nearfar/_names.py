# SPDX-License-Identifier: BSD-3-Clause
"""Names and shapes of options, and the numbers that stand for them in the C API."""

import difflib
import operator
from numbers import Real

from ._kernels import PERIODICITIES

#: Options of plans beside kernel, cell, pbc, tolerance, outputs and dtype.
PLAN_OPTIONS = {
    "nf.Ewald": ("count", "tolerance_of", "split", "window", "implementation", "zero_mode", "gauge_length", "screening",
                 "near_precision", "far_precision", "influence", "cutoff", "split_parameter", "grid", "window_points",
                 "virial", "vectors"),
    "nf.Fmm": ("count", "boundary", "near_precision", "implementation", "order", "depth", "capacity", "well_separation",
               "virial", "softening"),
}
PARTS = ("whole", "near", "far")
PRECISIONS = ("float64", "float32")
OPTIONS = {
    "split": ("pswf", "gaussian"),
    "window": ("kaiser-bessel", "pswf", "gaussian"),
    "implementation": ("tuned", "portable", "any", "source-ordered", "hybrid", "grid-ordered", "target-ordered",
                       "global-1d", "shared-1d", "global-2d", "shared-2d"),
    "zero_mode": ("zero-face-flux", "zero-mean-flow"),
    "near_precision": ("automatic", "double", "single"),
    "far_precision": ("automatic", "double", "single"),
    "influence": ("automatic", "direct", "table"),
    "tolerance_of": ("parts", "whole"),
    "boundary": ("tin-foil", "vacuum"),
    "method": ("hockney", "vico", "vico-dct"),
    "green": ("cell-average", "constant", "integrated"),
    "conductor": ("x-low", "x-high", "y-low", "y-high", "z-low", "z-high"),
}


def number(value, names, argument: str, possible=None) -> int:
    """The place of a name among `names`. possible: those that an error names."""
    if value in names:
        return names.index(value)
    possible = names if possible is None else possible
    near = difflib.get_close_matches(str(value), possible, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; it is one of {', '.join(map(repr, possible))}"
    raise ValueError(f"{argument} is {value!r}, which is no known name{hint}")


def precision(dtype) -> int:
    """0 for float64, 1 for float32, however a library spells them."""
    name = "float64" if dtype is float else dtype_name(dtype)
    if name in PRECISIONS:
        return PRECISIONS.index(name)
    raise ValueError(f"dtype is {dtype!r}, but sums are computed in 'float64' or 'float32'; give one of them")


def dtype_name(dtype) -> str:
    """Its name without that of the library."""
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    return name.rpartition(".")[2]


def whole(value, argument: str) -> int:
    """A whole number. Raises TypeError for what is none."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{argument} is {value!r}; pass a whole number") from None


def address(stream) -> int | None:
    """Of a stream, as given. Raises TypeError for what is no number."""
    return None if stream is None else whole(stream, "stream")


def decimal(value, argument: str) -> float:
    """A number. Raises TypeError for what is none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{argument} is {value!r}; pass a number") from None


def flags(pbc, possible=PERIODICITIES) -> list[bool]:
    """Of one flag, three, axes, or None, which directions are periodic. possible: those that an error names."""
    if isinstance(pbc, str):
        if pbc not in PERIODICITIES:
            raise ValueError(f"pbc is {pbc!r}, but periodic directions are one of {', '.join(possible)}; give one of these")
        return [axis in pbc for axis in "xyz"]
    several = hasattr(pbc, "__len__") and getattr(pbc, "ndim", 1) > 0
    given = list(pbc) if several else [False if pbc is None else pbc] * 3
    if len(given) != 3:
        raise ValueError(f"pbc has {len(given)} values, but there are three directions; give one for each")
    if any(flag not in (0, 1) for flag in given):
        raise ValueError(f"pbc is {pbc!r}; give True, False, or one boolean for each direction")
    return [bool(flag) for flag in given]


def periodicity(pbc, possible=PERIODICITIES) -> int:
    """The number of the C API that says which directions are periodic. possible: as for flags."""
    return PERIODICITIES.index("".join(axis for axis, flag in zip("xyz", flags(pbc, possible)) if flag) or "none")


def shape(cell, periodic: int, argument: str = "cell") -> dict:
    """The box of one edge, three, or a diagonal matrix of rows; of other matrices the cell."""
    if cell is None:
        if periodic:
            raise ValueError(f"{argument} is missing, but directions {PERIODICITIES[periodic]} are periodic; give the "
                             "edges of the box, or the rows of the cell")
        return {"box": (0.0, 0.0, 0.0)}
    if hasattr(cell, "tolist"):
        cell = cell.tolist()
    if isinstance(cell, Real):
        return {"box": (float(cell),) * 3}
    rows = list(cell) if hasattr(cell, "__len__") else []
    if len(rows) == 3 and all(hasattr(row, "__len__") and len(row) == 3 for row in rows):
        if any(rows[i][j] != 0 for i in range(3) for j in range(3) if i != j):
            return {"cell": tuple(decimal(number, argument) for row in rows for number in row)}
        rows = [rows[i][i] for i in range(3)]
    if len(rows) != 3 or any(hasattr(row, "__len__") for row in rows):
        raise ValueError(f"{argument} is {cell!r}; give one edge, three, or a 3 x 3 matrix of rows")
    return {"box": tuple(decimal(edge, argument) for edge in rows)}


def rows_of(box=None, cell=None) -> tuple[tuple[float, ...], ...]:
    """The rows of a cell as shape() gives it."""
    if cell is not None:
        return cell[:3], cell[3:6], cell[6:]
    x, y, z = box
    return (x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)


def options(given: dict, known: tuple[str, ...]) -> dict:
    """Options for the C API: names as numbers, those that are None left out."""
    out = {}
    for key, value in given.items():
        if key not in known:
            for plan, theirs in PLAN_OPTIONS.items():
                if key in theirs:
                    raise TypeError(f"{key!r} is an option of {plan}, but not of this one; leave it out, or use {plan}")
            names = ("kernel", "cell", "pbc", "tolerance", "outputs", "dtype", *known)
            near = [name for name in names if name.startswith(key)] or difflib.get_close_matches(key, names, 1)
            raise TypeError(f"{key!r} is no option" + (f"; did you mean {near[0]!r}?" if near else
                                                       f"; there are {', '.join(known)}"))
        if value is None:
            continue
        if key == "grid":
            sizes = value if hasattr(value, "__len__") and not isinstance(value, str) else (value,) * 3
            out[key] = tuple(whole(size, key) for size in sizes)
        else:
            out[key] = number(value, OPTIONS[key], key) if key in OPTIONS else int(value) if value is True else value
    return out
