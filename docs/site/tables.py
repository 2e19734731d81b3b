# SPDX-License-Identifier: BSD-3-Clause
"""Cells of tables that hold a figure, such as a grid's size or a time with its range, are named for the style sheet."""

import re

from docutils import nodes

FIGURE = re.compile(r"[-+]?\d[\d.,e+-]*( x \d+)*( \([^a-z]*( to [^a-z]*)?\))?( %)?")


def name_figures(app, doctree):
    for cell in doctree.findall(nodes.entry):
        if FIGURE.fullmatch(cell.astext()):
            cell["classes"].append("figure")


def setup(app):
    app.connect("doctree-read", name_figures)
    return {"parallel_read_safe": True}
