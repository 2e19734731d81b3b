# SPDX-License-Identifier: BSD-3-Clause
"""Two vortex rings on one axis: the hind one shrinks, slips through the other, and they change places.

A piece of a vortex line turns the fluid around it (Biot and Savart): it is a rotlet whose torque is the piece, times its
circulation over 4 pi. The pieces move with the flow of all others.

usage: vortex_rings.py [PICTURE]"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import nearfar as nf

PIECES, STEPS, TIME_STEP = 40, 230, 0.005


def along(lines):
    """The piece of line that each point stands for: half the way from the point before to the one after."""
    return (np.roll(lines, -1, axis=1) - np.roll(lines, 1, axis=1)) / 2


angle = 2 * np.pi * np.arange(PIECES) / PIECES
ring = np.stack([np.cos(angle), np.sin(angle), np.zeros(PIECES)], axis=-1)
lines = np.stack([ring, ring + [0, 0, 0.6]])
plan = nf.Fmm("rotlet", tolerance=1e-9)


def flow(lines):
    x = lines.reshape(-1, 3)
    return plan.execute(plan.set_points(x), along(lines).reshape(-1, 3)).reshape(lines.shape)


def impulse(lines):
    return np.cross(lines, along(lines)).sum(axis=(0, 1))[2] / 2


before, radius, height = impulse(lines), [], []
for step in range(STEPS):
    lines = lines + TIME_STEP * flow(lines + TIME_STEP / 2 * flow(lines))  # the midpoint rule
    radius.append(np.hypot(lines[..., 0], lines[..., 1]).mean(axis=1))
    height.append(lines[..., 2].mean(axis=1))
radius, height = np.array(radius), np.array(height)
ahead = np.sign(height[:, 1] - height[:, 0])
print(f"the rings change places {np.count_nonzero(np.diff(ahead))} times; "
      f"their impulse changes by {abs(impulse(lines) / before - 1):.0e}")

figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
for k in (0, 1):
    axes[0].plot(height[:, k], radius[:, k], label=f"ring {k + 1}")
    axes[1].plot(TIME_STEP * np.arange(STEPS), height[:, k] - height.mean(axis=1))
axes[0].set(xlabel="height", ylabel="radius")
axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, frameon=False)
axes[1].set(xlabel="time", ylabel="height above the middle of both")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
