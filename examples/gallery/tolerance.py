# SPDX-License-Identifier: BSD-3-Clause
"""A tolerance is kept: the error of sums that were asked for 1e-3 to 1e-10, in all periodicities.

usage: tolerance.py [PICTURE]"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import nearfar as nf

numbers = np.random.default_rng(5)
x, f = numbers.random((2000, 3)), numbers.standard_normal((2000, 3))
tolerances = 10.0 ** -np.arange(3, 11)
figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained", sharey=True)
most = 0
for axis, kernel, strengths in ((axes[0], "laplace", f[:, 0].copy()), (axes[1], "stokeslet", f)):
    for pbc, label in ((True, "x, y and z"), ("xy", "x and y"), ("x", "x"), (False, "none")):
        def solve(tolerance):
            plan = nf.Ewald(kernel, cell=1, pbc=pbc, tolerance=tolerance)
            return plan.execute(plan.set_points(x), strengths)

        exact = solve(1e-12)
        errors = [np.linalg.norm(solve(t) - exact) / np.linalg.norm(exact) for t in tolerances]
        most = max(most, max(errors / tolerances))
        axis.loglog(tolerances, errors, "o-", markersize=3, linewidth=1, label=f"periodic: {label}")
    axis.loglog(tolerances, tolerances, "k--", linewidth=1, label="the tolerance")
    axis.set(title=kernel, xlabel="tolerance")
axes[0].set_ylabel("relative l2 error")
axes[0].legend()
print(f"the largest error is {most:.2f} of its tolerance")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
