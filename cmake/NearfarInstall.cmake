# SPDX-License-Identifier: BSD-3-Clause
# The installed package: headers, one shared library, the program, and what find_package and pkg-config read.
include(CMakePackageConfigHelpers)
set(NEARFAR_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/nearfar)

# Libraries are found where the linker found them. But the StarPU that scripts/setup has built is in a folder of the
# user's, where others may not look: what of it a program needs is installed beside ours.
set(_private ${CMAKE_INSTALL_LIBDIR}/nearfar)
file(RELATIVE_PATH _bin_to_private /${CMAKE_INSTALL_BINDIR} /${_private})
set(_use_link_path ON)
set(_elsewhere)
if(NEARFAR_STARPU_FROM_SETUP)
  set(_use_link_path OFF)
  if(NEARFAR_CUDA AND SKBUILD)  # a wheel, beside those of the vendor, which have CUDA's libraries
    list(APPEND _elsewhere "$ORIGIN/../../nvidia/cu${CUDAToolkit_VERSION_MAJOR}/lib")
  elseif(NEARFAR_CUDA)
    list(APPEND _elsewhere ${CUDAToolkit_LIBRARY_DIR})
  endif()
  if(Kokkos_DIR)
    get_filename_component(_kokkos ${Kokkos_DIR}/../.. ABSOLUTE)
    list(APPEND _elsewhere ${_kokkos})
  endif()
  foreach(_library libstarpu libstarpumpi)
    install(CODE "file(GLOB _found \"${STARPU_LIBDIR}/${_library}-[0-9].[0-9].so.[0-9]\" \"${STARPU_LIBDIR}/${_library}-[0-9].[0-9].so.[0-9][0-9]\")
      file(INSTALL \${_found} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${_private}\" FOLLOW_SYMLINK_CHAIN)")
  endforeach()
  install(PROGRAMS ${STARPU_PREFIX}/bin/starpu_fxt_tool DESTINATION ${_private} OPTIONAL)  # what --trace converts by
endif()
set_target_properties(nearfar PROPERTIES
  INSTALL_RPATH "$ORIGIN/nearfar;${_elsewhere}" INSTALL_RPATH_USE_LINK_PATH ${_use_link_path})
set_target_properties(nearfar_commands PROPERTIES
  INSTALL_RPATH "$ORIGIN;$ORIGIN/..;${_elsewhere}" INSTALL_RPATH_USE_LINK_PATH ${_use_link_path})
set_target_properties(nearfar_program PROPERTIES
  INSTALL_RPATH "$ORIGIN/${_bin_to_private};$ORIGIN/${_bin_to_private}/..")

install(TARGETS nearfar EXPORT nearfarTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(NOT NEARFAR_ONE_PROGRAM)
  install(TARGETS nearfar_commands LIBRARY DESTINATION ${_private})
endif()
install(TARGETS nearfar_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/nearfar DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp PATTERN *.h)
install(FILES ${PROJECT_SOURCE_DIR}/bindings/fortran/nearfar.f90 DESTINATION ${CMAKE_INSTALL_DATADIR}/nearfar)

install(EXPORT nearfarTargets NAMESPACE nearfar:: DESTINATION ${NEARFAR_INSTALL_CMAKEDIR})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/nearfarConfig.cmake.in ${PROJECT_BINARY_DIR}/nearfarConfig.cmake
  INSTALL_DESTINATION ${NEARFAR_INSTALL_CMAKEDIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nearfarConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nearfarConfig.cmake ${PROJECT_BINARY_DIR}/nearfarConfigVersion.cmake
  DESTINATION ${NEARFAR_INSTALL_CMAKEDIR})

# Paths relative to the file itself, so that an installed tree can be moved.
file(RELATIVE_PATH NEARFAR_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/nearfar.pc.in ${PROJECT_BINARY_DIR}/nearfar.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/nearfar.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
