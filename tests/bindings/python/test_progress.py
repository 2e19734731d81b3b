# SPDX-License-Identifier: BSD-3-Clause
"""Progress callbacks of jobs."""

import asyncio
import gc
import threading
import weakref

import numpy as np
import pytest

import nearfar as nf

COUNT = 20000


@pytest.fixture(scope="module")
def large():
    """A plan whose solves have some hundred tasks, its points, and forces."""
    numbers = np.random.default_rng(5)
    plan = nf.Ewald("stokeslet", cell=1, tolerance=1e-8)
    return plan, plan.set_points(numbers.random((COUNT, 3))), numbers.standard_normal((COUNT, 3))


def check_complete(told):
    percents = [int(100 * fraction) for fraction in told]
    assert told[-1] == 1 and told[0] > 0
    assert percents == sorted(set(percents))


def test_increases_to_one(large):
    plan, points, f = large
    told, threads = [], set()

    def tell(fraction):
        told.append(fraction)
        threads.add(threading.get_ident())

    u = plan.execute(points, f, progress=tell)
    check_complete(told)
    assert 5 < len(told) <= 100 and threading.get_ident() not in threads
    calls = len(told)
    assert np.array_equal(plan.execute(points, f), u) and len(told) == calls


def test_several_in_flight_and_awaited(large):
    plan, points, f = large
    told = [[], [], []]

    async def one(k):
        job = plan.submit(points, f)
        job.on_progress(told[k].append)
        return await job

    async def solve_all():
        return await asyncio.gather(*(one(k) for k in range(3)))

    results = asyncio.run(solve_all())
    assert np.array_equal(results[0], results[2])
    for each in told:
        check_complete(each)


def test_every_call_has_it():
    numbers = np.random.default_rng(6)
    x, q = numbers.random((2000, 3)), numbers.standard_normal(2000)
    plan = nf.Fmm("laplace")
    calls = [
        lambda told: nf.laplace(x, q, cell=1, pbc=True, progress=told.append),
        lambda told: nf.stokes(x, stokeslet=x, progress=told.append),
        lambda told: nf.direct("laplace", x, q, progress=told.append),
        lambda told: nf.Poisson((16, 16, 16))(np.ones((16, 16, 16)), progress=told.append),
        lambda told: plan.execute_adjoint(plan.set_points(x), q, progress=told.append),
    ]
    for call in calls:
        told = []
        call(told)
        check_complete(told)


def test_error_is_the_solves(large):
    plan, points, f = large

    class Enough(Exception):
        pass

    def stop(fraction):
        raise Enough(fraction)

    job, other = plan.submit(points, f), plan.submit(points, f)
    job.on_progress(stop)
    for _ in range(2):
        with pytest.raises(Enough) as caught:
            job.wait()
        assert 0 < caught.value.args[0] < 1
    assert np.isfinite(other.wait()).all()


def test_one_callback_which_goes_with_the_solve(large):
    plan, points, f = large

    class Told:
        def tell(self, fraction):
            self.last = fraction

    told = Told()
    job = plan.submit(points, f)
    job.on_progress(told.tell)
    with pytest.raises(ValueError, match="already"):
        job.on_progress(print)
    job.wait()
    assert told.last == 1
    gone = weakref.ref(told)
    del told
    gc.collect()
    assert gone() is None
    late = []
    job.on_progress(late.append)
    assert late == [1]


def test_dropped_job(large):
    plan, points, f = large
    told = []
    plan.submit(points, f).on_progress(told.append)
    gc.collect()
    check_complete(told)
