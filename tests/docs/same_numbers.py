# SPDX-License-Identifier: BSD-3-Clause
"""usage: same_numbers.py PAGE

The programs of docs/coming-from.md that other packages run (py) give the numbers of those of nearfar (python) beside them,
with the factors that the page names."""

import pathlib
import re
import sys

import numpy as np

BLOCKS = re.findall(r"^```(py|python)\n(.*?)^```$", pathlib.Path(sys.argv[1]).read_text(), re.M | re.S)
PAIRS = [(theirs, ours) for (kind, theirs), (other, ours) in zip(BLOCKS, BLOCKS[1:]) if (kind, other) == ("py", "python")]


def run(program):
    names = {}
    exec(program, names)
    return names


def expect(value, exact, error):
    value, exact = np.asarray(value), np.asarray(exact)
    assert value.shape == exact.shape, f"shapes {value.shape} and {exact.shape}"
    found = np.linalg.norm(value - exact) / np.linalg.norm(exact)
    print(f"differ by {found:.1e}, at most {error:.0e} is right")
    assert found <= error


finufft, fmm3d = ([run(program) for program in pair] for pair in PAIRS)
expect(finufft[0]["phi"], finufft[1]["phi"], 2e-9)
theirs, ours = fmm3d
expect(4 * np.pi * theirs["out"].pot, ours["out"].potential, 2e-6)
expect(4 * np.pi * theirs["out"].grad.T, ours["out"].gradient, 2e-6)
expect(8 * np.pi * np.squeeze(theirs["flow"].pot).T, ours["flow"], 2e-6)
