# SPDX-License-Identifier: BSD-3-Clause
"""The process around it: the program, import, fork, Ctrl-C, exit, and one runtime for all."""

import os
import resource
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import nearfar as nf
from nearfar import _plan


def python(code, **how):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False, **how)


def processor_time(code, **how):
    """Of a process that runs the code: the least of some, whatever else the machine does."""
    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert python(code, **how).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(5))


def test_program():
    done = subprocess.run([sys.executable, "-m", "nearfar", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"nearfar {nf.__version__}\n"


def test_same_bits_as_the_program(cloud, tmp_path, stokeslet_plan):
    x, f = cloud
    rows = tmp_path / "in.csv"
    np.savetxt(rows, np.hstack([x, f]), delimiter=",", fmt="%.17g", header="x,y,z,fx,fy,fz", comments="")
    subprocess.run([sys.executable, "-m", "nearfar", "ewald", "--kernel", "stokeslet", "--box", "1,1,1", "--tolerance",
                    "1e-6", "--sources", rows, "--output", tmp_path / "out.csv", "--quiet"], check=True)
    u = np.loadtxt(tmp_path / "out.csv", delimiter=",", skiprows=1)
    assert np.array_equal(stokeslet_plan.execute(stokeslet_plan.set_points(x), f), u)


def test_info_and_doctor():
    facts = nf.info()
    assert ("CPU 0", "cpu") in facts["workers"] and facts["scheduler"] in facts["schedulers"]
    assert "StarPU" in facts["runtime"] and facts["ranks"] == 1
    assert "cores" in nf.doctor()


def test_one_runtime():
    assert nf.runtime() is nf.runtime()
    with pytest.raises(ValueError, match="other options"):
        nf.runtime(scheduler="lws")
    done = python("import nearfar as nf; r = nf.runtime(scheduler='lws', cpus=1); print(r.scheduler, len(r.workers))")
    assert done.stdout == "lws 1\n", done.stderr
    done = python("import nearfar as nf; nf.runtime(scheduler='fastest')")
    assert "ValueError" in done.stderr and "fastest" in done.stderr


def test_import_starts_nothing():
    count = "print(len(os.listdir('/proc/self/task')));"
    done = python(f"import os, numpy; {count} import nearfar; {count}")
    before, after = done.stdout.split()
    assert before == after, done.stdout + done.stderr


SOLVE = "import nearfar as nf, numpy as np; x = np.random.rand(100, 3); nf.laplace(x, x[:, 0], cell=1, pbc=True)\n"


@pytest.mark.parametrize("held", ["", "job = plan.submit(points, x)", "keep = [plan, points, nf.runtime()]"])
def test_exit_with_objects_alive(held):
    done = python(SOLVE + "plan = nf.Ewald('stokeslet', cell=1); points = plan.set_points(x)\n" + held)
    assert done.returncode == 0 and done.stderr == "", done.stderr


@pytest.mark.parametrize("does", ["plan.execute(p, q)", "plan.set_points(x)", "nf.laplace(x, q, cell=1)",
                                  "[plan.submit(p, q).wait() for _ in range(1000)]"])
def test_exit_while_a_daemon_thread_is_in_a_call(does):
    done = python(f"""
import threading, numpy as np, nearfar as nf
x = np.random.rand(20000, 3); q = np.random.randn(20000)
plan = nf.Ewald("laplace", cell=1, tolerance=1e-8); p = plan.set_points(x)
threading.Thread(target=lambda: {does}, daemon=True).start()""")
    assert done.returncode == 0, done.stderr
    assert "Error" not in done.stderr or "the interpreter was about to end" in done.stderr, done.stderr


def test_a_child_ends_though_another_thread_was_in_a_call():
    done = python("""
import os, sys, threading, time, numpy as np, nearfar as nf
x = np.random.rand(50000, 3); q = np.random.randn(50000)
plan = nf.Ewald("laplace", cell=1, tolerance=1e-10); p = plan.set_points(x)
called = threading.Thread(target=lambda: plan.execute(p, q)); called.start()
time.sleep(0.05)
child = os.fork()
if child == 0: sys.exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))""")
    assert done.stdout == "3\n" and done.returncode == 0, done.stdout + done.stderr


def test_fork_is_told():
    done = python(SOLVE + """
import os
child = os.fork()
if child == 0:
    try:
        nf.laplace(x, x[:, 0], cell=1, pbc=True)
        os._exit(0)
    except ValueError as error:
        print(error, flush=True)
        os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
nf.laplace(x, x[:, 0], cell=1, pbc=True)
""")
    assert "this process was forked" in done.stdout and done.stdout.endswith("7\n"), done.stdout + done.stderr
    assert done.returncode == 0


def test_fork_without_solves_ends():
    done = python(SOLVE + """
import multiprocessing
context = multiprocessing.get_context("fork")
child = context.Process(target=sum, args=([1, 2],))
child.start()
child.join(60)
print(child.exitcode)
""")
    assert done.stdout == "0\n", done.stdout + done.stderr


def test_ctrl_c_ends_a_long_solve():
    code = """
import nearfar as nf, numpy as np, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where these tests were started in the background
x, targets = np.random.rand(100000, 3), np.random.rand(300000, 3)
nf.runtime()
print("begins", flush=True)
try:
    nf.direct("stokeslet", x, x, targets)  # 3e10 pairs: longer than this test waits
except KeyboardInterrupt:
    print("stopped", flush=True)
signal.signal(signal.SIGALRM, signal.default_int_handler)
for seconds in (0.003, 0.01, 0.03):  # while it is submitted, too
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        nf.direct("stokeslet", x, x, targets)
    except KeyboardInterrupt:
        print("stopped", flush=True)
print(nf.laplace(x[:100], x[:100, 0].copy(), cell=1, pbc=True).report["tasks"] > 0)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "begins\n"
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=240)[0]
        finally:
            process.kill()
    assert said == 4 * "stopped\n" + "True\n"


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def use_sum(plan):
    x = np.random.default_rng(1).random((50, 3))
    points = plan.set_points(x)
    plan.execute(points, x)
    with pytest.raises(ValueError):
        plan.execute(points, x[1:])
    with pytest.raises(ValueError):
        plan.execute(points, x * np.nan)


def use_grid(solver):
    solver(np.zeros(solver.shape))
    with pytest.raises(ValueError):
        solver(np.full(solver.shape, np.nan))


PLANS = {"ewald": lambda: use_sum(nf.Ewald("stokeslet", cell=1, tolerance=1e-3)),
         "fmm": lambda: use_sum(nf.Fmm("stokeslet", tolerance=1e-3)),
         "poisson": lambda: use_grid(nf.Poisson((8, 9, 10), field=True))}


def growth(use, times):
    """Bytes that memory grows by, once it has what a process needs."""
    for _ in range(30):
        use()
    before = resident()
    for _ in range(times):
        use()
    return resident() - before


@pytest.mark.parametrize("name", PLANS)
def test_plans_leak_nothing(name):
    assert growth(PLANS[name], 70) < 2e6


@pytest.mark.parametrize("name", PLANS)
def test_a_thousand_plans_leak_nothing(name):  # slow: as many as find 2 kB for each
    assert growth(PLANS[name], 1000) < 2e6


def test_import_is_quick(tmp_path):
    # Compiled, as of an installed package; NumPy's threads, which start beside it, would count as time of the import.
    alone = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path), "OPENBLAS_NUM_THREADS": "1"}
    alone.pop("PYTHONDONTWRITEBYTECODE", None)
    assert processor_time("import nearfar", env=alone) - processor_time("pass", env=alone) < 0.3


def test_a_call_costs_little(cloud, stokeslet_plan, monkeypatch):
    """What the package adds to a solve: 20 microseconds at most."""
    points = stokeslet_plan.set_points(cloud[0])

    class Nothing:
        def wait(self):
            pass

    monkeypatch.setattr(_plan._native, "submit", lambda *arguments: Nothing())
    seconds = []
    for _ in range(20):
        begin = time.process_time()
        for _ in range(500):
            stokeslet_plan.execute(points, cloud[1])
        seconds.append((time.process_time() - begin) / 500)
    print(f"{1e6 * min(seconds):.1f} microseconds")
    assert min(seconds) < 20e-6
