# SPDX-License-Identifier: BSD-3-Clause
"""What is known of this machine, and the program that comes with the package."""

import os
import subprocess
from typing import Any

from . import _library, _native
from ._runtime import current


def program() -> str:
    """The path of the command-line program that comes with the package."""
    path = _library.program
    if not os.access(path, os.X_OK):
        raise FileNotFoundError(f"the program is not at {path}; install the package again")
    return path


def info() -> dict[str, Any]:
    """Workers, scheduler, versions. Starts the runtime if it does not run.

    Keys: version, package (whose library it is: "nearfar", or "nearfar-cu13" where that is installed), runtime,
    instructions, scheduler, schedulers (name: purpose), workers (a list of (name, kind)), rank, ranks, and throughputs
    (kind of work: (CPU, GPU), in cores of a reference machine).
    Raises MemoryError if no worker can be started.
    """
    runtime = current()
    return {
        "version": _native.version(),
        "package": _library.package,
        "runtime": runtime.version,
        "instructions": _native.simd_level(),
        "scheduler": runtime.scheduler,
        "schedulers": _native.schedulers(),
        "workers": runtime.workers,
        "rank": runtime.rank,
        "ranks": runtime.ranks,
        "throughputs": runtime.throughputs(0),
    }


def doctor() -> str:
    """Problems of this set-up with suggested cures, as the program's `nearfar doctor` prints them.

    Raises FileNotFoundError if the program is not beside the package.
    """
    done = subprocess.run([program(), "doctor"], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr
