# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of the caller's as columns of the C API, in place, and new arrays of the caller's library.

`copies` counts arrays that had to be copied, and their bytes: lists of numbers, and fields at odd addresses.
"""

import importlib
import itertools
from typing import Any

import numpy

from . import _native
from ._names import PRECISIONS

copies = {"arrays": 0, "bytes": 0}


class Arrays(list[Any]):
    """Rows in several arrays, one after the other, where execute and the like take one array: nf.Arrays([x0, x1]).

    Each is contiguous, of the plan's dtype, in the memory of the host or of a GPU that a worker drives. With the points
    of each GPU in an array there, they stay there but for what crosses between the GPUs' parts of the box: GPU k of K
    has the k-th part along x (Ewald sums) or along the curve of the tree (multipole sums). Positions, strengths and
    results may be cut differently, into at most 16 arrays; under mpirun they are on the host.
    """

    __slots__ = ()


def copied(value, precision: int, name: str = "array"):
    try:
        array = numpy.ascontiguousarray(value, dtype=PRECISIONS[precision])
    except (TypeError, ValueError):
        raise TypeError(f"{name} is a list that is no array of numbers; pass lists of numbers, all as long as each other") from None
    copies["arrays"] += 1
    copies["bytes"] += array.nbytes
    return array


def columns(value, name: str, precision: int) -> "_native.Columns":
    """An input: an array with a row for each point, or a tuple of arrays whose columns stand side by side."""
    expect_one(value, name)
    if isinstance(value, list):
        value = copied(value, precision, name)
    given = _native.Columns(value, name, precision, False)
    if given.aligned:
        return given
    parts = value if isinstance(value, tuple) else (value,)
    whole = tuple(copied(part, precision, name) for part in parts)
    return _native.Columns(whole if isinstance(value, tuple) else whole[0], name, precision, False)


def expect_one(value, name: str) -> None:
    """Raises TypeError for what is None, or rows in several arrays, and ValueError for masked numbers."""
    if type(value) is numpy.ndarray:
        return
    if value is None:
        raise TypeError(f"{name} is None; pass an array")
    if isinstance(value, Arrays):
        raise TypeError(f"{name} has rows in several arrays (nearfar.Arrays), but one is taken here; join them")
    for part in value if isinstance(value, tuple) else (value,):
        if hasattr(part, "mask") and numpy.ma.is_masked(part):
            raise ValueError(f"{name} has {numpy.ma.count_masked(part)} masked numbers, but none are passed over; leave their "
                             "rows out, or fill them (numpy.ma.filled)")


def positions(value, name: str, precision: int) -> "_native.Columns":
    given = columns(value, name, precision)
    if given.count == 3:
        return given
    hint = (f"; pass {name}.T, a view that costs nothing" if given.rows == 3 and given.dimensions == 2 else
            "; pass one row (x, y, z) for each point")
    raise ValueError(f"{name} has shape {given.shape} and so {given.count} columns, but a position has 3{hint}")


def each_of(value, name: str) -> list[tuple[Any, str]]:
    """The arrays of a tuple, or the one that there is, and their names for errors."""
    return [(part, f"{name}[{i}]") for i, part in enumerate(value)] if isinstance(value, tuple) else [(value, name)]


def outputs(value, name: str, precision: int, rows: int | None, count: int) -> "list[_native.Columns]":
    """Of each array that is written, of `rows` rows (None: any) with `count` numbers in all."""
    if type(value) is numpy.ndarray:  # which is what most calls have, so it is looked at first
        columns = _native.Columns(value, name, precision, True)
        if columns.packed and columns.aligned and columns.rows == rows and columns.count == count:
            return [columns]
    expect_one(value, name)
    if isinstance(value, tuple) and not value:
        raise ValueError(f"{name} is an empty tuple; pass an array for each output")
    if framework(value) == "jax":
        raise ValueError(f"{name} is read-only, as all arrays of JAX are, but results are written to it; leave it out")
    parts = each_of(value, name)
    into = [_native.Columns(part, where, precision, True) for part, where in parts]
    for (part, where), columns in zip(parts, into):
        if not columns.packed and _overlaps_itself(part):
            raise ValueError(f"{where} has rows with numbers in common, as windows that slide along an array have, but each is "
                             "written; pass an array with a place for each")
        if not columns.aligned:
            raise ValueError(f"{where} has numbers at addresses that are no multiple of their size; pass an aligned array")
    for (one, first), (other, second) in itertools.combinations(parts, 2):
        if _overlap(one, other):
            raise ValueError(f"{first} and {second} have numbers in common, but both are written; pass arrays of their own")
    whole, rows = sum(columns.count for columns in into), into[0].rows if rows is None else rows
    for (_, where), columns in zip(parts, into):
        if whole != count or columns.rows != rows:
            raise ValueError(f"{where} has {columns.rows} rows of {columns.count} numbers, but the result has {rows} rows of "
                             f"{count}; pass {'arrays' if isinstance(value, tuple) else 'an array'} of that shape")
    return into


def _overlap(one, other) -> bool:
    """Whether NumPy's arrays have numbers in common; of other libraries nothing is known."""
    if not isinstance(one, numpy.ndarray) or not isinstance(other, numpy.ndarray):
        return False
    try:
        return numpy.shares_memory(one, other, max_work=100_000)
    except RuntimeError:  # that is not found out so soon
        return False


