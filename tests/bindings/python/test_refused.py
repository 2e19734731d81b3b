# SPDX-License-Identifier: BSD-3-Clause
"""Arrays that do not fit, of every call that takes some: the error names the argument, what it is, what it should be."""

import numpy as np
import pytest

import nearfar as nf

numbers = np.random.default_rng(3)
X, F, Q = numbers.random((40, 3)), numbers.standard_normal((40, 3)), numbers.standard_normal(40)
GRID = np.zeros((6, 8, 10))


@pytest.fixture(scope="module")
def solvers():
    plan = nf.Ewald("stokeslet", cell=1, tolerance=1e-3)
    return plan, plan.set_points(X), nf.Poisson(GRID.shape, field=True)


def call(argument, value, solvers):
    """Each way to give an array: the argument is one of those, the rest is right."""
    plan, points, poisson = solvers
    {
        "sources of set_points": lambda: plan.set_points(value),
        "targets of set_points": lambda: plan.set_points(X, value),
        "sources of move_points": lambda: plan.move_points(points, value),
        "strengths of execute": lambda: plan.execute(points, value),
        "out of execute": lambda: plan.execute(points, F, value),
        "strengths of submit": lambda: plan.submit(points, value),
        "strengths of execute_adjoint": lambda: plan.execute_adjoint(points, value),
        "sources of direct": lambda: nf.direct("stokeslet", value, F),
        "targets of direct": lambda: nf.direct("stokeslet", X, F, value),
        "strengths of direct": lambda: nf.direct("stokeslet", X, value),
        "out of direct": lambda: nf.direct("stokeslet", X, F, out=value),
        "density of Poisson": lambda: poisson(value),
        "out[0] of Poisson": lambda: poisson(GRID, (value, np.empty((*GRID.shape, 3)))),
        "out[1] of Poisson": lambda: poisson(GRID, (np.empty(GRID.shape), value)),
    }[argument]()


OF_POINTS = ["sources of set_points", "targets of set_points", "sources of move_points", "strengths of execute",
             "out of execute", "strengths of submit", "strengths of execute_adjoint", "sources of direct",
             "targets of direct", "strengths of direct", "out of direct"]
OF_GRIDS = ["density of Poisson", "out[0] of Poisson", "out[1] of Poisson"]
WRITTEN = ["out of execute", "out of direct", "out[0] of Poisson", "out[1] of Poisson"]


def right(argument):
    """An array that fits there."""
    if argument in OF_POINTS:
        return X.copy()
    return np.zeros((*GRID.shape, 3)) if argument == "out[1] of Poisson" else GRID.copy()


def refused(argument, value, solvers, error, *words):
    with pytest.raises(error) as caught:
        call(argument, value, solvers)
    text, name = str(caught.value), argument.partition(" ")[0]
    assert text.startswith(name) and all(word in text for word in words), text


@pytest.mark.parametrize("argument", OF_POINTS + OF_GRIDS)
def test_what_fits(argument, solvers):
    call(argument, right(argument), solvers)


@pytest.mark.parametrize("argument", OF_POINTS + OF_GRIDS)
def test_wrong_dtype(argument, solvers):
    refused(argument, right(argument).astype(int), solvers, TypeError, "is an array of int64", "float64")
    if argument != "sources of direct":  # whose dtype is that of the sum
        refused(argument, right(argument).astype("float32"), solvers, TypeError, "is an array of float32", "float64")


@pytest.mark.parametrize("argument", OF_POINTS + OF_GRIDS)
def test_wrong_shape(argument, solvers):
    refused(argument, right(argument)[:, :2], solvers, ValueError, "2", "3" if argument in OF_POINTS else "(6, 2, 10")
    if argument not in ("sources of set_points", "targets of set_points", "sources of direct", "targets of direct"):
        refused(argument, right(argument)[1:], solvers, ValueError, "39" if argument in OF_POINTS else "(5, 8, 10")


@pytest.mark.parametrize("argument", OF_POINTS)
def test_wrong_order(argument, solvers):
    """Fields (3, N) instead of rows; rows of their transposed view would fit."""
    refused(argument, np.ascontiguousarray(X.T), solvers, ValueError, "3", "40")
    call(argument, np.ascontiguousarray(X.T).T, solvers)


