# SPDX-License-Identifier: BSD-3-Clause
# Target nearfar::kokkos: a Kokkos that CMake finds, else Debian's libtrilinos-kokkos-dev (3.4.1, Serial), whose
# KokkosConfig.cmake names a folder that does not exist, so its target is made here.
# One that was built by nvcc_wrapper would have it compile everything.
set(Kokkos_LAUNCH_COMPILER OFF)
find_package(Kokkos QUIET)
set(_usable ${Kokkos_FOUND})
if(Kokkos_FOUND)
  get_target_property(_folders Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  foreach(_folder IN LISTS _folders)
    if(_folder AND NOT _folder MATCHES "^\\$<" AND NOT EXISTS "${_folder}/Kokkos_Core.hpp")
      set(_usable FALSE)
    endif()
  endforeach()
endif()
if(NOT _usable)
  find_path(NEARFAR_KOKKOS_INCLUDE Kokkos_Core.hpp PATH_SUFFIXES trilinos)
  find_library(NEARFAR_KOKKOS_LIBRARY NAMES trilinos_kokkoscore kokkoscore)
  if(NOT NEARFAR_KOKKOS_INCLUDE OR NOT NEARFAR_KOKKOS_LIBRARY)
    message(FATAL_ERROR "Kokkos was not found (the portable implementation of every stage runs through it). "
                        "Install libtrilinos-kokkos-dev, or set Kokkos_ROOT.")
  endif()
  add_library(nearfar_kokkos INTERFACE)
  target_include_directories(nearfar_kokkos SYSTEM INTERFACE ${NEARFAR_KOKKOS_INCLUDE})
  target_link_libraries(nearfar_kokkos INTERFACE ${NEARFAR_KOKKOS_LIBRARY} ${CMAKE_DL_LIBS})
  # Debian's Kokkos was configured for C++14; its headers refuse nothing newer, they only warn.
  target_compile_options(nearfar_kokkos INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>)
  add_library(nearfar::kokkos ALIAS nearfar_kokkos)
else()
  add_library(nearfar::kokkos ALIAS Kokkos::kokkos)
  if("CUDA" IN_LIST Kokkos_DEVICES)
    if(NOT NEARFAR_CUDA)
      message(FATAL_ERROR "Kokkos (${Kokkos_DIR}) was built for CUDA, and only a compiler for CUDA takes its headers. "
                          "Configure with -DNEARFAR_CUDA=ON, or set Kokkos_ROOT to one that was built for hosts.")
    endif()
    # Then it launches portable bodies on GPUs too (codelets/common/kokkos/gpu_loops.hpp).
    set(NEARFAR_KOKKOS_GPU ON)
    set_target_properties(Kokkos::kokkoscore PROPERTIES
      INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda>" INTERFACE_LINK_OPTIONS "")
    add_compile_definitions(NEARFAR_KOKKOS_GPU)
  elseif("HIP" IN_LIST Kokkos_DEVICES)
    message(FATAL_ERROR "Kokkos (${Kokkos_DIR}) was built for HIP, whose headers nearfar's host compiler does not take. "
                        "Set Kokkos_ROOT to one that was built for hosts: HIP kernels do not need it.")
  endif()
endif()

# nearfar_kokkos_sources(file.cpp ...): those that include Kokkos's headers, of targets of the folder that calls it.
function(nearfar_kokkos_sources)
  # Kokkos's headers take GCC half as long again behind precompiled ones.
  set_source_files_properties(${ARGN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  if(NEARFAR_KOKKOS_GPU)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA COMPILE_OPTIONS --expt-relaxed-constexpr)
  endif()
endfunction()
