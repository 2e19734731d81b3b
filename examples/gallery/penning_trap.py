# SPDX-License-Identifier: BSD-3-Clause
"""A Penning trap by the particle-in-cell loop of the program: electrons in the field of a magnet and of electrodes.

usage: penning_trap.py [PICTURE]"""

import pathlib
import re
import subprocess
import sys
import tempfile

import matplotlib.pyplot as plt
import numpy as np

GRID, PARTICLES, AT = 32, 40000, (0, 200, 400)


def read_density(path):
    """The numbers of an image file of VTK as nearfar writes it, in the order [z, y, x]."""
    data = path.read_bytes()
    nx, ny, nz = map(int, re.search(rb'WholeExtent="0 (\d+) 0 (\d+) 0 (\d+)"', data).groups())
    begin = data.index(b'encoding="raw">\n_') + len(b'encoding="raw">\n_') + 8
    return np.frombuffer(data, "<f8", nx * ny * nz, begin).reshape(nz, ny, nx)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    subprocess.run(
        [sys.executable, "-m", "nearfar", "pic", "--case", "penning-trap", "--grid", f"{GRID},{GRID},{GRID}",
         "--particles", str(PARTICLES), "--steps", str(AT[-1]), "--quiet", "--output", folder / "energy.csv",
         "--density", folder / "rho.vti", "--at", ",".join(map(str, AT))], check=True)
    energy = np.genfromtxt(folder / "energy.csv", delimiter=",", names=True)
    densities = [read_density(path) for path in sorted(folder.glob("rho*.vti"))]

figure, axes = plt.subplots(1, 3, figsize=(9, 3.2), layout="constrained", sharey=True)
for axis, step, density in zip(axes, AT, densities):
    axis.imshow(np.abs(density).sum(axis=1), origin="lower", extent=(0, 20, 0, 20))
    axis.set(title=f"t = {step * 0.005:.0f}", xlabel="x")
axes[0].set_ylabel("z")
total = densities[0].sum(), densities[-1].sum()
print(f"{len(densities)} pictures; the charge on the grid changes by {abs(total[1] / total[0] - 1):.0e} of itself")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
