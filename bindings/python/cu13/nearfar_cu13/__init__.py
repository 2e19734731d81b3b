# SPDX-License-Identifier: BSD-3-Clause
"""nearfar's library and program for CPUs and NVIDIA GPUs (CUDA 13). The package nearfar loads them from here."""

import os

folder = os.path.dirname(os.path.abspath(__file__))
shared_object = os.path.join(folder, "lib", "libnearfar.so.0")
program = os.path.join(folder, "bin", "nearfar")
