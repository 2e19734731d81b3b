# SPDX-License-Identifier: BSD-3-Clause
# The installed package: headers, one shared library, the program, and what find_package and pkg-config read.
include(CMakePackageConfigHelpers)
set(NEARFAR_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/nearfar)

# StarPU and the others are where the linker found them, which may be a folder of the user: their folders are kept.
file(RELATIVE_PATH _bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set_target_properties(nearfar PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
set_target_properties(nearfar_program PROPERTIES
  INSTALL_RPATH "$ORIGIN/${_bin_to_lib}" INSTALL_RPATH_USE_LINK_PATH ON)

install(TARGETS nearfar EXPORT nearfarTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS nearfar_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/nearfar DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp)

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
