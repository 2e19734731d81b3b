# SPDX-License-Identifier: BSD-3-Clause
"""Names and shapes of options, and the numbers that stand for them in the C API."""

import difflib

from ._kernels import PERIODICITIES

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
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    name = name.rpartition(".")[2]
    if name in PRECISIONS:
        return PRECISIONS.index(name)
    raise ValueError(f"dtype is {dtype!r}, but sums are computed in 'float64' or 'float32'; give one of them")


def periodicity(pbc, possible=PERIODICITIES) -> int:
    """The number of the C API that says which directions are periodic. possible: those that an error names."""
    if pbc is None or isinstance(pbc, (bool, int)):
        wanted = "xyz" if pbc else "none"
    elif isinstance(pbc, str):
        wanted = pbc
    else:
        flags = [bool(flag) for flag in pbc]
        if len(flags) != 3:
            raise ValueError(f"pbc has {len(flags)} values, but there are three directions; give one for each")
        wanted = "".join(axis for axis, flag in zip("xyz", flags) if flag) or "none"
    if wanted in PERIODICITIES:
        return PERIODICITIES.index(wanted)
    raise ValueError(f"pbc is {pbc!r}, but periodic directions are one of {', '.join(possible)}; give one of these")


def shape(cell, periodic: int, argument: str = "cell") -> dict:
    """The box of one edge, three, or a diagonal matrix of rows; of other matrices the cell."""
    if cell is None:
        if periodic:
            raise ValueError(f"{argument} is missing, but directions {PERIODICITIES[periodic]} are periodic; give the "
                             "edges of the box, or the rows of the cell")
        return {"box": (0.0, 0.0, 0.0)}
    if hasattr(cell, "tolist"):
        cell = cell.tolist()
    if isinstance(cell, (int, float)):
        return {"box": (float(cell),) * 3}
    rows = list(cell)
    if len(rows) == 3 and all(hasattr(row, "__len__") and len(row) == 3 for row in rows):
        if any(rows[i][j] != 0 for i in range(3) for j in range(3) if i != j):
            return {"cell": tuple(float(number) for row in rows for number in row)}
        rows = [rows[i][i] for i in range(3)]
    if len(rows) != 3 or any(hasattr(row, "__len__") for row in rows):
        raise ValueError(f"{argument} is {cell!r}; give one edge, three, or a 3 x 3 matrix of rows")
    return {"box": tuple(float(edge) for edge in rows)}


def rows_of(cell) -> tuple[float, ...]:
    """The nine numbers of a cell that is given as for a plan."""
    given = shape(cell, PERIODICITIES.index("xyz"))
    if "cell" in given:
        return given["cell"]
    x, y, z = given["box"]
    return (x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z)


def options(given: dict, known: tuple[str, ...]) -> dict:
    """Options for the C API: names as numbers, those that are None left out."""
    out = {}
    for key, value in given.items():
        if key not in known:
            names = ("kernel", "cell", "pbc", "tolerance", "outputs", "dtype", *known)
            near = [name for name in names if name.startswith(key)] or difflib.get_close_matches(key, names, 1)
            raise TypeError(f"{key!r} is no option" + (f"; did you mean {near[0]!r}?" if near else
                                                       f"; there are {', '.join(known)}"))
        if value is None:
            continue
        if key == "grid" and not hasattr(value, "__len__"):
            value = (value,) * 3
        out[key] = number(value, OPTIONS[key], key) if key in OPTIONS else int(value) if value is True else value
        if key == "grid":
            out[key] = tuple(int(size) for size in value)
    return out
