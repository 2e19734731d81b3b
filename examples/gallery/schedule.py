# SPDX-License-Identifier: BSD-3-Clause
"""What ran where: three solves in flight on two workers, each bar a task.

usage: schedule.py [PICTURE]"""

import json
import pathlib
import subprocess
import sys
import tempfile

import matplotlib.pyplot as plt

SOLVES = """
import nearfar as nf, numpy as np, sys
nf.runtime(cpus=2, trace=sys.argv[1])
numbers = np.random.default_rng(1)
x, f = numbers.random((60000, 3)), numbers.standard_normal((60000, 3))
plan = nf.Ewald("stokeslet", cell=1, tolerance=1e-6)
points = plan.set_points(x)
for job in [plan.submit(points, f) for _ in range(3)]:
    job.wait()
"""
COLORS = {"bin": "tab:gray", "p2g": "tab:blue", "fft": "tab:cyan", "scale": "tab:green", "ifft": "tab:cyan",
          "g2p": "tab:purple", "p2p": "tab:orange"}
OTHERS = "black"  # short tasks before and after: units, reductions, merging

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, "-c", SOLVES, folder], check=True)  # the trace is written when the process ends
    trace = json.loads((pathlib.Path(folder) / "trace.json").read_text())
events = trace["traceEvents"] if isinstance(trace, dict) else trace
tasks = [event for event in events if event["ph"] == "X" and event["pid"] == 0 and "solve" in event["args"]]
last = max(task["args"]["solve"] for task in tasks)
tasks = [task for task in tasks if task["args"]["solve"] > last - 3]
begin = min(task["ts"] for task in tasks)
solves = [{task["args"]["solve"] for task in tasks if task["tid"] == worker} for worker in (0, 1)]
print(f"{len(tasks)} tasks of {len(solves[0] | solves[1])} solves")

figure, axis = plt.subplots(figsize=(9, 2.4), layout="constrained")
for task in tasks:
    color = COLORS.get(task["name"], OTHERS)
    axis.broken_barh([((task["ts"] - begin) / 1000, task["dur"] / 1000)], (task["tid"] - 0.4, 0.8), facecolors=color,
                     edgecolor="white", linewidth=0.4)
axis.set(xlabel="milliseconds", yticks=(0, 1), yticklabels=("CPU 0", "CPU 1"))
legend = {**COLORS, "others": OTHERS}
axis.legend([plt.Rectangle((0, 0), 1, 1, color=color) for color in legend.values()], legend, ncols=len(legend),
            loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False)
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
