# SPDX-License-Identifier: BSD-3-Clause
"""The library of a package nearfar-cu13 beside this one, here a copy of the same library, is used instead."""

import pathlib
import shutil
import subprocess
import sys

import pytest

import nearfar as nf

SOLVE = """
import nearfar as nf, numpy as np
x = np.random.rand(100, 3)
nf.laplace(x, x[:, 0].copy(), cell=1, pbc=True)
print(*sorted({line.split()[-1] for line in open("/proc/self/maps") if "libnearfar.so" in line}))
print(nf._machine.program())
print(nf.info()["package"])
"""


@pytest.fixture
def site(tmp_path):
    """A folder of packages with nearfar-cu13 and the metadata of both."""
    with open("/proc/self/maps") as maps:
        library = next(line.split()[-1] for line in maps if "libnearfar.so" in line)
    package = tmp_path / "nearfar_cu13"
    shutil.copytree(pathlib.Path(__file__).parents[3] / "bindings/python/cu13/nearfar_cu13", package,
                    ignore=shutil.ignore_patterns("__pycache__"))
    (package / "lib").mkdir()
    (package / "bin").mkdir()
    shutil.copy(library, package / "lib/libnearfar.so.0")
    shutil.copy("/bin/true", package / "bin/nearfar")
    describe(tmp_path, "nearfar", nf.__version__)
    describe(tmp_path, "nearfar_cu13", nf.__version__)
    return tmp_path


def describe(site, name, version):
    folder = site / f"{name}-0.dist-info"
    folder.mkdir(exist_ok=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n")


def run(site, code):
    return subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(site)!r})\n" + code],
                          capture_output=True, text=True, timeout=120, check=False)


def test_its_library_and_program_are_used(site):
    done = run(site, SOLVE)
    package = f"{site}/nearfar_cu13"
    assert done.stdout == f"{package}/lib/libnearfar.so.0\n{package}/bin/nearfar\nnearfar-cu13\n", done.stderr


def test_another_version_is_refused(site):
    describe(site, "nearfar_cu13", "0.0.9")
    done = run(site, "import nearfar")
    assert f"nearfar is of version {nf.__version__}, but nearfar-cu13 of 0.0.9" in done.stderr
    assert f"install nearfar-cu13=={nf.__version__}" in done.stderr


def test_a_build_tree_keeps_its_own(site):
    shutil.rmtree(site / "nearfar-0.dist-info")
    done = run(site, SOLVE)
    assert "nearfar_cu13" not in done.stdout and done.returncode == 0, done.stderr


def test_without_it_the_library_is_the_own_one():
    assert nf.info()["package"] == "nearfar"


def test_missing_libraries_of_cuda_are_named(site):
    (site / "nearfar_cu13/lib/libnearfar.so.0").write_bytes(b"not a library")
    done = run(site, "import nearfar")
    assert "ImportError: the library of nearfar-cu13 cannot be loaded" in done.stderr
    assert "libnearfar.so.0" in done.stderr and "install nvidia-cuda-runtime and nvidia-cufft" in done.stderr
