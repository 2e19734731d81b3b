# SPDX-License-Identifier: BSD-3-Clause
"""A capacitor of charges: two plates without end, one positive and one negative, each of single ions.

usage: capacitor.py [PICTURE]"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import nearfar as nf

EDGE, IONS, HALF = 4.0, 4, 2.0  # of a plate that repeats in x and y; the plates are at z = -2 and 2
side = (np.arange(IONS) + 0.5) * EDGE / IONS
x, y = (part.ravel() for part in np.meshgrid(side, side, indexing="ij"))
ions = np.concatenate([np.stack([x, y, np.full_like(x, z)], axis=-1) for z in (-HALF, HALF)])
charges = np.repeat([-1.0, 1.0], IONS**2)
density = IONS**2 / EDGE**2

across, up = np.linspace(0, EDGE, 121), np.linspace(-4, 4, 241)
a, z = np.meshgrid(across, up, indexing="ij")
targets = np.stack([a, np.full_like(a, 0.5), z], axis=-1).reshape(-1, 3)
out = nf.laplace(ions, charges, targets=targets, cell=(EDGE, EDGE, 0), pbc="xy", tolerance=1e-8)
potential = out.potential.reshape(a.shape)
exact = 2 * np.pi * density * (np.abs(up + HALF) - np.abs(up - HALF))  # of plates that are charged evenly
middle, between = potential[15], np.abs(up) < 1  # half-way between ions
print(f"between the plates the potential differs by {np.abs(middle - exact)[between].max() / exact.max():.0e} "
      "from that of even plates")

figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
shown = axes[0].contourf(across, up, potential.T, np.linspace(-30, 30, 31), cmap="RdBu_r", extend="both")
axes[0].set(xlabel="x", ylabel="z", aspect="equal")
figure.colorbar(shown, ax=axes[0], label="potential")
axes[1].plot(up, potential[0], label="between two ions")
axes[1].plot(up, exact, "k--", linewidth=1, label="even plates")
axes[1].set(xlabel="z", ylabel="potential")
axes[1].legend()
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
