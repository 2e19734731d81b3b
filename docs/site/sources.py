# SPDX-License-Identifier: BSD-3-Clause
"""Links from pages to sources and folders of the checkout lead to pages that show them."""

import pathlib

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, guess_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx.addnodes import download_reference, pending_xref

PREFIX = "source/"  # of these pages in the site


def target_of(app, docname, link):
    """The file or folder of a relative link, or None if there is none."""
    root = pathlib.Path(app.srcdir).resolve()
    path = ((root / docname).parent / link.partition("#")[0]).resolve()
    return path.relative_to(root) if path.exists() and path.is_relative_to(root) else None


def replace_links(app, doctree):
    """Files that are no pages, which would be downloads, and folders, which would be errors."""
    docname = app.env.docname
    links = [node for kind in (download_reference, pending_xref) for node in doctree.findall(kind)]
    for node in links:
        path = target_of(app, docname, node["reftarget"])
        if path is None or (isinstance(node, pending_xref) and not (pathlib.Path(app.srcdir) / path).is_dir()):
            continue
        readme = (path / "README").as_posix()
        page = readme if readme in app.env.found_docs else PREFIX + path.as_posix()
        if page != readme:
            shown(app.env).add(path.as_posix())
        uri = app.builder.get_relative_uri(docname, page)
        node.replace_self(nodes.reference("", "", *node.children, internal=True, refuri=uri))


def shown(env):
    if not hasattr(env, "nearfar_sources"):
        env.nearfar_sources = set()
    return env.nearfar_sources


def body_of(root, path):
    if (root / path).is_dir():
        names = sorted(child.name + "/" * child.is_dir() for child in (root / path).iterdir())
        return "<ul>" + "".join(f"<li>{name}</li>" for name in names) + "</ul>"
    text = (root / path).read_text(errors="replace")
    try:
        lexer = guess_lexer_for_filename(path, text)
    except ClassNotFound:
        lexer = TextLexer()
    return highlight(text, lexer, HtmlFormatter())


def pages(app):
    root = pathlib.Path(app.srcdir)
    for path in sorted(shown(app.env)):
        body = f"<h1>{path}</h1>{body_of(root, path)}"
        yield PREFIX + path, {"title": path, "body": body, "parents": []}, "page.html"


def setup(app):
    app.connect("doctree-read", replace_links, priority=100)  # before files to download are noted
    app.connect("html-collect-pages", pages)
    return {"parallel_read_safe": False}
