# SPDX-License-Identifier: BSD-3-Clause
"""What a target gets: names of outputs, their columns, and results that carry these names."""

from . import _native
from ._names import KERNELS, POTENTIALS, number

NAMES = ("potential", "gradient", "hessian", "velocity", "pressure", "velocity_gradient")
COLUMNS = {"potential": 1, "gradient": 3, "hessian": 6, "velocity": 3, "pressure": 1, "velocity_gradient": 9}


class Outputs:
    """The outputs of a plan, in the order of their columns."""

    def __init__(self, kernel: str, outputs):
        if isinstance(outputs, str):
            outputs = (outputs,)
        first = "potential" if kernel in POTENTIALS else "velocity"
        wanted = (first,) if outputs is None else tuple(outputs)
        flags = 0
        for name in wanted:
            flags |= 1 << number(name, NAMES, "outputs")
        if not wanted:
            raise ValueError("outputs is empty, so there is nothing to compute; name one at least")
        self.flags = flags
        self.names = tuple(name for name in NAMES if name in wanted)
        self.strengths, self.columns = _native.components(KERNELS.index(kernel), flags)


class Field(tuple):
    """Several outputs at the targets: a tuple in the order of `names`, with each as an attribute."""

    def __new__(cls, names, arrays):
        field = super().__new__(cls, arrays)
        field.names = names
        for name, array in zip(names, arrays):
            setattr(field, name, array)
        return field

    def __repr__(self):
        return "Field(" + ", ".join(f"{name}={array!r}" for name, array in zip(self.names, self)) + ")"


def named(outputs: Outputs, array, vectors: bool):
    """The columns of a packed result by name: the array itself if there is one output."""
    if len(outputs.names) == 1:
        return array
    parts, at = [], 0
    before = (slice(None),) * (len(array.shape) - 1)  # not ..., which Numba's arrays in GPU memory do not know
    for name in outputs.names:
        width = COLUMNS[name]
        parts.append(array[(*before, at if width == 1 else slice(at, at + width))])
        at += width
    return Field(outputs.names, parts)
