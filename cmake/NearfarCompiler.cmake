# SPDX-License-Identifier: BSD-3-Clause
# Language level, warnings, optimisation and sanitizers for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O3 -g1 -DNDEBUG")
set(NEARFAR_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")
option(NEARFAR_CHECKS "Programs end where their own code breaks what it takes for granted (core/math/expects.hpp)" OFF)
if(NEARFAR_CHECKS OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions(NEARFAR_CHECKS)
endif()

if(NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT NEARFAR_PRECOMPILED_HEADERS)  # which ccache cannot keep
  find_program(NEARFAR_CCACHE ccache)
  if(NEARFAR_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${NEARFAR_CCACHE})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${NEARFAR_CCACHE})
  endif()
endif()

add_library(nearfar_compiler INTERFACE)
target_compile_options(nearfar_compiler INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic>)
if(NEARFAR_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX,C,Fortran>:-fsanitize=${NEARFAR_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:CXX,C,Fortran>:-fno-omit-frame-pointer>)
  add_link_options(-fsanitize=${NEARFAR_SANITIZE})
endif()

# nearfar_precompile_headers(TARGET [HEADER...]): what most of its files include, and others.
function(nearfar_precompile_headers target)
  if(NEARFAR_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <atomic> <chrono> <cmath> <complex> <cstddef> <cstdint> <cstdio> <cstring> <filesystem>
      <functional> <limits> <map> <memory> <mutex> <numbers> <numeric> <optional> <span> <sstream> <string>
      <type_traits> <utility> <vector>
      ${ARGN})
  endif()
endfunction()

# Baseline, Avx2 or Avx512: the best instruction set of this machine that SIMD bodies know.
if(NEARFAR_SIMD_NATIVE)
  if(NEARFAR_TESTS AND NOT NEARFAR_HIP)  # with HIP there is a test that needs none of them
    message(FATAL_ERROR "NEARFAR_SIMD_NATIVE leaves out instruction sets that the tests call: add -DNEARFAR_TESTS=OFF.")
  endif()
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null
                  OUTPUT_VARIABLE native COMMAND_ERROR_IS_FATAL ANY)
  set(NEARFAR_NATIVE_TAG Baseline)
  if(native MATCHES "__AVX2__" AND native MATCHES "__FMA__")
    set(NEARFAR_NATIVE_TAG Avx2)
    if(native MATCHES "__AVX512BW__")
      set(NEARFAR_NATIVE_TAG Avx512)
    endif()
  endif()
endif()
