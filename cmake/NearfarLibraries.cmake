# SPDX-License-Identifier: BSD-3-Clause
# FFTW in both precisions, and xsimd.
pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET fftw3)
pkg_check_modules(FFTWF REQUIRED IMPORTED_TARGET fftw3f)

# Header only; Debian's CMake target for it links an optional library that its package does not bring.
find_path(NEARFAR_XSIMD_INCLUDE xsimd/xsimd.hpp REQUIRED)
add_library(nearfar_xsimd INTERFACE)
target_include_directories(nearfar_xsimd SYSTEM INTERFACE ${NEARFAR_XSIMD_INCLUDE})
