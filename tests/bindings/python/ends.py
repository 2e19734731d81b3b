# SPDX-License-Identifier: BSD-3-Clause
"""Run by ends_test, on several ranks: rank 1 ends in the way that the argument names, while the others solve."""

import os
import sys

import numpy as np
from mpi import mpi

how = sys.argv[1]
if "mpi4py" in sys.argv:
    mpi()
import nearfar as nf

rank = int(os.environ["OMPI_COMM_WORLD_RANK"])  # before MPI is asked


def end():
    if how == "message":
        sys.exit("rank 1 cannot go on")
    if how == "caught":
        try:
            sys.exit(3)
        except SystemExit:
            return
    if how == "raise":
        raise SystemExit(3)
    if how == "return":
        sys.exit(0)
    if how == "exception":
        raise KeyError("rank 1")
    sys.exit(3)


if rank == 1 and how == "before":
    end()
x = np.random.default_rng(rank).random((100, 3))
plan = nf.Ewald("laplace", cell=1, tolerance=1e-3)
points = plan.set_points(x)
plan.execute(points, x[:, 0])
if rank == 1:
    end()
for _ in range(3):
    plan.execute(points, x[:, 0])
print("all ranks came to the end", flush=True)
