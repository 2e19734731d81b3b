# SPDX-License-Identifier: BSD-3-Clause
"""Which library it is: that of the package nearfar-cu13, if it is installed, else the one in this package."""

import ctypes
import os

#: Of the command-line program that goes with it.
program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "nearfar")


def _load():
    """Before the module _native, which then takes what has the right name already. CUDA's libraries are found by it."""
    global program
    try:
        import nearfar_cu13
    except ImportError:
        return
    from importlib.metadata import PackageNotFoundError, version  # which takes 20 ms

    try:
        ours, theirs = version("nearfar"), version("nearfar-cu13")
    except PackageNotFoundError:
        return  # this package is in a build tree, with a library of its own
    if ours != theirs:
        raise ImportError(f"nearfar is of version {ours}, but nearfar-cu13 of {theirs}, whose library may be another "
                          f"one; install nearfar-cu13=={ours}")
    ctypes.CDLL(nearfar_cu13.shared_object)
    program = nearfar_cu13.program


_load()
