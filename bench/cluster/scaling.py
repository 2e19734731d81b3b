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

    def run(self, solve, machine):
        """What nearfar_simulate says."""
        source = self.folder / "machine.txt"
        source.write_text(write(machine))
        words = [self.simulate, self.graph(write(solve)), source]
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
