# SPDX-License-Identifier: BSD-3-Clause
# Language level, warnings, optimisation and sanitizers for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O3 -g1 -DNDEBUG")
set(NEARFAR_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(NEARFAR_CCACHE ccache)
  if(NEARFAR_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${NEARFAR_CCACHE})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${NEARFAR_CCACHE})
  endif()
endif()

add_library(nearfar_compiler INTERFACE)
target_compile_options(nearfar_compiler INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic>)
if(NEARFAR_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${NEARFAR_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
  add_link_options(-fsanitize=${NEARFAR_SANITIZE})
endif()
