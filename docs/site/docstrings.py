# SPDX-License-Identifier: BSD-3-Clause
"""Docstrings say `name, name: what it is` in plain lines; here these become lists."""

import re

END = re.compile(r"(Returns|Raises|Divide|Multiply) .*")  # of the list, though no empty line is before it
ITEM = re.compile(r"(?P<names>\w+(?:, \w+)*|Further options[^:]*): +(?P<text>.+)")


def make_lists(app, what, name, obj, options, lines):
    """Changes the lines of a docstring in place, as autodoc wants it."""
    out, inside = [], False
    for line in lines:
        item = ITEM.fullmatch(line)
        if inside and END.fullmatch(line):
            out.append("")
            inside = False
        if item:
            if not inside and out and out[-1]:
                out.append("")
            names = ", ".join(f"**{name}**" for name in item["names"].split(", "))
            out.append(f"- {names}: {item['text']}")
        elif inside and line.strip():
            out.append("  " + line.strip())
        else:
            out.append(line)
        inside = bool(item) or (inside and bool(line.strip()))
    lines[:] = out


def setup(app):
    app.connect("autodoc-process-docstring", make_lists)
    return {"parallel_read_safe": True}
