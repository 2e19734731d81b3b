# SPDX-License-Identifier: BSD-3-Clause
# FFTW in both precisions, and xsimd.
pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET fftw3)
pkg_check_modules(FFTWF REQUIRED IMPORTED_TARGET fftw3f)
# Their threads, for measurements of FFTW alone; our own transforms are tasks of one thread.
find_library(NEARFAR_FFTW_THREADS fftw3_threads REQUIRED)
find_library(NEARFAR_FFTWF_THREADS fftw3f_threads REQUIRED)

# Header only; Debian's CMake target for it links an optional library that its package does not bring.
find_path(NEARFAR_XSIMD_INCLUDE xsimd/xsimd.hpp REQUIRED)
add_library(nearfar_xsimd INTERFACE)
target_include_directories(nearfar_xsimd SYSTEM INTERFACE ${NEARFAR_XSIMD_INCLUDE})
