# SPDX-License-Identifier: BSD-3-Clause
"""What a target gets: names of outputs, their columns, and results that carry these names."""

from collections.abc import Iterable
from typing import Any

from . import _native
from ._arrays import by_numpy
from ._kernels import FLAGS, KERNELS
from ._names import number


#: How many numbers each strength has, of kernels with two that differ in that.
PARTS_OF = {"charge-dipole": (1, 3)}


def width(kernel: str, output: str) -> int:
    """How many columns an output has: a gradient is that of a potential or of a velocity."""
    if output == "gradient":
        return 3 if KERNELS[kernel].outputs[0] == "potential" else 9
    return {"velocity": 3, "hessian": 6}.get(output, 1)


class Back:
    """What the transposed sum of a kernel gives, in the order of its columns: numbers for each strength, of a double layer
    for each product of two."""

    def __init__(self, kernel: str):
        self.names = {"charge-dipole": ("charges", "dipoles"), "stokes": ("stokeslet", "stresslet")}.get(kernel, ("strengths",))
        self.widths = PARTS_OF.get(kernel) or {"stokes": (3, 9), "stresslet": (9,)}.get(kernel, (KERNELS[kernel].strengths,))
        self.columns = sum(self.widths)


class Outputs:
    """The outputs of a plan, in the order of their columns."""

    def __init__(self, kernel: str, outputs):
        if isinstance(outputs, str):
            outputs = (outputs,)
        if outputs is not None and not isinstance(outputs, Iterable):
            raise TypeError(f"outputs is {outputs!r}; pass a name, or several")
        wanted = KERNELS[kernel].outputs[:1] if outputs is None else tuple(outputs)
        flags = 0
        for name in wanted:
            flags |= FLAGS[tuple(FLAGS)[number(name, tuple(FLAGS), "outputs")]]
        if not wanted:
            raise ValueError("outputs is empty, so there is nothing to compute; name one at least")
        self.flags = flags
        self.names = tuple(name for name in FLAGS if name in wanted)
        self.widths = tuple(width(kernel, name) for name in self.names)
        self.strengths, self.columns = _native.components(number(kernel, tuple(KERNELS), "kernel"), flags)


class Field(tuple[Any, ...]):
    """Several outputs at the targets: a tuple in the order of `names`, with each as an attribute, of shape (M,) or (M, K)
    (of Poisson: (nx, ny, nz) and (nx, ny, nz, 3))."""

    names: tuple[str, ...]

    def __getattr__(self, name: str) -> Any:  # for names that it does not have
        raise AttributeError(f"there is no {name!r} here, but there are {', '.join(self.names)}")

    def __new__(cls, names: tuple[str, ...], arrays: Iterable[Any]) -> "Field":
        field = super().__new__(cls, arrays)
        field.names = names
        for name, array in zip(names, arrays):
            setattr(field, name, array)
        return field

    def __repr__(self) -> str:
        return "Field(" + ", ".join(f"{name}={array!r}" for name, array in zip(self.names, self)) + ")"


def named(outputs, array, several: bool):
    """The columns of a packed result by name: the array itself if there is one output. several: it has several vectors,
    in rows or as (M, K, columns)."""
    if len(outputs.names) == 1:
        return array
    array = by_numpy(array)
    if several and len(array.shape) == 2:
        array = array.reshape((array.shape[0], -1, outputs.columns))
    parts, at = [], 0
    before = (slice(None),) * (len(array.shape) - 1)  # not ..., which Numba's arrays in GPU memory do not know
    for count in outputs.widths:
        parts.append(array[(*before, at if count == 1 else slice(at, at + count))])
        at += count
    return Field(outputs.names, parts)
