# SPDX-License-Identifier: BSD-3-Clause
"""usage: add_licences.py WHEEL

Adds to a wheel the licences of what else is in it: of the libraries that auditwheel has put there and of what was
compiled in, as Debian's packages and nanobind state them, and of StarPU. Fails for a library whose package is not known."""

import base64
import glob
import hashlib
import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys
import zipfile

# As headers, or from static libraries.
COMPILED_IN = ("libhdf5-dev", "libaec-dev", "zlib1g-dev", "libxsimd-dev", "libcli11-dev", "nlohmann-json3-dev")
# FFTW is under the GPL, StarPU and udev under the LGPL, libgomp under the GPL with an exception; others ask for no more than
# their text.
EXPRESSION = ("BSD-2-Clause AND BSD-3-Clause AND GPL-2.0-or-later AND GPL-3.0-or-later WITH GCC-exception-3.1"
              " AND LGPL-2.1-or-later AND MIT AND Zlib")
STARPU = """StarPU 1.4 (https://starpu.gitlabpages.inria.fr/) is under the GNU LGPL 2.1 or later, whose text follows.
Its source is Debian's source package starpu; scripts/lib/starpu.sh of nearfar says how it was changed and built.

"""


def package_of(library: str) -> str:
    """The Debian package of a bundled library, in whose name auditwheel has put a hash: libfftw3-0123abcd.so.3.6.10."""
    pattern = re.sub(r"-[0-9a-f]{8}(?=[.-])", "", library)
    for path in (path for folder in ("/usr/lib", "/lib") for path in glob.glob(f"{folder}/*-linux-gnu/{pattern}")):
        for name in (path, path.removeprefix("/usr"), os.path.realpath(path)):
            done = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return done.stdout.split(":")[0]
    raise SystemExit(f"{library} is in the wheel, but belongs to no Debian package, so its licence is not known")


def robin_map() -> str:
    """The comment at the top of the hash table that nanobind compiles in."""
    import nanobind

    header = pathlib.Path(nanobind.__file__).parent / "ext/robin_map/include/tsl/robin_map.h"
    return header.read_text().partition("*/")[0]


def licences(libraries) -> dict[str, str]:
    """{name: text}"""
    common = pathlib.Path("/usr/share/common-licenses")
    nanobind = importlib.metadata.distribution("nanobind")
    texts = {"starpu": STARPU + (common / "LGPL-2.1").read_text(), "GPL-2": (common / "GPL-2").read_text(),
             "nanobind": nanobind.read_text("licenses/LICENSE"), "robin-map": robin_map()}
    for name in {*COMPILED_IN, *map(package_of, libraries)}:
        texts[name] = pathlib.Path(f"/usr/share/doc/{name}/copyright").read_text()
    return texts


def with_expression(metadata: str, names) -> str:
    """METADATA of the wheel, with the licence of the whole and the names of the files."""
    head, blank, text = metadata.partition("\n\n")
    head = re.sub(r"^License-Expression: .*$", f"License-Expression: {EXPRESSION}", head, flags=re.M)
    return head + "".join(f"\nLicense-File: {name}" for name in names) + blank + text


def line_of_record(path: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}"


def main(wheel: str) -> None:
    with zipfile.ZipFile(wheel) as archive:
        content = {info.filename: (archive.read(info), info.external_attr) for info in archive.infolist()}
    libraries = [os.path.basename(name) for name in content if re.match(r"nearfar(_cu13)?\.libs/.", name)]
    info = next(name for name in content if name.endswith(".dist-info/RECORD")).rpartition("/")[0]
    texts = licences(libraries)
    if f"{info}/licenses/LICENSE" not in content:
        texts["LICENSE"] = (pathlib.Path(__file__).parents[2] / "LICENSE").read_text()
    changed = {f"{info}/licenses/{name}": text for name, text in sorted(texts.items())}
    changed[f"{info}/METADATA"] = with_expression(content[f"{info}/METADATA"][0].decode(), sorted(texts))
    record = [line for line in content[f"{info}/RECORD"][0].decode().splitlines() if line.split(",")[0] not in changed]
    for path, text in changed.items():
        content[path] = (text.encode(), 0o644 << 16)
        record.append(line_of_record(path, text.encode()))
    content[f"{info}/RECORD"] = (("\n".join(record) + "\n").encode(), 0o644 << 16)
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (data, attributes) in content.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = attributes
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    print(f"{len(libraries)} libraries: {' '.join(libraries)}")


if __name__ == "__main__":
    main(sys.argv[1])
