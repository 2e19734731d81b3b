# SPDX-License-Identifier: BSD-3-Clause
"""The flow of swimmers in a layer that repeats in x and y: each pushes the fluid away before and behind itself.

usage: swimmers.py [PICTURE]"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import nearfar as nf

numbers = np.random.default_rng(2)
SWIMMERS, EDGE = 30, 10.0
x = np.zeros((SWIMMERS, 3))
x[:, :2] = numbers.uniform(0, EDGE, (SWIMMERS, 2))
angle = numbers.uniform(0, 2 * np.pi, SWIMMERS)
heading = np.stack([np.cos(angle), np.sin(angle), np.zeros(SWIMMERS)], axis=-1)

side = (np.arange(120) + 0.5) * EDGE / 120
a, b = np.meshgrid(side, side, indexing="ij")
targets = np.stack([a, b, np.full_like(a, 0.3)], axis=-1).reshape(-1, 3)
out = nf.stokes(x, stresslet=(-heading, heading), targets=targets, cell=(EDGE, EDGE, 0), pbc="xy", tolerance=1e-6)
u = out.velocity.reshape(*a.shape, 3)

again = nf.stokes(x + [EDGE, 0, 0], stresslet=(-heading, heading), targets=targets, cell=(EDGE, EDGE, 0), pbc="xy")
print(f"shifted by a period, the flow differs by {np.abs(again.velocity - out.velocity).max() / np.abs(u).max():.0e}")

figure, axis = plt.subplots(figsize=(5.2, 4.4), layout="constrained")
shown = axis.imshow(np.linalg.norm(u, axis=2).T, origin="lower", extent=(0, EDGE, 0, EDGE), cmap="magma", norm="log")
axis.streamplot(side, side, u[..., 0].T, u[..., 1].T, color="white", density=1.6, linewidth=0.5, arrowsize=0.6)
axis.quiver(x[:, 0], x[:, 1], heading[:, 0], heading[:, 1], color="tab:cyan", scale=25, width=0.006, zorder=3)
axis.set(xlim=(0, EDGE), ylim=(0, EDGE), xlabel="x", ylabel="y")
figure.colorbar(shown, label="speed")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