@pytest.mark.parametrize("argument", ["out[0] of Poisson", "out[1] of Poisson"])
def test_wrong_order_of_grids(argument, solvers):
    refused(argument, np.asfortranarray(right(argument)), solvers, ValueError, "not packed in the order of C", "make a packed")


@pytest.mark.parametrize("argument", WRITTEN)
def test_read_only(argument, solvers):
    value = right(argument)
    value.flags.writeable = False
    refused(argument, value, solvers, ValueError, "is read-only, but results are written to it")


@pytest.mark.parametrize("argument", WRITTEN)
def test_results_in_one_place(argument, solvers):
    """Rows that share memory, as PyTorch's expand() makes them: each task would overwrite what others have written."""
    shape = right(argument).shape
    value = np.lib.stride_tricks.as_strided(np.zeros(1), shape, (0,) * len(shape))
    refused(argument, value, solvers, ValueError, f"its {shape[0]} numbers along axis 0 in one place", "a place for each")


@pytest.mark.parametrize("argument", OF_POINTS + OF_GRIDS)
def test_masked_numbers(argument, solvers):
    """Of numpy.ma: they would be read and written as all others are."""
    value = np.ma.array(right(argument))
    call(argument, value, solvers)
    value[1] = np.ma.masked
    count = np.ma.count_masked(value)
    refused(argument, value, solvers, ValueError, f"has {count} masked numbers, but none are passed over; leave their rows out")
    if argument in OF_POINTS:
        refused(argument, (value[:, 0], value[:, 1], value[:, 2]), solvers, ValueError, "has 1 masked numbers")


@pytest.mark.parametrize("argument", ["out of execute", "out of direct"])
def test_results_in_rows_that_overlap(argument, solvers):
    numbers = np.zeros(200)
    windows = np.lib.stride_tricks.as_strided(numbers, (40, 3), (8, 8))
    refused(argument, windows, solvers, ValueError, "rows with numbers in common")
    refused(argument, (windows,), solvers, ValueError, "out[0] has rows with numbers in common")
    for apart in (np.lib.stride_tricks.as_strided(numbers, (40, 3), (24, 8)), np.empty((40, 5))[:, ::2],
                  np.empty((3, 40)).T[::-1], np.empty((80, 2, 3))[::2, 1, ::-1]):
        call(argument, apart, solvers)


@pytest.mark.parametrize("call_of, name", [
    (lambda none, plan, points: plan.set_points(none), "sources"),
    (lambda none, plan, points: plan.set_points(none, X), "sources"),
    (lambda none, plan, points: plan.set_points(X, none), "targets"),
    (lambda none, plan, points: plan.move_points(points, none), "sources"),
    (lambda none, plan, points: nf.Fmm("stokeslet").set_points(none), "sources"),
    (lambda none, plan, points: nf.Fmm("stokeslet").set_points(X, none), "targets"),
    (lambda none, plan, points: nf.direct("stokeslet", none, none), "sources"),
    (lambda none, plan, points: nf.direct("stokeslet", X, F, none), "targets"),
    (lambda none, plan, points: nf.stokes(none, stokeslet=none), "sources"),
    (lambda none, plan, points: nf.laplace(X, Q, targets=none, cell=1, pbc=True), "targets"),
])
def test_no_points(call_of, name, solvers):
    with pytest.raises(ValueError, match=f"there are no {name} .*; give|{name} has 0 rows, but there were 40"):
        call_of(np.empty((0, 3)), *solvers[:2])


