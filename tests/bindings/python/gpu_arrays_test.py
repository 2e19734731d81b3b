# SPDX-License-Identifier: BSD-3-Clause
"""Arrays in GPU memory, of CuPy, PyTorch, JAX and Numba: in place, in order with the caller's streams, and with the
numbers that arrays of the host give. Skipped where no worker drives a GPU; scripts/gpu carries it to one."""

import ctypes
import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX would take most of the memory

import numpy as np
import pytest

# Before nearfar: they bring CUDA libraries of their own, which the first to load decides for all.
FRAMEWORKS = {}
try:
    import torch

    if torch.cuda.is_available():
        FRAMEWORKS["torch"] = torch
except ImportError:
    pass
try:
    import cupy

    if cupy.cuda.runtime.getDeviceCount() > 0:
        FRAMEWORKS["cupy"] = cupy
except Exception:  # of CuPy's own, where there is no driver
    pass
try:
    import jax

    jax.config.update("jax_enable_x64", True)
    if jax.default_backend() == "gpu":
        FRAMEWORKS["jax"] = jax
except (ImportError, RuntimeError):
    pass
try:
    from numba import cuda as numba_cuda

    if numba_cuda.is_available():
        FRAMEWORKS["numba"] = numba_cuda
except Exception:
    pass

import nearfar as nf
from nearfar import _arrays

# One GPU, whose arrays are then read and written in place.
os.environ.setdefault("STARPU_NCUDA", "1")
if not any(kind != "cpu" for _, kind in nf.runtime().workers):
    pytest.skip("no worker of nearfar drives a GPU: it was built without CUDA, or there is none",
                allow_module_level=True)
for _wanted in os.environ.get("NEARFAR_GPU_FRAMEWORKS", "").split():
    assert _wanted in FRAMEWORKS, f"{_wanted} is not here, or does not see the GPU"

COUNT = 50000  # from 10,000 on a solve runs on the GPU alone


def on_gpu(name, array):
    """A copy of an array of NumPy in the memory of the first GPU, whichever is the current one: JAX changes that."""
    if name == "torch":
        return torch.from_numpy(array).to("cuda:0")
    if name == "cupy":
        cupy.cuda.Device(0).use()
        return cupy.asarray(array)
    if name == "jax":
        return jax.device_put(array, jax.devices("gpu")[0])
    numba_cuda.select_device(0)
    return numba_cuda.to_device(array)


def on_host(array):
    if hasattr(array, "cpu"):
        return array.cpu().numpy()
    for how in ("get", "copy_to_host"):
        if hasattr(array, how):
            return getattr(array, how)()
    return np.asarray(array)


def address(array):
    if hasattr(array, "unsafe_buffer_pointer"):
        return array.unsafe_buffer_pointer()
    return array.data_ptr() if hasattr(array, "data_ptr") else array.__cuda_array_interface__["data"][0]


class BusInfo(ctypes.Structure):
    """starpu_profiling_bus_info"""

    _fields_ = [("start", ctypes.c_long * 2), ("total", ctypes.c_long * 2), ("bytes", ctypes.c_longlong),
                ("transfers", ctypes.c_int)]


def moved_bytes():
    """What StarPU has moved between memories since the last call."""
    with open("/proc/self/maps") as maps:
        path = next(line.split()[-1] for line in maps if "libstarpu-1" in line)
    starpu = ctypes.CDLL(path)
    total = 0
    for bus in range(starpu.starpu_bus_get_count()):
        info = BusInfo()
        starpu.starpu_bus_get_profiling_info(bus, ctypes.byref(info))
        total += info.bytes
    return total


def relative(a, b):
    return np.linalg.norm(a - b) / np.linalg.norm(b)


