# SPDX-License-Identifier: BSD-3-Clause
"""What a user writes, for a type checker (test_types.py); it is not run."""

import asyncio
from typing import Any

import numpy as np
import numpy.typing as npt

import nearfar as nf

x: npt.NDArray[np.float64] = np.zeros((10, 3))
out: nf.Sum = nf.laplace(x, x[:, 0], cell=1, pbc="xy", tolerance=1e-6, outputs=("potential", "gradient"))
energy: float | None = out.energy
flow = nf.stokes(x, stokeslet=x, stresslet=(x, x), cell=[[1, 0, 0], [0, 1, 0], [0, 0, 1]], pbc=True, window="pswf")
plan = nf.Ewald("stokeslet", cell=1.0, outputs="velocity", dtype=np.float32)
points: nf.Points = plan.set_points(x, targets=None, adjoint=True)
points = plan.move_points(points, x)
sheared: nf.Points | None = plan.set_cell((1, 2, 3), points)
job: nf.Job = nf.Fmm("laplace").submit(points, (x, x), stream=None)
job.on_progress(print)
ready: bool = job.ready()
report: dict[str, Any] = job.report()
u = plan.execute_adjoint(points, x, out=x, progress=lambda fraction: None)
potential = nf.Poisson((8, 8, 8), spacing=0.1, pbc=(True, False, True), field=True)(x).potential
workers = nf.runtime(scheduler="lws", cpus=4).workers
text: str = nf.doctor()
pbc: tuple[str, ...] = nf.kernels()["laplace"].fmm_pbc
slope: nf.Differentiable = nf.differentiable(nf.Ewald("laplace", cell=1, outputs=("potential", "gradient")))
half = slope.energy(x, x[:, 0])
vorticity = nf.flow.vorticity(np.zeros((2, 9)))


async def solve() -> Any:
    return await job


asyncio.run(solve())
