# SPDX-License-Identifier: BSD-3-Clause
"""Sums that PyTorch and JAX differentiate, by positions and strengths.

For kernels that are their own transpose (docs/conventions.md, "Transposed sums"), the derivatives of sum_i u_i f_i of
results f by a strength are the sum of the numbers u in the place of strengths, and those by the place of a point are
slopes of both sums there: that of f times u, for the point as a target, and that of the sum of u times the strength, for
the point as a source.
"""

import functools
from typing import Any

import numpy

from . import _arrays
from ._plan import Plan
from ._transpose import OWN
from ._types import Array


class Differentiable:
    """The sum of a plan as a function of positions and strengths that PyTorch and JAX differentiate.

    plan: of a kernel that is its own transpose (laplace, yukawa, stokeslet, rotlet) with its first output and
    "gradient". Its cell is a constant.

    Raises ValueError for other plans.
    """

    def __init__(self, plan: Plan) -> None:
        first = plan.outputs[0]
        if (plan.kernel, (first,)) not in OWN or plan.outputs != (first, "gradient"):
            known = sorted({kernel for kernel, outputs in OWN if len(outputs) == 1})
            raise ValueError(f"{plan!r} cannot be differentiated: that takes a kernel among {', '.join(known)} with outputs "
                             f"({first!r}, \"gradient\")")
        self.plan = plan

    def __repr__(self) -> str:
        return f"Differentiable({self.plan!r})"

    def __call__(self, x: Array, strengths: Array) -> Any:
        """The first output, potential (N,) or velocity (N, 3), at the sources, in the shape of the strengths.

        x: positions (N, 3), of PyTorch or JAX; strengths: (N,) or (N, 3), of several vectors (N, K) or (N, K, 3), of that
        library or constant numbers of NumPy. One solve, and one for derivatives.
        Under jax.jit, arrays pass through the host. Raises what Plan.set_points and Plan.execute raise.
        """
        return self._called(x, strengths, _field, _field_slopes)

    def energy(self, x: Array, charges: Array) -> Any:
        """Half the sum of charge times potential, over all vectors: a scalar. Derivatives take no further solve; those by x
        are minus the forces. Arguments and errors are as for a call."""
        if self.plan.outputs[0] != "potential":
            raise ValueError(f"kernel {self.plan.kernel!r} has no energy; call {self!r} itself")
        return self._called(x, charges, _energy, _energy_slopes)

    def _called(self, x, strengths, forward, backward):
        library = _arrays.framework(x)
        if library in ("torch", "jax"):
            strengths = _arrays.in_library_of(strengths, x)
        if library == "torch":
            return _of_torch().apply(x, strengths, self.plan, forward, backward)
        if library != "jax":
            raise TypeError(f"x is an array of {library}, which differentiates nothing; pass one of PyTorch or JAX")
        return _of_jax(self.plan, forward, backward)(x, strengths)


def differentiable(plan: Plan) -> Differentiable:
    """The sum of a plan as a function of positions and strengths that PyTorch and JAX differentiate (Differentiable).

    plan: of laplace, yukawa, stokeslet or rotlet, with outputs (its first one, "gradient"). Raises ValueError for others.
    """
    return Differentiable(plan)


def _solved(plan, x, strengths):
    """The first output, and its slopes: a row of three for each number of it."""
    field, slope = plan.execute(plan.set_points(x), strengths)
    return field, slope.reshape((*field.shape, 3))


def _times(numbers, slopes):
    """The slope of their product, by place: (N,), (N, 3) or (N, 3), (N, 3, 3) or of several vectors, as (N, 3)."""
    product = (numbers[..., None] * slopes).reshape((len(slopes), -1, 3))
    return product.sum(1)


def _field(plan, x, strengths):
    field, slopes = _solved(plan, x, strengths)
    return field, slopes


def _field_slopes(plan, x, strengths, slopes, u):
    back, of_back = _solved(plan, x, u)
    return _times(u, slopes) + _times(strengths, of_back), back


def _energy(plan, x, charges):
    potential, slopes = _solved(plan, x, charges)
    return 0.5 * (charges * potential).sum(), (_times(charges, slopes), potential)


def _energy_slopes(_plan, _x, _charges, kept, u):
    return u * kept[0], u * kept[1]


@functools.cache
def _of_torch():
    import torch

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(context, x, strengths, plan, forward, backward):
            x, strengths = x.detach(), strengths.detach().contiguous()
            result, kept = forward(plan, x, strengths)
            context.save_for_backward(x, strengths, *(kept if isinstance(kept, tuple) else (kept,)))
            context.how = plan, backward
            return result

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(context, u):
            plan, backward = context.how
            x, strengths, *kept = context.saved_tensors
            by_place, by_strength = backward(plan, x, strengths, kept if len(kept) > 1 else kept[0], u.contiguous())
            return by_place, by_strength, None, None, None

    return Function


@functools.lru_cache(maxsize=64)
def _of_jax(plan, forward, backward):
    import jax

    def called(work, shapes, *arrays):
        """At once, or on the host once a compiled program gets there."""
        if not any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree_util.tree_leaves(arrays)):
            return work(plan, *arrays)
        of_host = lambda *given: jax.tree_util.tree_map(
            numpy.asarray, work(plan, *jax.tree_util.tree_map(numpy.ascontiguousarray, given)))
        return jax.pure_callback(of_host, shapes, *arrays)

    def shape(*sizes):
        return jax.ShapeDtypeStruct(sizes, plan.dtype)

    @jax.custom_vjp
    def function(x, strengths):
        return kept_of(x, strengths)[0]

    def kept_of(x, strengths):
        if forward is _energy:
            shapes = shape(), (shape(*x.shape), shape(*strengths.shape))
        else:
            shapes = shape(*strengths.shape), shape(*strengths.shape, 3)
        return called(forward, shapes, x, strengths)

    def first(x, strengths):
        result, kept = kept_of(x, strengths)
        return result, (x, strengths, kept)

    def then(given, u):
        x, strengths, kept = given
        return called(backward, (shape(*x.shape), shape(*strengths.shape)), x, strengths, kept, u)

    function.defvjp(first, then)
    return function
