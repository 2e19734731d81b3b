#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/cluster/traffic.py FOLDER [GPUS]...

What GPUs that share an Ewald sum read from each other, in megabytes by who writes and who reads it: from graphs that
nearfar_record of the build folder FOLDER makes, for 2 and 4 GPUs unless others are named. 1.6e7 points to 1e-6, each GPU
with a slab and a block: first all data whole, then of slabs and blocks what is read. Positions are not counted: they
are there after the first solve with them."""

import collections
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from scaling import smooth_at_least  # noqa: E402

POINTS = 1.6e7


def description(kernel, gpus, parts):
    cutoff = (3 * 125 / (4 * math.pi * POINTS)) ** (1 / 3)
    grid = smooth_at_least(240 * (POINTS / 1e6) ** (1 / 3))
    along = gpus * int(1 / cutoff / gpus)
    return {"kernel": kernel, "ranks": gpus, "points": POINTS, "box": "1 1 1", "cutoff": cutoff, "split": 21.25, "window": 10,
            "grid": f"{grid} {grid} {grid}", "cells": f"{along} {int(1 / cutoff)} {int(4 / cutoff)}", "blocks": f"{gpus} 1 1",
            "slabs": gpus, "columns": gpus, "near_in_single": "yes", "mutual": "no",
            "on_gpus": "yes" if parts else "no"}


def traffic(steps):
    """Bytes of messages by the stages of the tasks that write and read them."""
    readers, bytes_of = collections.defaultdict(list), collections.Counter()
    for number, step in enumerate(steps):
        for before in step[4 if step[0] == "message" else 5:]:
            readers[int(before)].append(steps[number])
    for number, step in enumerate(steps):
        if step[0] != "message":
            continue
        writers = [w for w in (steps[int(before)] for before in step[4:]) if w[0] == "task" and w[1] == step[1]]
        there = [r for r in readers[number] if r[0] == "task" and r[1] == step[2]]
        bytes_of[writers[-1][4] if writers else "?", there[0][4] if there else "?"] += int(step[3])
    return bytes_of


def main(folder, *gpus):
    for kernel in ("stokes", "laplace"):
        for count in map(int, gpus or ("2", "4")):
            for parts in (False, True):
                with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
                    file.writelines(f"{name} {value}\n" for name, value in description(kernel, count, parts).items())
                    file.flush()
                    text = subprocess.run([f"{folder}/bench/nearfar_record", file.name], stdout=subprocess.PIPE, check=True,
                                          text=True).stdout
                bytes_of = traffic([line.split() for line in text.splitlines()])
                rows = ", ".join(f"{writer} to {reader} {size / 1e6:.0f}"
                                 for (writer, reader), size in bytes_of.most_common() if size >= 1e6)
                print(f"{kernel}, {count} GPUs, {'parts' if parts else 'whole'}: {sum(bytes_of.values()) / 1e6:.0f} MB: {rows}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
