# SPDX-License-Identifier: BSD-3-Clause
"""A pancake of charges that repel each other becomes a cigar: where it was thin, it is pushed most.

usage: explosion.py [PICTURE]"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import nearfar as nf

CHARGES, STEPS, TIME_STEP = 6000, 150, 0.04
numbers = np.random.default_rng(7)
x = numbers.uniform(-1, 1, (4 * CHARGES, 3))
x = x[(x**2).sum(axis=1) < 1][:CHARGES] * [1, 1, 0.1]
v, charges = np.zeros_like(x), np.full(CHARGES, 1 / CHARGES)  # a charge and a mass of 1 in all
plan = nf.Fmm("laplace", tolerance=1e-5, outputs=("potential", "gradient"))
points = plan.set_points(x)
potential, gradient = plan.execute(points, charges)


def energy():
    return 0.5 * (v**2).sum() / CHARGES + 0.5 * (charges * potential).sum()


before, kept = energy(), [x.copy()]
for step in range(1, STEPS + 1):  # leapfrog
    v -= 0.5 * TIME_STEP * gradient
    x += TIME_STEP * v
    points = plan.move_points(points, x)
    potential, gradient = plan.execute(points, charges)
    v -= 0.5 * TIME_STEP * gradient
    if step % (STEPS // 3) == 0:
        kept.append(x.copy())
print(f"length across by thickness goes from {np.ptp(kept[0][:, 0]) / np.ptp(kept[0][:, 2]):.1f} to "
      f"{np.ptp(x[:, 0]) / np.ptp(x[:, 2]):.1f}; the energy changes by {abs(energy() / before - 1):.1%}")

figure, axes = plt.subplots(1, 4, figsize=(9, 2.7), layout="constrained", sharey=True)
for k, (axis, cloud) in enumerate(zip(axes, kept)):
    axis.plot(cloud[:, 0], cloud[:, 2], ".", markersize=0.7)
    axis.set(title=f"t = {k * STEPS // 3 * TIME_STEP:.0f}", xlabel="x", xlim=(-12, 12), ylim=(-12, 12), aspect="equal")
axes[0].set_ylabel("z")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
