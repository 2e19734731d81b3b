# SPDX-License-Identifier: BSD-3-Clause
"""The field of a crystal: the potential of rock salt in planes between its ions.

usage: crystal.py [PICTURE]"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import nearfar as nf

ions = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)  # a cell of 2 x 2 x 2
charges = (-1.0) ** ions.sum(axis=1)
plan = nf.Ewald("laplace", cell=2, pbc=True, tolerance=1e-9, outputs=("potential", "gradient"))

side = (np.arange(160) + 0.5) * 4 / 160  # two cells, none of whose points is an ion
x, y = np.meshgrid(side, side, indexing="ij")
heights = (0.0, 0.15, 0.35)
figure, axes = plt.subplots(1, 3, figsize=(9, 3), layout="constrained", sharey=True)
for axis, z in zip(axes, heights):
    targets = np.stack([x, y, np.full_like(x, z)], axis=-1).reshape(-1, 3)
    points = plan.set_points(ions, targets)
    potential, gradient = plan.execute(points, charges)
    shown = axis.imshow(potential.reshape(x.shape).T, origin="lower", extent=(0, 4, 0, 4), cmap="RdBu_r", vmin=-2, vmax=2)
    field = -gradient.reshape(*x.shape, 3)
    axis.streamplot(side, side, field[..., 0].T, field[..., 1].T, color="0.25", density=0.8, linewidth=0.5, arrowsize=0.6)
    axis.set(title=f"z = {z}", xlabel="x", xlim=(0, 4), ylim=(0, 4))
axes[0].set_ylabel("y")
figure.colorbar(shown, ax=axes, label="potential")

own = plan.execute(plan.set_points(ions), charges).potential[0]
print(f"potential at an ion {own:.8f}, minus Madelung's constant is -1.74756459")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
