# SPDX-License-Identifier: BSD-3-Clause
# The installed package: headers, one shared library, the program, and nearfarConfig.cmake.
