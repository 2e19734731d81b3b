# SPDX-License-Identifier: BSD-3-Clause
"""python -m nearfar: the command-line program."""

import os
import sys

from ._machine import program


def main() -> None:
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
