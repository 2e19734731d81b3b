# SPDX-License-Identifier: BSD-3-Clause
"""Solves in flight: many at once, awaited, cancelled, dropped."""

import asyncio
import gc
import os
import threading

import numpy as np
import pytest

import nearfar as nf


@pytest.fixture
def points(cloud, stokeslet_plan):
    return stokeslet_plan.set_points(cloud[0])


def test_many_in_flight(cloud, stokeslet_plan, points):
    f = cloud[1]
    jobs = [stokeslet_plan.submit(points, 2**k * f) for k in range(6)]
    results = [job.wait() for job in jobs]
    assert all(job.ready() for job in jobs)
    assert results[2] is jobs[2].wait()
    for k, result in enumerate(results):
        assert np.array_equal(result, 2**k * results[0])
    assert jobs[0].report()["seconds"] > 0


def test_errors_belong_to_one_job(cloud, stokeslet_plan, points):
    f = cloud[1]
    broken = f.copy()
    broken[3, 2] = np.nan
    good, bad = stokeslet_plan.submit(points, f), stokeslet_plan.submit(points, broken)
    with pytest.raises(ValueError, match="stage"):
        bad.wait()
    assert np.isfinite(good.wait()).all()


def threads_of_process():
    return len(os.listdir("/proc/self/task"))


def test_await_many_without_threads(cloud, stokeslet_plan, points):
    f = cloud[1]

    async def solve_all():
        threads, most = threads_of_process(), 0
        ticks = 0

        async def tick():
            nonlocal ticks, most
            while True:
                ticks += 1
                most = max(most, threads_of_process())
                await asyncio.sleep(0)

        ticking = asyncio.create_task(tick())

        async def one(k):
            return await stokeslet_plan.submit(points, 2**k * f)

        results = await asyncio.gather(*(one(k) for k in range(8)))
        assert most == threads_of_process() == threads
        ticking.cancel()
        return results, ticks

    stokeslet_plan.execute(points, f)  # the workers are there
    results, ticks = asyncio.run(solve_all())
    assert ticks > 1
    assert np.array_equal(results[7], 128 * results[0])

    async def fail():
        return await stokeslet_plan.submit(points, f * np.nan)

    with pytest.raises(ValueError, match="stage"):
        asyncio.run(fail())


def test_then(cloud, stokeslet_plan, points):
    ended = threading.Event()
    job = stokeslet_plan.submit(points, cloud[1])
    job.then(ended.set)
    assert ended.wait(60)
    job.wait()
    late = threading.Event()
    job.then(late.set)
    assert late.is_set()


def test_cancel():
    numbers = np.random.default_rng(2)
    x, f = numbers.random((60000, 3)), numbers.random((60000, 3))
    plan = nf.Ewald("stokeslet", cell=1, tolerance=1e-8)
    points = plan.set_points(x)
    job = plan.submit(points, f)
    job.cancel()
    with pytest.raises(ValueError, match="cancelled by its caller"):
        job.wait()
    assert np.isfinite(plan.execute(points, f)).all()


def test_dropped_job_ends_before_its_memory_goes(cloud, stokeslet_plan, points):
    for _ in range(20):
        stokeslet_plan.submit(points, cloud[1].copy())
    gc.collect()


def test_interpreter_runs_while_a_solve_does():
    """The lock is released: another thread counts while this one waits."""
    numbers = np.random.default_rng(3)
    x, f = numbers.random((20000, 3)), numbers.random((20000, 3))
    count, stop = 0, False

    def run():
        nonlocal count
        while not stop:
            count += 1

    thread = threading.Thread(target=run)
    thread.start()
    nf.direct("stokeslet", x, f, x[:2000])
    stop = True
    thread.join()
    assert count > 1000


def test_plan_and_points_may_go_first(cloud):
    x, f = cloud
    job = (plan := nf.Ewald("stokeslet", cell=1)).submit(plan.set_points(x), f)
    del plan
    gc.collect()
    assert np.isfinite(job.wait()).all()


def test_graph(cloud, stokeslet_plan, points, tmp_path):
    job = stokeslet_plan.submit(points, cloud[1])
    job.wait()
    for path in (tmp_path / "graph.dot", str(tmp_path / "text.dot"), os.fsencode(tmp_path / "bytes.dot")):
        job.write_dag(path)
        with open(path) as file:
            assert file.read().startswith("digraph")
    for wrong in (3, None):
        with pytest.raises(TypeError, match=f"path is {wrong}; pass the name of a file"):
            job.write_dag(wrong)
    with pytest.raises(ValueError, match="cannot be written"):
        job.write_dag("/nowhere/graph.dot")
