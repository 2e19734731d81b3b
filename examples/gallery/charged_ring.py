# SPDX-License-Identifier: BSD-3-Clause
"""Poisson's equation on a grid with open ends: the potential of a charged ring.

usage: charged_ring.py [PICTURE]"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import nearfar as nf

CELLS, RADIUS, WIDTH = 96, 0.5, 0.05
spacing = 2 / CELLS
centre = (np.arange(CELLS) + 0.5) * spacing - 1
x, y, z = np.meshgrid(centre, centre, centre, indexing="ij")
density = np.exp(-((np.hypot(x, y) - RADIUS) ** 2 + z**2) / (2 * WIDTH**2))
density /= density.sum() * spacing**3  # a charge of 1

solver = nf.Poisson(density.shape, spacing=spacing, field=True)
potential, field = solver(density)
axis_of_ring = potential[CELLS // 2, CELLS // 2]
thin = 1 / (4 * np.pi * np.sqrt(centre**2 + RADIUS**2))  # of a thin ring, on its axis
print(f"on the axis the potential differs by {np.abs(axis_of_ring / thin - 1).max():.1%} from that of a thin ring")

figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
cut = CELLS // 2
axes[0].contourf(centre, centre, potential[:, cut].T, 30)
axes[0].streamplot(centre, centre, field[:, cut, :, 0].T, field[:, cut, :, 2].T, color="white", linewidth=0.5,
                   arrowsize=0.6)
axes[0].set(xlabel="x", ylabel="z", aspect="equal", xlim=(-1, 1), ylim=(-1, 1))
axes[1].plot(centre, axis_of_ring, label="on the axis")
axes[1].plot(centre, thin, "k--", linewidth=1, label="thin ring")
axes[1].set(xlabel="z", ylabel="potential")
axes[1].legend()
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