@pytest.fixture(scope="module")
def problem():
    numbers = np.random.default_rng(7)
    x, f = numbers.random((COUNT, 3)), numbers.standard_normal((COUNT, 3))
    plan = nf.Ewald("stokeslet", cell=1, tolerance=1e-6)
    points = plan.set_points(x)
    assert plan.parameters["on_gpus"]
    return plan, points, x, f, plan.execute(points, f)


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_in_place_with_the_bits_of_host_arrays(problem, name):
    plan, points, x, f, expected = problem
    there = on_gpu(name, f)
    before = dict(_arrays.copies)
    u = plan.execute(points, there)
    assert type(u).__module__.partition(".")[0] == type(there).__module__.partition(".")[0]
    assert address(u) != 0 and np.array_equal(on_host(u), expected)
    assert np.array_equal(on_host(plan.execute(plan.set_points(on_gpu(name, x)), there)), expected)
    assert _arrays.copies == before
    if name != "jax":
        out = on_gpu(name, np.zeros_like(f))
        where = address(out)
        assert plan.execute(points, there, out) is out and address(out) == where
        assert np.array_equal(on_host(out), expected)


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_nothing_goes_through_the_host(problem, name):
    plan, points, _, f, _ = problem
    there = on_gpu(name, f)
    for _ in range(4):
        plan.execute(points, there)  # tables of the plan get there once, for each of its work spaces
    moved_bytes()
    for _ in range(4):
        plan.execute(points, there)
    assert moved_bytes() <= 4 * 1024  # the sums of a review
    plan.execute(points, f)
    assert moved_bytes() >= 2 * f.nbytes  # what is counted is counted


