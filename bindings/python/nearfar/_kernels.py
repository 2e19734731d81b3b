# SPDX-License-Identifier: BSD-3-Clause
"""The kernels, and what can be asked of each, as the library tells it."""

from dataclasses import dataclass

from . import _native

#: flags of the C API, in the order of columns
FLAGS = {"potential": 1, "velocity": 2, "pressure": 8, "gradient": 4, "hessian": 16}
#: in the order of the C API
PERIODICITIES = ("none", "x", "xy", "xyz", "y", "z", "xz", "yz")


@dataclass(frozen=True)
class Kernel:
    """What can be asked of a kernel (docs/conventions.md has the formulas)."""

    name: str
    strengths: int  #: numbers per source
    outputs: tuple[str, ...]  #: of Ewald sums and direct sums: any of these with the first
    fmm_outputs: tuple[str, ...]  #: of multipole sums; empty: Fmm does not take this kernel
    pbc: tuple[str, ...]  #: periodic directions that Ewald takes
    fmm_pbc: tuple[str, ...]  #: those that Fmm takes
    energy_outputs: tuple[str, ...]  #: the fewest with which reports have an energy; empty: it has none
    virial_outputs: tuple[str, ...]  #: and a virial
    screening: bool  #: whether it needs the option of that name
    zero_mode: bool  #: whether it has that option
    gauge_length: bool  #: whether it has that option


def _read() -> dict[str, Kernel]:
    found = {}
    for name, strengths, outputs, by_fmm, pbc, fmm_pbc, energy, virial, *options in _native.kernels():
        of, boxes = ([tuple(key for key, flag in FLAGS.items() if bits & flag) for bits in (outputs, by_fmm, energy, virial)],
                     [tuple(box for i, box in enumerate(PERIODICITIES) if bits >> i & 1) for bits in (pbc, fmm_pbc)])
        found[name] = Kernel(name, strengths, of[0], of[1], boxes[0], boxes[1], of[2], of[3], *options)
    return found


#: in the order of the C API
KERNELS = _read()


def kernels() -> dict[str, Kernel]:
    """The kernels by name, and what can be asked of each: outputs, periodic directions, options; by Ewald and multipole
    sums. Starts nothing, and never raises."""
    return dict(KERNELS)
