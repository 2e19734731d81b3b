# SPDX-License-Identifier: BSD-3-Clause
"""Derivatives by PyTorch and JAX, against differences of direct sums, the energy's forces, and Madelung's constant."""

import numpy as np
import pytest

import nearfar as nf

KERNELS = ["laplace", "yukawa", "stokeslet", "rotlet"]
numbers = np.random.default_rng(6)
X = numbers.random((12, 3))
PUT, ALONG = numbers.standard_normal((12, 3)), numbers.standard_normal((12, 3))  # strengths, and a direction to go along
WEIGHTS = numbers.standard_normal((12, 3))


def how(kernel):
    return {"screening": 2.0} if kernel == "yukawa" else {}


def columns(kernel, rows):
    return rows if nf.kernels()[kernel].strengths == 3 else rows[:, 0].copy()


def function_of(kernel, method=nf.Ewald, **further):
    first = nf.kernels()[kernel].outputs[0]
    return nf.differentiable(method(kernel, pbc=False, tolerance=1e-9, outputs=(first, "gradient"), **how(kernel), **further))


def loss(kernel, x, strengths):
    """By direct sums."""
    return float((columns(kernel, WEIGHTS) * nf.direct(kernel, x, strengths, **how(kernel))).sum())


def expected(kernel):
    """Derivatives by x and by strengths, along a direction: differences of fourth order."""
    def slope(of):
        step = 1e-3
        return (8 * (of(step) - of(-step)) - of(2 * step) + of(-2 * step)) / (12 * step)

    put, along = columns(kernel, PUT), columns(kernel, ALONG)
    return (slope(lambda s: loss(kernel, X + s * 0.01 * ALONG, put)) / 0.01,
            slope(lambda s: loss(kernel, X, put + s * along)))


def by_torch(function, x, strengths, weights):
    torch = pytest.importorskip("torch")
    x, strengths = (torch.from_numpy(part.copy()).requires_grad_() for part in (x, strengths))
    (torch.from_numpy(weights) * function(x, strengths)).sum().backward()
    return x.grad.numpy(), strengths.grad.numpy()


def by_jax(function, x, strengths, weights, compiled=False):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    slopes = jax.grad(lambda x, s: (weights * function(x, s)).sum(), argnums=(0, 1))
    return (jax.jit(slopes) if compiled else slopes)(jax.numpy.asarray(x), jax.numpy.asarray(strengths))


def compiled_by_jax(function, x, strengths, weights):
    return by_jax(function, x, strengths, weights, compiled=True)


LIBRARIES = [by_torch, by_jax, compiled_by_jax]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("library", LIBRARIES)
def test_derivatives(kernel, library):
    by_place, by_strength = library(function_of(kernel), X, columns(kernel, PUT), columns(kernel, WEIGHTS))
    along_x, along_strengths = expected(kernel)
    assert (by_place * ALONG).sum() == pytest.approx(along_x, rel=1e-6)
    assert (by_strength * columns(kernel, ALONG)).sum() == pytest.approx(along_strengths, rel=1e-6)


@pytest.mark.parametrize("library", LIBRARIES)
def test_by_multipoles(library):
    slopes = [library(function_of("laplace", method), X, PUT[:, 0].copy(), WEIGHTS[:, 0].copy())
              for method in (nf.Ewald, nf.Fmm)]
    for one, other in zip(*slopes):
        assert np.allclose(one, other, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("library", LIBRARIES)
def test_softened_energy(library):
    """Of two stars at a distance of 3: -d/dx of 1 / sqrt(9 + 0.25)."""
    plan = nf.Fmm("laplace", softening=0.5, depth=0, outputs=("potential", "gradient"))
    by_place, by_mass = library(nf.differentiable(plan).energy, np.array([[0, 0, 0], [3.0, 0, 0]]), np.array([2.0, 5]),
                                np.array(1.0))
    assert np.allclose(by_mass, np.array([5, 2]) / 9.25**0.5, rtol=1e-12)
    assert np.allclose(by_place, 10 * 3 / 9.25**1.5 * np.array([[1, 0, 0], [-1, 0, 0]]), rtol=1e-12)


@pytest.mark.parametrize("library", LIBRARIES)
def test_energy_of_a_crystal(library, salt):
    """Its derivative by charges is the potential, minus or plus Madelung's constant; there are no forces."""
    ions, charges = salt
    plan = nf.Ewald("laplace", cell=2, tolerance=1e-9, outputs=("potential", "gradient"))
    by_place, by_charge = library(nf.differentiable(plan).energy, ions, charges, np.array(1.0))
    assert np.allclose(by_charge, -1.747564594633182 * charges, rtol=1e-8)
    assert np.abs(by_place).max() < 1e-7


@pytest.mark.parametrize("library", LIBRARIES)
def test_energy_is_that_of_the_sum(library):
    function, q = function_of("laplace"), PUT[:, 0].copy()
    half_q = lambda x, charges: 0.5 * charges * function(x, charges)
    for one, other in zip(library(function.energy, X, q, np.array(3.0)), library(half_q, X, q, np.array(3.0))):
        assert np.allclose(one, other, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("kernel", ["laplace", "stokeslet"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_several_vectors(kernel, library):
    """Have the derivatives by strengths that each has alone, and the sum of those by places."""
    function = function_of(kernel)
    put, weights = (np.stack([columns(kernel, part), columns(kernel, part[::-1])], axis=1) for part in (PUT, WEIGHTS))
    by_place, by_strength = library(function, X, put, weights)
    alone = [library(function, X, put[:, k].copy(), weights[:, k].copy()) for k in range(2)]
    assert np.allclose(by_place, sum(np.asarray(place) for place, _ in alone), rtol=1e-9, atol=1e-9)
    assert np.allclose(by_strength, np.stack([strength for _, strength in alone], axis=1), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("library", LIBRARIES)
def test_strengths_that_are_constant_numbers(library):
    """Of NumPy: what differentiates is by places."""
    function, q, weights = function_of("laplace"), PUT[:, 0].copy(), WEIGHTS[:, 0].copy()
    for call, factor in ((function, weights), (function.energy, np.array(1.0))):
        expected, _ = library(call, X, q, factor)
        by_place, _ = library(lambda x, _, call=call: call(x, q), X, q, factor)
        assert np.array_equal(by_place, expected)


def test_what_cannot_be_differentiated():
    for plan in (nf.Ewald("laplace", cell=1), nf.Ewald("dipole", cell=1, outputs=("potential", "gradient"))):
        with pytest.raises(ValueError, match=r"cannot be differentiated: that takes .* with outputs \('potential', \"gradient\"\)"):
            nf.differentiable(plan)
    with pytest.raises(ValueError, match="has no energy"):
        function_of("stokeslet").energy(X, PUT)
    with pytest.raises(TypeError, match="x is an array of numpy, which differentiates nothing"):
        function_of("laplace")(X, PUT[:, 0].copy())
