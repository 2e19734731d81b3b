# SPDX-License-Identifier: BSD-3-Clause
"""The site by Sphinx, whose source folder is the top of the checkout: pages are where they are, and so are their links.
scripts/site calls it."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(pathlib.Path(__file__).parent), str(ROOT / "bindings/python")]

project = "nearfar"
author = "the authors of nearfar"
version = release = re.search(r"project\(nearfar VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
html_title = f"nearfar {version}"

root_doc = "docs/site/index"
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**.md", "examples/README.md"]
exclude_patterns = ["build*", "dist", ".git", ".github", "docs/reference.md"]  # the last is for Doxygen alone
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx_copybutton", "sphinx_design", "sources",
              "docstrings", "tables"]
source_suffix = {".md": "markdown"}

# As on GitHub: every heading is an anchor, and ```fences``` name their language.
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 6
# Headings need not begin at the first level. Every header of C++ declares the namespace anew, and C its structs twice.
suppress_warnings = ["myst.header", "duplicate_declaration.cpp", "duplicate_declaration.c"]

# Python's reference needs the sources alone: the module of the library, and NumPy, are taken as given.
autodoc_mock_imports = ["nearfar._native", "numpy"]
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True

# That of C++ and C is what Doxygen has read (scripts/site).
breathe_projects = {"nearfar": os.environ["NEARFAR_DOXYGEN_XML"]}
breathe_default_project = "nearfar"
breathe_domain_by_file_pattern = {"nearfar.h": "c", "*/nearfar.h": "c"}

html_theme = "furo"
html_static_path, html_css_files = ["static"], ["site.css"]
html_domain_indices = html_use_index = html_copy_source = False
html_show_sphinx = html_show_copyright = False