@pytest.mark.parametrize("call_of, words", [
    (lambda: nf.laplace(X, Q[1:]), r"charges has shape \(39,\), but there are 40 sources; pass a row for each"),
    (lambda: nf.laplace(X, Q.astype("float32")), "charges is an array of float32.*float64"),
    (lambda: nf.laplace(X, Q.astype(int), screening=1.0, cell=1, pbc=True), "charges is an array of int64.*float64"),
    (lambda: nf.laplace(X, "charges"), "charges is of type str, which is no array"),
    (lambda: nf.laplace(X, [1, "a"]), "charges is a list that is no array of numbers"),
    (lambda: nf.laplace(X, dipoles=F[:, :2]), r"dipoles has shape \(40, 2\) and so 2 numbers per source, but it needs 3"),
    (lambda: nf.laplace(X, Q, dipoles=F[1:]), r"dipoles has shape \(39, 3\), but there are 40 sources"),
    (lambda: nf.laplace(X, np.ones((40, 2)), dipoles=F), "dipoles has 1 vectors, but charges has 2; pass as many"),
    (lambda: nf.laplace(X[:, :2], Q), r"sources has shape \(40, 2\) and so 2 columns, but a position has 3"),
    (lambda: nf.laplace(X, Q, targets=X[:, :2]), r"targets has shape \(40, 2\) and so 2 columns, but a position has 3"),
    (lambda: nf.laplace(X, Q, targets=X.astype("float32")), "targets is an array of float32.*float64"),
    (lambda: nf.stokes(X, stokeslet=F[:, :2]), r"stokeslet has shape \(40, 2\) and so 2 numbers per source, but it needs 3"),
    (lambda: nf.stokes(X, stresslet=(F[1:], F)), r"stresslet\[0\] has shape \(39, 3\), but there are 40 sources"),
    (lambda: nf.stokes(X, stresslet=(F, None)), r"stresslet\[1\] is None; pass an array"),
    (lambda: nf.stokes(X, stokeslet=F, stresslet=(F, F.astype("float32"))), r"stresslet\[1\] is an array of float32"),
    (lambda: nf.stokes(X, stokeslet=(*F.T, Q), stresslet=(F, F)), "stokeslet has .* and so 4 numbers per source, but it needs 3"),
    (lambda: nf.stokes(X, stokeslet=(Q, Q, Q[1:]), stresslet=(F, F)), r"stokeslet\[2\] has 39 rows"),
    (lambda: nf.laplace(X, nf.Arrays([Q]), dipoles=F), "charges has rows in several arrays .* each takes one array; join them"),
])
def test_one_call_names_its_own_arguments(call_of, words):
    with pytest.raises((TypeError, ValueError), match=words):
        call_of()


@pytest.mark.parametrize("call_of, name", [
    (lambda single: nf.laplace(X, single(Q)), "charges"),
    (lambda single: nf.laplace(X, Q, targets=single(X)), "targets"),
    (lambda single: nf.laplace((X[:, 0], single(X[:, 1]), X[:, 2]), Q), r"sources\[1\]"),
    (lambda single: nf.laplace(nf.Arrays([X[:20], X[20:]]), nf.Arrays([Q[:20], single(Q[20:])])), r"charges\[1\]"),
    (lambda single: nf.stokes(X, stresslet=(F, tuple(single(F).T))), r"stresslet\[1\]\[0\]"),
    (lambda single: nf.direct("laplace", X, single(Q)), "strengths"),
    (lambda single: nf.direct("laplace", X, Q, out=single(Q)), "out"),
])
def test_one_call_has_one_dtype(call_of, name):
    """That of the sources. It has no option dtype, and so does not speak of it."""
    with pytest.raises(TypeError, match=f"{name} is an array of float32, but the sum is computed in float64, the dtype of "
                                        "sources; convert one of them$"):
        call_of(lambda array: array.astype("float32"))
    single = lambda array: array.astype("float32")
    assert nf.laplace(nf.Arrays([single(X)]), nf.Arrays([single(Q)])).potential.dtype == "float32"


@pytest.mark.parametrize("argument", OF_POINTS + OF_GRIDS)
def test_no_array(argument, solvers):
    refused(argument, "numbers", solvers, TypeError, "is of type str, which is no array")


@pytest.mark.parametrize("dtype, words", [("U3", "text"), ("S3", "bytes"), (object, "objects"), (complex, "complex128")])
@pytest.mark.parametrize("argument", OF_POINTS + OF_GRIDS)
def test_no_numbers(argument, dtype, words, solvers):
    refused(argument, np.zeros(right(argument).shape, dtype), solvers, (TypeError, ValueError), words)


