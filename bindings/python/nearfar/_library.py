# SPDX-License-Identifier: BSD-3-Clause
"""Which library it is: that of the package nearfar-cu13, if it is installed, else the one in this package."""

import ctypes
import os

#: Of the command-line program that goes with it.
program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "nearfar")

#: Where the library is from, which decides whether it can use GPUs: "nearfar" or "nearfar-cu13".
package = "nearfar"


def _load():
    """Before the module _native, which then takes what has the right name already. CUDA's libraries are found by it."""
    global program, package
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
    try:
        ctypes.CDLL(nearfar_cu13.shared_object)
    except OSError as error:
        raise ImportError(f"the library of nearfar-cu13 cannot be loaded: {error}. It takes the CUDA runtime and cuFFT "
                          "from NVIDIA's packages: install nvidia-cuda-runtime and nvidia-cufft, or uninstall "
                          "nearfar-cu13 to compute on CPUs") from error
    program, package = nearfar_cu13.program, "nearfar-cu13"


_load()