@pytest.mark.parametrize("name", FRAMEWORKS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_one_call(problem, name, dtype):
    numbers = np.random.default_rng(8)
    x, q = numbers.random((20000, 3)).astype(dtype), numbers.standard_normal(20000).astype(dtype)
    names = ("potential", "gradient")
    for periodic in (True, False):
        there = nf.laplace(on_gpu(name, x), on_gpu(name, q), cell=1, pbc=periodic, tolerance=1e-4, outputs=names)
        here = nf.laplace(x, q, cell=1, pbc=periodic, tolerance=1e-4, outputs=names)
        assert relative(on_host(there.gradient), here.gradient) < 1e-4
        assert relative(on_host(there.potential), here.potential) < 1e-4


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_poisson(name):
    density = np.random.default_rng(9).standard_normal((32, 48, 64))
    solver = nf.Poisson(density.shape, 0.1, field=True)
    here, there = solver(density), solver(on_gpu(name, density))
    assert relative(on_host(there.potential), here.potential) < 1e-12
    assert relative(on_host(there.field), here.field) < 1e-12


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_many_in_flight(problem, name):
    plan, points, _, f, expected = problem
    jobs = [plan.submit(points, on_gpu(name, 2.0**k * f)) for k in range(5)]
    for k, job in enumerate(jobs):
        assert np.array_equal(on_host(job.wait()), 2.0**k * expected)


def long_work(name, matrix):
    """Something that keeps a stream busy for a tenth of a second or so."""
    for _ in range(20):
        matrix = matrix @ matrix
        matrix = matrix / abs(matrix).max()
    return matrix


@pytest.mark.parametrize("own_stream", [False, True], ids=["default stream", "a stream of one's own"])
@pytest.mark.parametrize("name", [name for name in FRAMEWORKS if name in ("torch", "cupy")])
def test_waits_for_what_is_still_computed(problem, name, own_stream):
    """Strengths at the end of something long, on the stream that is current."""
    plan, points, _, f, expected = problem
    there = on_gpu(name, f)
    matrix = on_gpu(name, np.random.default_rng(10).standard_normal((3000, 3000)))
    late = there * 0
    if name == "torch":
        torch.cuda.synchronize()
        current = torch.cuda.stream(torch.cuda.Stream()) if own_stream else torch.cuda.stream(None)
    else:
        cupy.cuda.Device().synchronize()
        current = cupy.cuda.Stream(non_blocking=True) if own_stream else cupy.cuda.Stream.null
    for _ in range(3):
        with current:
            late[:] = 0 * late
            zero = 0 * long_work(name, matrix)[0, 0]
            late += there + zero
            job = plan.submit(points, late)
            result = job.wait()
        assert np.array_equal(on_host(result), expected)


@pytest.mark.skipif("jax" not in FRAMEWORKS, reason="no JAX with a GPU")
def test_waits_for_jax(problem):
    plan, points, _, f, expected = problem
    there = on_gpu("jax", f)
    matrix = on_gpu("jax", np.random.default_rng(10).standard_normal((3000, 3000)))
    for _ in range(3):
        zero = 0 * long_work("jax", matrix)[0, 0]
        assert np.array_equal(on_host(plan.execute(points, there + zero)), expected)


@pytest.mark.skipif("cupy" not in FRAMEWORKS, reason="no CuPy with a GPU")
def test_named_stream(problem):
    plan, points, _, f, expected = problem
    stream = cupy.cuda.Stream(non_blocking=True)
    there, late = cupy.asarray(f), cupy.zeros(f.shape)
    matrix = cupy.random.standard_normal((3000, 3000))
    cupy.cuda.Device().synchronize()
    with stream:
        late += there + 0 * long_work("cupy", matrix)[0, 0]
    result = plan.execute(points, late, stream=stream.ptr)
    assert np.array_equal(result.get(), expected)


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_refused(problem, name):
    plan, points, x, f, _ = problem
    there = on_gpu(name, f)
    with pytest.raises(TypeError, match="float32"):
        plan.execute(points, on_gpu(name, f.astype("float32")))
    with pytest.raises(ValueError, match="GPU memory"):
        nf.direct("stokeslet", on_gpu(name, x), there)
    with pytest.raises(ValueError, match="strengths has shape"):
        plan.execute(points, on_gpu(name, f[1:].copy()))
    if name in ("torch", "cupy"):
        with pytest.raises(ValueError, match="packed"):
            plan.execute(points, on_gpu(name, np.repeat(f, 2, axis=1))[:, ::2])
    if name == "jax":
        with pytest.raises(ValueError, match="read-only"):
            plan.execute(points, there, on_gpu(name, f))


@pytest.mark.parametrize("name", [name for name in FRAMEWORKS if name in ("torch", "cupy")])
def test_another_gpu_is_named(problem, name):
    """Memory of a GPU that no worker drives is refused, or read where one does."""
    plan, points, _, f, expected = problem
    count = torch.cuda.device_count() if name == "torch" else cupy.cuda.runtime.getDeviceCount()
    if count < 2:
        pytest.skip("there is one GPU")
    if name == "torch":
        elsewhere = torch.from_numpy(f).to("cuda:1")
    else:
        with cupy.cuda.Device(1):
            elsewhere = cupy.asarray(f)
    with pytest.raises(ValueError, match="strengths are in the memory of GPU 1, which no worker drives"):
        plan.execute(points, elsewhere)
    here = on_gpu(name, f)
    with pytest.raises(ValueError, match="the result is in the memory of GPU 1, which no worker drives"):
        plan.execute(points, here, elsewhere)


@pytest.mark.parametrize("name", [name for name in FRAMEWORKS if name in ("torch", "cupy")])
def test_the_current_gpu_of_the_caller_does_not_matter(problem, name):
    """Arrays of the GPU that a worker drives, while another one is current; which stays so."""
    plan, points, _, f, expected = problem
    library = torch.cuda if name == "torch" else cupy.cuda
    count = torch.cuda.device_count() if name == "torch" else cupy.cuda.runtime.getDeviceCount()
    if count < 2:
        pytest.skip("there is one GPU")
    there = on_gpu(name, f)
    with (library.device if name == "torch" else library.Device)(1):
        u = plan.execute(points, there)
        now = torch.cuda.current_device() if name == "torch" else cupy.cuda.runtime.getDevice()
    assert now == 1 and np.array_equal(on_host(u), expected)


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_transposed_sum(problem, name):
    """The adjoint of a potential and its gradient, which is put together from arrays of the caller's library."""
    numbers = np.random.default_rng(12)
    x, u = numbers.random((20000, 3)), numbers.standard_normal((20000, 4))
    plan = nf.Ewald("laplace", cell=1, tolerance=1e-5, outputs=("potential", "gradient"))
    points = plan.set_points(x, adjoint=True)
    back = plan.execute_adjoint(points, on_gpu(name, u))
    assert relative(on_host(back), plan.execute_adjoint(points, u)) < 1e-9
