# SPDX-License-Identifier: BSD-3-Clause
"""The runtime of this process: made when it is first needed, stopped at exit."""

import atexit
import os
from typing import Any

from . import _native, _ranks
from ._names import whole

_made = None


def runtime(scheduler: str | None = None, cpus: int | None = None, gpus: int | None = None, trace: str | None = None,
            communicator: Any = None) -> "_native.Runtime":
    """The runtime, with the given options if this is the first use of nearfar in the process.

    scheduler: a name of info()["schedulers"]; cpus, gpus: numbers of workers, all of the machine if None; trace: a
    folder for a trace; communicator: of mpi4py, whose processes all solve together (without it, under mpirun, those of
    COMM_WORLD). With several processes, an exception that nobody catches ends all of them, and so does sys.exit with an
    error.
    Raises ValueError for options that differ from those of the runtime that is up: there is one for a process.
    """
    global _made
    asked = any(option is not None for option in (scheduler, cpus, gpus, trace, communicator))
    if _made is None or asked:
        os.environ.setdefault("STARPU_SILENT", "1")  # as the program does: 0 shows StarPU's own warnings
        made = _native.make_runtime(_text(scheduler, "scheduler"), -1 if cpus is None else whole(cpus, "cpus"),
                                    -1 if gpus is None else whole(gpus, "gpus"), _text(trace, "trace"),
                                    None if communicator is None else _address(communicator))
        if _made is None and made.ranks > 1:
            _ranks.end_together()
        _made = _made or made
    return _made


def current() -> "_native.Runtime":
    return _made if _made is not None else runtime()


def _text(value, argument: str) -> str | None:
    if value is None or isinstance(value, (str, os.PathLike)):
        return value if value is None else os.fspath(value)
    raise TypeError(f"{argument} is {value!r}; pass text")


def _address(communicator) -> int:
    from mpi4py import MPI

    return MPI._addressof(communicator)


if _ranks.launched():
    _ranks.end_together()
# Before the interpreter takes its lock away from the threads that end solves.
atexit.register(_native.release_all)
os.register_at_fork(after_in_child=_native.forget_calls)
