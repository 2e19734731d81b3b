# SPDX-License-Identifier: BSD-3-Clause
"""Under mpirun: a rank that ends with an error ends all, which would wait for it, and it for them in MPI_Finalize."""

import os
import sys
import threading

#: Variables in which launchers say how many processes they have started.
_COUNTS = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS")


def launched() -> bool:
    """Whether this is one of several processes, before MPI is asked."""
    return any(os.environ.get(name, "1") not in ("", "0", "1") for name in _COUNTS)


def end_together() -> None:
    """From now on, sys.exit with an error and exceptions that nobody catches end this process at once: the launcher
    sees its status, and ends the others."""
    if sys.exit is _exit:
        return
    told = sys.excepthook

    def end(kind, error, trace):
        told(kind, error, trace)
        _end(1)

    sys.excepthook = end
    sys.exit = _exit


class _Exit(SystemExit):
    """Of sys.exit. The interpreter releases one that nobody has caught when no function is left; all others go by
    sys.excepthook, but not this one."""

    def __del__(self):
        status = 0 if self.code is None else self.code & 0xff if isinstance(self.code, int) else 1
        if status and sys._getframe().f_back is None and threading.current_thread() is threading.main_thread():
            if not isinstance(self.code, int):
                print(self.code, file=sys.stderr)  # as the interpreter would do next
            _end(status)


def _exit(status=None, /):
    """As sys.exit, and ends the other ranks if the status is one of an error."""
    raise _Exit(status)


def _end(status: int) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
