# SPDX-License-Identifier: BSD-3-Clause
"""Types of arguments, for editors and type checkers."""

from collections.abc import Callable, Sequence
from typing import Any

#: An array of any library (buffer protocol, __dlpack__, __cuda_array_interface__), or a list of numbers.
Array = Any
#: One array, or a tuple of arrays whose columns stand side by side.
Arrays = Any
#: One edge, three edges, or the rows of a cell: numbers, sequences of them, or an array.
Cell = Any
#: True, False, axes as in "xz", or three booleans.
Periods = bool | str | Sequence[bool] | None
#: A name, or several.
Names = str | Sequence[str] | None
#: "float64" or "float32", as a name or as the dtype of a library.
Dtype = Any
#: Called with the fraction of a solve that is done.
Progress = Callable[[float], object] | None
