# SPDX-License-Identifier: BSD-3-Clause
# Finds StarPU: the one in NEARFAR_STARPU, else one that scripts/setup has built (named in .nearfar-env), else any that
# pkg-config knows.
find_package(PkgConfig REQUIRED)
set(NEARFAR_STARPU "" CACHE PATH "Prefix of the StarPU to use; empty: that of scripts/setup, or of pkg-config")

set(_nearfar_env ${PROJECT_SOURCE_DIR}/.nearfar-env)
if(NEARFAR_STARPU)
  set(ENV{PKG_CONFIG_PATH} "${NEARFAR_STARPU}/lib/pkgconfig:$ENV{PKG_CONFIG_PATH}")
elseif(EXISTS ${_nearfar_env})
  set(_wanted STARPU_PREFIX)
  if(NEARFAR_HIP)
    set(_wanted STARPU_HIP_PREFIX)
  endif()
  file(STRINGS ${_nearfar_env} _line REGEX "^${_wanted}=")
  if(_line)
    string(REGEX REPLACE "^${_wanted}=" "" _prefix "${_line}")
    foreach(_dir IN ITEMS lib lib/pkgconfig lib64/pkgconfig)
      set(ENV{PKG_CONFIG_PATH} "${_prefix}/${_dir}:$ENV{PKG_CONFIG_PATH}")
    endforeach()
  endif()
endif()

pkg_search_module(STARPU QUIET IMPORTED_TARGET starpu-1.4 starpu-1.3)
if(NOT STARPU_FOUND)
  message(FATAL_ERROR "StarPU was not found by pkg-config (nearfar runs every solve as a StarPU task graph). "
                      "Run scripts/setup, or install libstarpu-dev, or add StarPU's pkgconfig folder to PKG_CONFIG_PATH.")
endif()
pkg_get_variable(STARPU_LIBDIR ${STARPU_MODULE_NAME} libdir)
set(NEARFAR_STARPU_FROM_SETUP OFF)  # built by scripts/setup, in a folder of the user's
if(EXISTS ${STARPU_PREFIX}/nearfar-stamp)
  set(NEARFAR_STARPU_FROM_SETUP ON)
endif()
message(STATUS "StarPU ${STARPU_VERSION} in ${STARPU_PREFIX}")

# With HIP, StarPU's .pc file names folders that ROCm has elsewhere than Debian; CMake takes none that are not there.
get_target_property(_folders PkgConfig::STARPU INTERFACE_INCLUDE_DIRECTORIES)
set(_there)
foreach(_folder IN LISTS _folders)
  if(EXISTS ${_folder})
    list(APPEND _there ${_folder})
  endif()
endforeach()
set_target_properties(PkgConfig::STARPU PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_there}")