def _overlaps_itself(array) -> bool:
    """Whether rows lie within each other; of libraries that tell no strides nothing is known."""
    if hasattr(array, "strides"):
        strides, reach = array.strides, array.itemsize
    elif framework(array) == "torch":
        strides, reach = array.stride(), 1
    else:
        return False
    for stride, size in sorted((abs(stride), size) for stride, size in zip(strides, array.shape) if size > 1):
        if stride < reach:
            return True
        reach += stride * (size - 1)
    return False


def framework(value) -> str:
    """The name of the library that an array is of: "numpy", "torch", "jax", "cupy", ..."""
    first = value[0] if isinstance(value, tuple) else value
    name = type(first).__module__.partition(".")[0]
    return "jax" if name == "jaxlib" else name


def module_of(value):
    """The module with the functions for an array that NumPy's have the names of."""
    name = framework(value)
    return importlib.import_module("jax.numpy" if name == "jax" else name if name in ("torch", "cupy") else "numpy")


def joined(value):
    """An array of numbers that may come as a list, or as a tuple of columns."""
    if isinstance(value, tuple):
        return module_of(value).stack(value, axis=-1)
    return numpy.array(value) if isinstance(value, list) else value


def by_numpy(value):
    """An array of NumPy over the same memory, unless the library of the array computes itself, or it is on a GPU."""
    if framework(value) in ("numpy", "torch", "cupy", "jax") or hasattr(value, "__cuda_array_interface__"):
        return value
    if hasattr(value, "__array__"):
        return numpy.asarray(value)
    return numpy.from_dlpack(value) if hasattr(value, "__dlpack__") else numpy.asarray(memoryview(value))


def kept(value):
    """A copy of positions, of their library where that computes, else of NumPy."""
    if isinstance(value, (tuple, list)):
        return joined(value)
    return value + 0 if framework(value) in ("torch", "cupy", "jax") else numpy.array(by_numpy(value))


def in_library_of(array, like):
    """An array of kept() as one of the library, and on the device, of another."""
    name = framework(like)
    if framework(array) == name:
        return array
    for how in ("get", "cpu"):  # of CuPy, of PyTorch
        array = getattr(array, how)() if hasattr(array, how) else array
    if name == "torch":
        import torch

        return torch.as_tensor(numpy.asarray(array), device=like.device)
    return module_of(like).asarray(array)


class Unseen:
    """An array of JAX in GPU memory that is written once, before anybody sees it."""

    def __init__(self, shape, dtype, device):
        import jax

        with jax.default_device(device):
            self.array = jax.block_until_ready(jax.numpy.empty(shape, dtype))
        self.shape = shape
        self.__cuda_array_interface__ = {
            "version": 3, "shape": shape, "typestr": numpy.dtype(dtype).str, "stream": None,
            "data": (self.array.unsafe_buffer_pointer(), False)}


def empty_like(value, shape: tuple[int, ...], precision: int):
    """A new array to write to, on the device of `value`."""
    first = value[0] if isinstance(value, tuple) else value
    dtype, name = PRECISIONS[precision], framework(value)
    if name == "torch":
        import torch

        return torch.empty(shape, dtype=getattr(torch, dtype), device=first.device)
    if name == "cupy":
        import cupy

        with cupy.cuda.Device(first.device.id):
            return cupy.empty(shape, dtype)
    if name == "numba" and hasattr(first, "__cuda_array_interface__"):
        from numba import cuda

        return cuda.device_array(shape, dtype)
    if name == "jax" and (device := next(iter(first.devices()))).platform == "gpu":
        return Unseen(shape, dtype, device)
    return numpy.empty(shape, dtype)


def delivered(array, like):
    """A result that was computed in an array of empty_like, in the library of `like`."""
    if isinstance(array, Unseen):
        return array.array
    if framework(like) == "jax":
        import jax

        first = like[0] if isinstance(like, tuple) else like
        return jax.device_put(array, next(iter(first.devices())))
    return array
