# SPDX-License-Identifier: BSD-3-Clause
"""Types: everything public has them, and a checker takes what users write, and finds what is wrong in it."""

import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys

import pytest

import nearfar as nf

PROGRAM = pathlib.Path(__file__).with_name("typed_program.py")
PACKAGE = pathlib.Path(nf.__file__).parents[1]
needs_checker = pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="there is no mypy")


def public():
    for name in nf.__all__:
        thing = getattr(nf, name)
        if inspect.ismodule(thing):
            yield from ((f"{name}.{key}", member) for key, member in vars(thing).items()
                        if inspect.isfunction(member) and not key.startswith("_"))
            continue
        if not inspect.isclass(thing):
            yield name, thing
            continue
        for key in dir(thing):
            member = inspect.getattr_static(thing, key)
            member = member.fget if isinstance(member, property) else member
            if inspect.isfunction(member) and member.__module__.startswith("nearfar") and (
                    not key.startswith("_") or key in ("__init__", "__call__")):
                yield f"{name}.{key}", member


@pytest.mark.parametrize("name, function", list(public()), ids=[name for name, _ in public()])
def test_everything_public_has_types(name, function):
    signature = inspect.signature(function)
    assert signature.return_annotation is not signature.empty
    untyped = [key for key, parameter in signature.parameters.items()
               if parameter.annotation is parameter.empty and key != "self"]
    assert not untyped or name in ("Job.__init__", "Field.__new__"), untyped


def check(*arguments, folder):
    environment = os.environ | {"MYPYPATH": str(PACKAGE), "MYPY_CACHE_DIR": str(folder / "cache")}
    return subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True, timeout=600,
                          check=False, env=environment)


@needs_checker
def test_what_users_write(tmp_path):
    done = check("mypy", "--strict", str(PROGRAM), folder=tmp_path)
    assert done.stdout.endswith("no issues found in 1 source file\n"), done.stdout + done.stderr
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import nearfar as nf\n"
                     "plan = nf.Ewald(cell=1, tolerance='fine')\n"
                     "plan.solve()\n"
                     "plan.execute(3, [1.0], prt='near')\n")
    done = check("mypy", str(wrong), folder=tmp_path)
    for line, words in ((2, 'incompatible type "str"'), (3, 'no attribute "solve"'), (4, '"prt"'), (4, '"int"')):
        assert any(f"wrong.py:{line}:" in said and words in said for said in done.stdout.splitlines()), done.stdout
