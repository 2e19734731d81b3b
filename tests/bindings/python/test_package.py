# SPDX-License-Identifier: BSD-3-Clause
"""What the package says of itself: documentation, types, and the names that other languages have too."""

import ast
import inspect
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import nearfar as nf
from nearfar import _kernels, _names, _native

ROOT = pathlib.Path(__file__).parents[3]
PUBLIC = [getattr(nf, name) for name in nf.__all__]
FLOW = [nf.flow.stress, nf.flow.traction, nf.flow.strain_rate, nf.flow.vorticity]


def members(cls):
    return [member for name, member in vars(cls).items() if not name.startswith("_") and
            (inspect.isfunction(member) or isinstance(member, property))]


@pytest.mark.parametrize("thing", PUBLIC + FLOW, ids=lambda thing: thing.__name__)
def test_everything_public_is_documented(thing):
    assert len(inspect.getdoc(thing) or "") > 30
    for base in inspect.getmro(thing)[:-1] if inspect.isclass(thing) else ():
        if base.__module__.startswith("nearfar"):
            for member in members(base):
                assert inspect.getdoc(member), member


def test_arguments_are_documented():
    for thing in (nf.laplace, nf.stokes, nf.direct, nf.runtime, nf.Ewald, nf.Fmm, nf.Poisson, nf.Ewald.execute):
        text = inspect.getdoc(thing) + (inspect.getdoc(nf.laplace) if thing is nf.stokes else "")
        if thing in (nf.Fmm, nf.Poisson):
            text += inspect.getdoc(nf.Ewald)
        for name, parameter in inspect.signature(thing).parameters.items():
            if name != "self" and parameter.kind is not parameter.VAR_KEYWORD:
                assert re.search(rf"\b{name}\b", text), (thing, name)


@pytest.mark.parametrize("thing", [nf.laplace, nf.stokes, nf.direct, nf.Ewald.set_points, nf.Ewald.move_points,
                                   nf.Ewald.execute, nf.Ewald.submit, nf.Ewald.execute_adjoint, nf.Poisson.__call__,
                                   nf.Poisson.submit])
def test_shapes_and_errors_are_documented(thing):
    text = inspect.getdoc(thing)
    assert re.search(r"\((N|M|nx)\b|shape", text) and re.search(r"\braises\b", text, re.I), text


@pytest.mark.parametrize("thing", [nf.Ewald, nf.Fmm, nf.Poisson, nf.Ewald.set_cell, nf.Poisson.set_spacing, nf.Job.wait,
                                   nf.Job.cancel, nf.Job.on_progress, nf.runtime, nf.info, nf.doctor])
def test_errors_are_documented(thing):
    assert re.search(r"\b(raises|ValueError)\b", inspect.getdoc(thing), re.I)


@pytest.mark.parametrize("thing, words", [(nf.laplace, "SI units"), (nf.stokes, "8 pi mu"), (nf.direct, "[Uu]nits"),
                                          (nf.Poisson, "4 pi r"), (nf.Ewald.execute, "units"), (nf.Ewald, "unit of length"),
                                          (nf.Ewald.set_points, "unit of length")])
def test_units_are_documented(thing, words):
    assert re.search(words, inspect.getdoc(thing))


def test_types_for_checkers():
    folder = pathlib.Path(nf.__file__).parent
    assert (folder / "py.typed").is_file()
    stub = ast.parse((folder / "_native.pyi").read_text())
    classes = {node.name for node in stub.body if isinstance(node, ast.ClassDef)}
    assert {"Runtime", "Plan", "Points", "Job", "Poisson", "Columns"} <= classes
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    assert {"make_ewald", "make_fmm", "submit", "submit_direct", "submit_poisson"} <= functions
    assert classes | functions == {name for name in dir(_native) if not name.startswith("_")}


def enumerators(name):
    """{name: number} of an enumeration of the C API."""
    listed = (ROOT / "bindings/c/interface.txt").read_text()
    body = re.search(rf"^enum nearfar_{name} {{(.*)}};$", listed, re.M)[1]
    return {key.strip().lower(): int(value) for key, value in (part.split("=") for part in body.split(","))}


@pytest.mark.parametrize("name, prefix", [("kernel", "nearfar_"), ("periodicity", "nearfar_periodic_"),
                                          ("output", "nearfar_output_")])
def test_all_languages_have_the_same(name, prefix):
    """Kernels, periodicities and outputs: C has what C++ has by static_assert, and these have what C has."""
    in_c = enumerators(name)
    assert len(in_c) >= 5
    module = (ROOT / "bindings/fortran/nearfar.f90").read_text().lower()
    in_fortran = {key: int(value) for key, value in re.findall(r"(nearfar_[a-z_]+) = (\d+)", module)}
    assert {key: in_fortran.get(key) for key in in_c} == in_c
    spelled = {key.removeprefix(prefix).replace("_", "-"): value for key, value in in_c.items()}
    if name == "output":
        assert spelled == _kernels.FLAGS and tuple(spelled) == tuple(_kernels.FLAGS)  # in the order of columns
    else:
        names = _kernels.KERNELS if name == "kernel" else _kernels.PERIODICITIES
        assert {key: number for number, key in enumerate(names)} == spelled  # KERNELS: read from C, in that order


def names_declared(fields):
    """Of `type a, b[3]; type c;` or, in Fortran, of lines `type :: a, b(3)`: the names, in their order."""
    declared = re.sub(r"\[.*?\]|\(.*?\)", "", fields)
    return re.findall(r"(\w+)\s*(?=[,;\n]|$)", declared)


