# SPDX-License-Identifier: BSD-3-Clause
"""A cloud of a suspension sinks through a viscous fluid, swells, and loses a tail.

usage: suspension.py [PICTURE]"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import nearfar as nf

BEADS, STEPS = 1500, 420
numbers = np.random.default_rng(4)
x = numbers.uniform(-1, 1, (8 * BEADS, 3))
x = np.ascontiguousarray(x[(x**2).sum(axis=1) < 1][:BEADS])  # a ball of radius 1
weight = np.tile([0.0, 0.0, -1.0 / BEADS], (BEADS, 1))

plan = nf.Fmm("stokeslet", tolerance=1e-4)
points, u = plan.set_points(x), np.empty_like(x)
start, kept = x[:, 2].mean(), [x - x.mean(axis=0)]
for step in range(1, STEPS + 1):
    plan.execute(points, weight, out=u)
    if step == 1:
        print(f"the cloud begins to sink at {-u[:, 2].mean():.2f}, a ball of force at 1.60 of its weight by radius")
    x += 0.25 * u
    points = plan.move_points(points, x)
    if step % (STEPS // 3) == 0:
        kept.append(x - np.median(x, axis=0))
print(f"it has sunk by {start - np.median(x[:, 2]):.0f} radii")

figure, axes = plt.subplots(2, 4, figsize=(9, 5.6), layout="constrained", sharex=True, sharey="row")
for column, cloud in enumerate(kept):
    axes[0, column].plot(cloud[:, 0], cloud[:, 2], ".", markersize=1)
    axes[1, column].plot(cloud[:, 0], cloud[:, 1], ".", markersize=1)
    axes[0, column].set(title=f"step {column * STEPS // 3}", aspect="equal", xlim=(-2.5, 2.5), ylim=(-2, 5))
    axes[1, column].set(aspect="equal", ylim=(-2.5, 2.5))
axes[0, 0].set_ylabel("from the side")
axes[1, 0].set_ylabel("from above")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
