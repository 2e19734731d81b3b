# SPDX-License-Identifier: BSD-3-Clause
"""MPI for programs of several ranks."""

import atexit
import ctypes
import sys
import types


def mpi():
    """MPI of mpi4py; where that is not installed, what nearfar asks of it: where a communicator is kept."""
    try:
        from mpi4py import MPI
    except ImportError:
        library = ctypes.CDLL("libmpi.so.40", mode=ctypes.RTLD_GLOBAL)
        library.MPI_Init_thread(None, None, 3, ctypes.byref(ctypes.c_int()))
        atexit.register(library.MPI_Finalize)  # before nearfar's, and so called after it, as mpi4py does
        world = ctypes.c_void_p(ctypes.addressof(ctypes.c_byte.in_dll(library, "ompi_mpi_comm_world")))
        MPI = types.SimpleNamespace(COMM_WORLD=world, _addressof=ctypes.addressof)
        sys.modules["mpi4py"] = types.SimpleNamespace(MPI=MPI)
    return MPI
