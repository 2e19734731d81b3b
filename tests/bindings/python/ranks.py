# SPDX-License-Identifier: BSD-3-Clause
"""usage: mpirun python ranks.py world|communicator FOLDER

Each rank gives points of its own, one of them none, and gets the results of its own targets. They are left in FOLDER, where
ranks_bits, in C++, compares them with its own."""

import pathlib
import sys

import numpy as np
from mpi import mpi

MPI = mpi() if sys.argv[1] == "communicator" else None
folder = pathlib.Path(sys.argv[2])

import nearfar as nf

if MPI is not None:
    nf.runtime(communicator=MPI.COMM_WORLD)
facts = nf.info()
rank, ranks = facts["rank"], facts["ranks"]
numbers = np.random.default_rng(0)  # the same on all ranks
x, q = numbers.random((300, 3)), numbers.standard_normal(300)
mine = slice(rank, None, ranks - 1) if rank < ranks - 1 else slice(0, 0)
r = np.linalg.norm(x[:, None] - x[None], axis=2)
expected = np.divide(1, r, where=r > 0, out=np.zeros_like(r)) @ q
folder.mkdir(parents=True, exist_ok=True)
x[mine].tofile(folder / f"positions-{rank}")
q[mine].tofile(folder / f"charges-{rank}")
for plan in (nf.Fmm("laplace", tolerance=1e-6), nf.Ewald("laplace", pbc=False, tolerance=1e-6)):
    points = plan.set_points(x[mine])
    phi = plan.execute(points, q[mine])
    assert phi.shape == q[mine].shape
    phi.tofile(folder / f"{type(plan).__name__}-{rank}")
    np.testing.assert_allclose(phi, expected[mine], atol=2e-5 * np.abs(expected).max())
    job = plan.submit(points, q[mine])
    assert np.array_equal(job.wait(), phi) and job.report()["ranks"] == ranks
np.testing.assert_allclose(nf.direct("laplace", x[mine], q[mine]), expected[mine], rtol=1e-10)
density = numbers.standard_normal((7, 6, 5))
whole = nf.Poisson(density.shape, 0.1)(density)
assert (whole is None) == (rank > 0)
solver = nf.Poisson(density.shape, 0.1, slabs=True)
first, last = solver.planes
assert (first, last) == (7 * rank // ranks, 7 * (rank + 1) // ranks)
slab = solver(density[first:last])
assert slab.shape == (last - first, 6, 5) and (rank > 0 or np.array_equal(slab, whole[first:last]))
if rank == 0:
    print(f"{ranks} ranks agree")
