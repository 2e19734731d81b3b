#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Described solves: their graphs by nearfar_record, and what these take on described machines by nearfar_simulate."""

import functools
import json
import math
import pathlib
import subprocess
import tempfile


def write(fields):
    """As nearfar_record and nearfar_simulate read it."""
    def text(value):
        if isinstance(value, bool):
            return "yes" if value else "no"
        return " ".join(f"{v:.17g}" if isinstance(v, float) else str(v) for v in value) if isinstance(value, (list, tuple)) \
            else f"{value:.17g}" if isinstance(value, float) else str(value)
    return "".join(f"{name} {text(value)}\n" for name, value in fields.items())


def smooth_at_least(least):
    """The smallest even number that suits a transform."""
    n = 2 * math.ceil(least / 2)
    while True:
        rest = n
        for prime in (2, 3, 5, 7):
            while rest % prime == 0:
                rest //= prime
        if rest == 1:
            return n
        n += 2


def read_fields(path):
    """Of a file: the fields, and seconds by stages, if it has any."""
    fields, seconds = {}, {}
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if words and words[0] == "seconds":
            seconds[" ".join(words[2:])] = float(words[1])
        elif words:
            fields[words[0]] = " ".join(words[1:])
    return fields, seconds


def with_host_arrays(steps, gpus, strengths, results, pieces=8):
    """Steps of a graph of GPUs, with those that bring strengths and results between them and the host, a rank after the
    GPUs: its workers copy each GPU's part to pinned memory or from there, in so many pieces (a task has a flop for each
    byte), and the rest is messages."""
    before = []
    arrived = {gpu: [] for gpu in range(gpus)}
    for piece in range(pieces):
        for gpu in range(gpus):
            before.append(f"task {gpus} {-piece} {strengths / gpus / pieces:.0f} copy_strengths")
            arrived[gpu].append(len(before))
            before.append(f"message {gpus} {gpu} {strengths / gpus / pieces:.0f} {len(before) - 1}")
    moved, merges = [], {gpu: [] for gpu in range(gpus)}
    for step in steps:
        words = step.split()
        fixed = 4 if words[0] == "message" else 5
        waits = [int(w) + len(before) for w in words[fixed:]]
        if words[0] == "task" and words[4] == "bin":
            waits += arrived[int(words[1])]
        if words[0] == "task" and words[4] == "merge":
            merges[int(words[1])].append(len(before) + len(moved))
        moved.append(" ".join(words[:fixed] + [str(w) for w in sorted(waits)]))
    after = []
    for gpu in range(gpus):
        for piece in range(pieces):
            number = len(before) + len(moved) + len(after)
            done = " ".join(map(str, merges[gpu]))
            after.append(f"message {gpu} {gpus} {results / gpus / pieces:.0f} {done}")
            after.append(f"task {gpus} 0 {results / gpus / pieces:.0f} copy_results {number}")
    return before + moved + after


class Programs:
    def __init__(self, folder):
        self.record = folder / "bench/nearfar_record"
        self.simulate = folder / "bench/nearfar_simulate"
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    @functools.cache
    def graph(self, description):
        """The file of its graph."""
        file = self.folder / f"graph{len(list(self.folder.iterdir()))}"
        source = file.with_suffix(".txt")
        source.write_text(description)
        with file.open("w") as out:
            subprocess.run([self.record, source], stdout=out, check=True)
        return file

    @functools.cache
    def graph_from_host(self, description, strengths, results):
        """The same, where arrays on the host have so many bytes."""
        file = self.graph(description)
        fields = dict(line.split(maxsplit=1) for line in description.splitlines())
        whole = file.with_suffix(f".host-{strengths:.0f}-{results:.0f}")
        whole.write_text("\n".join(with_host_arrays(file.read_text().splitlines(), int(fields["ranks"]), strengths, results))
                         + "\n")
        return whole

    def run(self, solve, machine, arrays=None):
        """What nearfar_simulate says. `arrays`: bytes of strengths and results on the host; else they are on the GPUs."""
        source = self.folder / "machine.txt"
        source.write_text(write(machine))
        graph = self.graph_from_host(write(solve), *arrays) if arrays else self.graph(write(solve))
        words = [self.simulate, graph, source]
        return json.loads(subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)

    def build_seconds(self, solve):
        """Of one core, in which one of the ranks builds its part."""
        source = self.folder / "solve.txt"
        source.write_text(write(solve))
        return float(subprocess.run([self.record, "--build", source], stdout=subprocess.PIPE, check=True).stdout)

    def rates(self, reference, seconds):
        """Seconds of a flop of each stage, as a machine has them: a key of several stages, separated by blanks, is for
        what they take together."""
        flops = {}
        for line in self.graph(write(reference)).open():
            words = line.split()
            if words[0] == "task":
                flops[words[4]] = flops.get(words[4], 0) + float(words[3])
        return {f"stage {stage}": time / sum(flops[s] for s in stages.split())
                for stages, time in seconds.items() for stage in stages.split()}
