# SPDX-License-Identifier: BSD-3-Clause
"""Long-range sums over particles and Poisson's equation, to a tolerance, on all cores and GPUs.

One call:   nf.laplace(x, q, cell=h, pbc=True), nf.stokes(y, stokeslet=f), nf.direct(...)
Plans:      nf.Ewald(...), nf.Fmm(...), nf.Poisson(...), for many sums over the same points or grids
Kernels:    nf.kernels(), what can be asked of each; nf.flow, stress and vorticity from pressure and gradient
Machine:    nf.info(), nf.doctor(), nf.runtime(scheduler=..., cpus=..., gpus=...)

Positions are rows (x, y, z). A source does not act on itself, but its images do. Sums are not scaled by 1 / (4 pi) or
1 / (8 pi mu). Arrays may be of NumPy, PyTorch, JAX, CuPy or any other library that has the buffer protocol, __dlpack__
or __cuda_array_interface__; results are of the caller's library, on the caller's device.

Errors: ValueError and TypeError name the argument, what it is, and what it should be; MemoryError says what is lacking
for a problem of that size; RuntimeError is a defect of nearfar.
"""

from . import _library  # isort: skip, for it chooses what the others load
from . import flow
from ._differentiable import Differentiable, differentiable
from ._direct import direct
from ._ewald import Ewald
from ._fmm import Fmm
from ._job import Job
from ._kernels import Kernel, kernels
from ._machine import doctor, info
from ._native import version as _version
from ._outputs import Field
from ._plan import Points
from ._poisson import Poisson
from ._runtime import runtime
from ._several import Arrays
from ._sums import Sum, laplace, stokes

__version__ = _version()
__all__ = ["Arrays", "Differentiable", "Ewald", "Field", "Fmm", "Job", "Kernel", "Points", "Poisson", "Sum",
           "differentiable", "direct", "doctor", "flow", "info", "kernels", "laplace", "runtime", "stokes"]
