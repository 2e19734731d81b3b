# SPDX-License-Identifier: BSD-3-Clause
"""usage: check_links.py FOLDER

Every link and picture of the pages in a folder leads to a file there, and to a place in it that is there. Links to other
sites are left to check_external_links.py."""

import functools
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.places.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


@functools.cache
def page(path):
    return Page(path)


def broken(path, link):
    """What is wrong with a link on a page, or None."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    to = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
    if not to.is_file():
        return "no such file"
    place = urllib.parse.unquote(parts.fragment)
    if place and to.suffix == ".html" and place not in page(to).places:
        return "no such place on that page"
    return None


def main(folder):
    paths = sorted(pathlib.Path(folder).resolve().rglob("*.html"))
    count, errors = 0, []
    for path in paths:
        for link in page(path).links:
            count += 1
            why = broken(path, link)
            if why:
                errors.append(f"{path.relative_to(pathlib.Path(folder).resolve())}: {link}: {why}")
    print(f"{len(paths)} pages, {count} links", *errors, sep="\n")
    return bool(errors) or not paths


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
