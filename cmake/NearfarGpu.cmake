# SPDX-License-Identifier: BSD-3-Clause
# nearfar_gpu_sources(target /path/of/file.cu ...): compiles the same sources as CUDA by nvcc or as HIP by hipcc.
if(NEARFAR_CUDA AND NEARFAR_HIP)
  message(FATAL_ERROR "NEARFAR_CUDA and NEARFAR_HIP are both ON (their headers define the same names). Choose one.")
endif()
if(NEARFAR_CUDA OR NEARFAR_HIP)
  add_compile_definitions(NEARFAR_WITH_GPUS)
endif()
# Compilers for GPUs take half as long or less without optimisations, and find the same errors.
option(NEARFAR_GPU_CODE_RUNS "Optimise code for GPUs; OFF: it is only linked, where there is no GPU" ON)
if(NEARFAR_CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(CMAKE_CUDA_COMPILER nvcc PATHS /usr/local/cuda/bin $ENV{CUDA_HOME}/bin)
  endif()
  # Each one takes nvcc as long again. Programs that are handed on have all of them, tests the one at hand.
  set(NEARFAR_CUDA_ARCHITECTURES 80 90-real CACHE STRING "CUDA architectures, as for CMAKE_CUDA_ARCHITECTURES")
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES ${NEARFAR_CUDA_ARCHITECTURES})
  endif()
  set(CMAKE_CUDA_FLAGS_RELWITHDEBINFO "-O3 -DNDEBUG -Xcompiler=-g1")  # for hosts; -g would make objects twice as large
  set(CMAKE_CUDA_STANDARD 20)
  # Device code that calls a function of the host compiles, and does nothing there: sums over modes were 0 on GPUs.
  string(APPEND CMAKE_CUDA_FLAGS " -Werror=cross-execution-space-call")
  enable_language(CUDA)
  if(NOT NEARFAR_GPU_CODE_RUNS)
    include(CheckCompilerFlag)
    check_compiler_flag(CUDA --Ofast-compile=max NEARFAR_NVCC_COMPILES_FAST)  # from CUDA 12.9 on
    if(NEARFAR_NVCC_COMPILES_FAST)
      add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:--Ofast-compile=max>)
    endif()
  endif()
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)  # CMake 3.25 does not know that nvcc 12 and later have it
  endif()
  find_package(CUDAToolkit REQUIRED)
  add_compile_definitions(NEARFAR_WITH_CUDA NEARFAR_WITH_GPU_FFT)
  set(NEARFAR_GPU_FFT CUDA::cufft)
endif()
if(NEARFAR_HIP)
  find_program(NEARFAR_HIPCC hipcc REQUIRED)
  set(NEARFAR_HIP_ARCHITECTURES gfx90a CACHE STRING "HIP architectures")
  add_compile_definitions(NEARFAR_WITH_HIP)
  # Debian has no hipFFT: there, transforms run on CPU workers.
  find_package(hipfft QUIET)
  if(hipfft_FOUND)
    set(NEARFAR_GPU_FFT hip::hipfft)
    add_compile_definitions(NEARFAR_WITH_GPU_FFT)
  endif()
endif()

# Of what knows a backend little is shared by builds for different ones, and GCC takes half as long with -O1 as with -O3.
option(NEARFAR_LINK_ONLY "Compile with few optimisations what knows a backend: it is only linked, and not run" OFF)
set(few_optimisations $<$<COMPILE_LANGUAGE:CXX>:-O1>)
if(NEARFAR_LINK_ONLY)
  add_compile_options(${few_optimisations})
endif()

# For folders that know no backend: builds for different ones share through ccache what they compile there.
function(nearfar_without_backends)
  get_property(definitions DIRECTORY PROPERTY COMPILE_DEFINITIONS)
  list(FILTER definitions EXCLUDE REGEX "^NEARFAR_(WITH|KOKKOS)_")
  set_property(DIRECTORY PROPERTY COMPILE_DEFINITIONS ${definitions})
  get_property(options DIRECTORY PROPERTY COMPILE_OPTIONS)
  list(REMOVE_ITEM options ${few_optimisations})
  set_property(DIRECTORY PROPERTY COMPILE_OPTIONS ${options})
endfunction()

function(nearfar_gpu_sources target)
  if(NEARFAR_CUDA)
    target_sources(${target} PRIVATE ${ARGN})
    target_link_libraries(${target} PRIVATE CUDA::cudart)
  elseif(NEARFAR_HIP)
    # Debian's CMake cannot drive Debian's hipcc as a language of its own, so its objects are made by a command.
    get_target_property(folders PkgConfig::STARPU INTERFACE_INCLUDE_DIRECTORIES)
    list(TRANSFORM folders PREPEND -isystem)  # its warnings are not ours
    set(launcher)
    if(NEARFAR_CCACHE)
      set(launcher ${NEARFAR_CCACHE})
    endif()
    foreach(source IN LISTS ARGN)
      get_filename_component(stem ${source} NAME_WE)
      set(object ${CMAKE_CURRENT_BINARY_DIR}/${stem}.hip.o)
      get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
      if(definitions)
        list(TRANSFORM definitions PREPEND -D)
      else()
        set(definitions)
      endif()
      add_custom_command(
        OUTPUT ${object}
        COMMAND ${launcher} ${NEARFAR_HIPCC} -x hip -std=c++20 ${definitions} $<IF:$<BOOL:${NEARFAR_GPU_CODE_RUNS}>,-O3,-O0> -fPIC
                --offload-arch=${NEARFAR_HIP_ARCHITECTURES}
                -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include ${folders} -MD -MF ${object}.d
                -c ${source} -o ${object}
        DEPENDS ${source} DEPFILE ${object}.d
        COMMENT "hipcc ${source}")
      target_sources(${target} PRIVATE ${object})
    endforeach()
    target_link_libraries(${target} PRIVATE amdhip64)
  endif()
endfunction()
