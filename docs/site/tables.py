# SPDX-License-Identifier: BSD-3-Clause
"""Cells of tables that hold numbers alone, such as a grid's size or a time with its range, are named for the style sheet."""

import re

from docutils import nodes

NUMBER = re.compile(r"[-+]?\d[\d.,e+-]*( x \d+)*( \([^a-z]*( to [^a-z]*)?\))?( %)?")


def name_numbers(app, doctree):
    for cell in doctree.findall(nodes.entry):
        if NUMBER.fullmatch(cell.astext()):
            cell["classes"].append("number")


def setup(app):
    app.connect("doctree-read", name_numbers)
    return {"parallel_read_safe": True}
