# SPDX-License-Identifier: BSD-3-Clause
"""usage: check_external_links.py ROOT

Every link of README.md, CHANGELOG.md, CONTRIBUTING.md and the pages of docs/ to another site leads somewhere. For those who
have a network, now and then (scripts/site --external-links); nothing else needs one. Each address is asked for once, a
second after the one before. Exit 0: all are there, 1: some are not, 2: no site can be reached from here."""

import pathlib
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

SECONDS = 20
UNREACHED = 3  # sites, after which there is no network


def links(root):
    """{address: pages that have it}, without addresses in code."""
    found = {}
    for path in sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")]):
        text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
        for address in re.findall(r"https?://[^\s<>\"'`)\]]+", re.sub(r"`[^`\n]*`", "", text)):
            found.setdefault(address.partition("#")[0].rstrip(".,;:"), set()).add(str(path.relative_to(root)))
    return found


def broken(address):
    """What is wrong with an address, or None. Sites that refuse programs (403, 429) are taken as there."""
    request = urllib.request.Request(address, headers={"User-Agent": "link check"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS):
            return None
    except urllib.error.HTTPError as error:
        return None if error.code in (403, 429) else f"status {error.code}"
    except OSError as error:
        return Unreached(error)


class Unreached(str):
    """No site has answered."""


def main(root):
    found = links(pathlib.Path(root).resolve())
    errors, unreached, answered = [], set(), False
    for number, (address, pages) in enumerate(found.items()):
        if number:
            time.sleep(1)
        why = broken(address)
        if why:
            errors.append(f"{address}: {why} ({', '.join(sorted(pages))})")
        if isinstance(why, Unreached):
            unreached.add(urllib.parse.urlsplit(address).netloc)
        else:
            answered = True
        if not answered and (len(unreached) == UNREACHED or number + 1 == len(found)):
            print(*errors, "No site can be reached from here, so nothing is known of the links to others. Ask again from a "
                  "machine with a network, or name its proxy in https_proxy.", sep="\n")
            return 2
    print(f"{len(found)} links to other sites", *errors, sep="\n")
    return bool(errors) or not found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
