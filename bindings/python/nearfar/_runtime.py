# SPDX-License-Identifier: BSD-3-Clause
"""The runtime of this process: made when it is first needed, stopped at exit."""

import atexit
import os
import pathlib
import subprocess
import sys
from typing import Any

from . import _native, _ranks

_made = None


def runtime(scheduler: str | None = None, cpus: int | None = None, gpus: int | None = None, trace: str | None = None,
            communicator: Any = None) -> "_native.Runtime":
    """The runtime, with the given options if this is the first use of nearfar in the process.

    scheduler: a name of info()["schedulers"]; cpus, gpus: numbers of workers, all of the machine if None; trace: a
    folder for a trace; communicator: of mpi4py, whose processes all solve together (without it, under mpirun, those of
    COMM_WORLD). With several processes, an
    exception that nobody catches ends all of them, and so does sys.exit with an error.
    Raises ValueError for options that differ from those of the runtime that is up: there is one for a process.
    """
    global _made
    asked = any(option is not None for option in (scheduler, cpus, gpus, trace, communicator))
    if _made is None or asked:
        os.environ.setdefault("STARPU_SILENT", "1")  # as the program does: 0 shows StarPU's own warnings
        if _made is None and _gpus_are_used():
            _measure_buses_apart()
        made = _native.make_runtime(scheduler, -1 if cpus is None else cpus, -1 if gpus is None else gpus, trace,
                                    None if communicator is None else _address(communicator))
        if _made is None and made.ranks > 1:
            _ranks.end_together()
        _made = _made or made
    return _made


def current() -> "_native.Runtime":
    return _made if _made is not None else runtime()


def _gpus_are_used() -> bool:
    """Whether this process may have data on a GPU already."""
    return any(package in sys.modules for package in ("torch", "cupy", "jax", "numba.cuda"))


def _measure_buses_apart() -> None:
    """StarPU measures the buses of a machine when it first starts there, and resets all GPUs for that, with what other
    packages have on them: so another process does it."""
    home = next((os.environ[name] for name in ("XDG_CACHE_HOME", "STARPU_HOME", "HOME") if name in os.environ), "/tmp")
    folder = pathlib.Path(os.environ.get("STARPU_PERF_MODEL_DIR") or pathlib.Path(home, ".starpu", "sampling"), "bus")
    if any(folder.glob("*.config")):
        return
    launcher = ("OMPI_", "PMIX_", "PMI_", "MPI_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(launcher)}
    subprocess.run([sys.executable, "-m", "nearfar", "info"], stdout=subprocess.DEVNULL, check=False,
                   env=environment | {"NEARFAR_MPI": "off"})


def _address(communicator) -> int:
    from mpi4py import MPI

    return MPI._addressof(communicator)


if _ranks.launched():
    _ranks.end_together()
# Before the interpreter takes its lock away from the threads that end solves.
atexit.register(_native.release_all)