@pytest.mark.parametrize("argument", OF_POINTS + OF_GRIDS)
def test_none(argument, solvers):
    if argument in ("targets of set_points", "targets of direct", "out of execute", "out of direct"):
        return call(argument, None, solvers)  # which may be left out
    refused(argument, None, solvers, TypeError, "is None; pass an array")


@pytest.mark.parametrize("argument", OF_POINTS + OF_GRIDS)
def test_rows_in_no_array(argument, solvers):
    words = ("empty nearfar.Arrays", ) if "direct" not in argument and argument in OF_POINTS else ("join them", )
    refused(argument, nf.Arrays(), solvers, (TypeError, ValueError), *words)


@pytest.mark.parametrize("argument", [name for name in OF_POINTS if "direct" in name])
def test_rows_in_several_arrays_where_one_is_taken(argument, solvers):
    refused(argument, nf.Arrays([X[:20], X[20:]]), solvers, TypeError, "in several arrays (nearfar.Arrays)", "join them")


@pytest.mark.parametrize("argument", [name for name in OF_POINTS if "direct" not in name])
def test_columns_among_several_arrays(argument, solvers):
    refused(argument, nf.Arrays([X[:20], tuple(X[20:].T)]), solvers, TypeError, "[1] is a tuple of arrays", "stack")


@pytest.mark.parametrize("value", [[[1, 2, 3], [4, 5]], [["a", "b", "c"]]])
def test_lists_that_are_no_arrays(value, solvers):
    refused("sources of set_points", value, solvers, TypeError, "is a list that is no array of numbers")


def test_other_arguments_of_solves(solvers):
    plan, points, poisson = solvers
    for call_of, words in ((lambda: plan.execute(points, F, stream="a"), "stream is 'a'"),
                           (lambda: poisson(GRID, stream="a"), "stream is 'a'"),
                           (lambda: plan.execute(points, F, progress=3), "progress is 3; pass a function"),
                           (lambda: plan.submit(points, F).then(3), "callback is 3; pass a function"),
                           (lambda: nf.direct("yukawa", X, Q, screening="a"), "screening is 'a'; pass a number")):
        with pytest.raises(TypeError, match=words):
            call_of()
    with pytest.raises(ValueError, match="out is an empty tuple"):
        plan.execute(points, F, out=())


class Elsewhere:
    """An array of a device that nearfar does not know: Vulkan, in DLPack's numbers."""

    shape, dtype = (40, 3), np.dtype("float64")

    def __dlpack_device__(self):
        return (7, 0)

    def __dlpack__(self, **how):
        raise AssertionError("nobody should ask for it")


@pytest.mark.parametrize("argument", OF_POINTS)
def test_wrong_device(argument, solvers):
    refused(argument, Elsewhere(), solvers, ValueError, "on a device of DLPack's type 7", "move it to the host")


class OnGpu:
    """Says that it is in the memory of a GPU."""

    def __init__(self, array, strides=None):
        self.shape, self.dtype, self._array = array.shape, array.dtype, array
        self.__cuda_array_interface__ = {"version": 3, "shape": array.shape, "typestr": array.dtype.str, "strides": strides,
                                         "data": (array.ctypes.data, False), "stream": None}


@pytest.mark.parametrize("argument", ["sources of direct", "targets of direct", "strengths of direct"])
def test_gpu_memory_where_cpus_sum(argument, solvers):
    refused(argument, OnGpu(X), solvers, ValueError, "is in GPU memory, but the direct sum is computed by CPUs")


@pytest.mark.parametrize("argument", ["sources of set_points", "strengths of execute", "out of execute"])
def test_gpu_memory_that_is_not_packed(argument, solvers):
    refused(argument, OnGpu(X, strides=(48, 8)), solvers, ValueError, "in GPU memory, but its rows are not packed")


def test_columns_in_two_memories(solvers):
    plan, points, _ = solvers
    with pytest.raises(ValueError, match=r"strengths\[1\] is in GPU memory, unlike the arrays before it"):
        plan.execute(points, (F[:, 0].copy(), OnGpu(F[:, 1].copy()), F[:, 2].copy()))