@pytest.mark.parametrize("method, in_python_called, not_in_program", [
    ("ewald", {"periodicity": "pbc", "box": "cell"}, {"count", "vectors"}),
    ("fmm", {"periodicity": "pbc", "box": "cell"}, {"count"}),
    ("poisson", {"periodic": "pbc", "box": "spacing", "grid": "shape"}, {"slabs"})])
def test_all_languages_have_the_same_options(method, in_python_called, not_in_program):
    """Fields of C++ and C, in C's order those of Fortran, arguments of Python, and options of the program."""
    struct = method.capitalize() + "Options"
    in_cpp = re.search(rf"^struct {struct} {{(.*?)^}};", (ROOT / f"include/nearfar/{method}.hpp").read_text(), re.M | re.S)[1]
    in_cpp = re.findall(r"(\w+)\s*(?:=[^;]*|{[^;]*})?;", re.sub(r"//.*", "", in_cpp))
    listed = (ROOT / "bindings/c/interface.txt").read_text()
    in_c = names_declared(re.search(rf"^typedef struct nearfar_{method}_options {{ (.*?) }}", listed, re.M)[1])
    assert len(in_cpp) > 6 and {"size", "precision", *in_cpp} == set(in_c)
    module = (ROOT / "bindings/fortran/nearfar.f90").read_text()
    assert names_declared(re.search(rf"bind\(c\) :: nearfar_{method}_options\n(.*?)end type", module, re.S)[1]) == in_c
    plan = getattr(nf, method.capitalize())
    in_python = {*inspect.signature(plan).parameters, *_names.PLAN_OPTIONS.get(f"nf.{method.capitalize()}", ())}
    assert {in_python_called.get(name, name) for name in in_cpp} <= in_python
    program = (ROOT / "docs/cli.md").read_text().partition(f"## nearfar {method}\n")[2]
    in_program = set(re.findall(r"^  --([a-z-]+)", program.partition("\n## ")[0], re.M))
    assert {name.replace("_", "-").replace("periodicity", "periodic") for name in in_cpp} - in_program == not_in_program


@pytest.mark.parametrize("kernel", _kernels.KERNELS)
def test_every_kernel_can_be_asked(kernel):
    screening = {"screening": 0.5} if kernel == "yukawa" else {}
    plan = nf.Ewald(kernel, cell=1, tolerance=1e-3, **screening)
    assert plan.outputs == nf.kernels()[kernel].outputs[:1]


def test_kernels_say_what_they_take():
    """What nf.kernels() says is what plans take, and nothing else."""
    for name, kernel in nf.kernels().items():
        assert kernel.name == name
        more = {"screening": 0.5} if kernel.screening else {}
        x = np.random.default_rng(0).random((20, 3))
        strengths = np.ones((20, kernel.strengths)) if kernel.strengths > 1 else np.ones(20)
        for outputs in ((), kernel.outputs, kernel.fmm_outputs):
            if outputs:
                result = nf.direct(name, x, strengths, outputs=outputs, **more)
                assert outputs == (result.names if len(outputs) > 1 else outputs)
        for pbc in _kernels.PERIODICITIES:
            if pbc in kernel.fmm_pbc:
                nf.Fmm(name, cell=1, pbc=pbc, tolerance=1e-2, outputs=kernel.fmm_outputs)
            else:
                with pytest.raises(ValueError, match="nf.Ewald"):
                    nf.Fmm(name, cell=1, pbc=pbc, tolerance=1e-2)
    laplace, yukawa = nf.kernels()["laplace"], nf.kernels()["yukawa"]
    assert laplace.virial_outputs == ("potential", "gradient") and laplace.gauge_length and not laplace.screening
    assert yukawa.screening and yukawa.fmm_outputs == () and yukawa.pbc == _kernels.PERIODICITIES
    assert nf.kernels()["stokes"].strengths == 9 and nf.kernels()["stokes"].zero_mode


@pytest.mark.parametrize("arguments, words", [
    ({"kernel": "yukawa"}, ["'yukawa'", "nf.Ewald, or nf.direct"]),
    ({"kernel": "gravity"}, ["'gravity'", "'laplace'", "'doublet'"]),
    ({"kernel": "laplace", "pbc": "xy"}, ["'xy'", "none and xyz", "nf.Ewald"]),
    ({"kernel": "laplace", "pbc": "abc"}, ["'abc'", "none, xyz;"]),
    ({"kernel": "stokeslet", "pbc": True}, ["True", "'stokeslet' for none alone", "nf.Ewald"]),
    ({"kernel": "stokeslet", "virial": True}, ["virial", "laplace, dipole, charge-dipole"]),
])
def test_multipoles_offer_only_what_they_have(arguments, words):
    with pytest.raises(ValueError) as caught:
        nf.Fmm(**arguments, cell=1)
    assert all(word in str(caught.value) for word in words), caught.value
    if arguments["kernel"] != "yukawa":
        assert "yukawa" not in str(caught.value)


def test_runtime_writes_a_trace(tmp_path):
    code = f"""
import nearfar as nf, numpy as np
nf.runtime(cpus=1, trace={str(tmp_path / "trace")!r})
x = np.random.rand(100, 3)
nf.laplace(x, x[:, 0].copy(), cell=1, pbc=True)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert any((tmp_path / "trace").iterdir())
