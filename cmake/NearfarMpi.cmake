# Several nodes: StarPU-MPI of the StarPU that was found, and the MPI that it was built with. Without them nearfar is
# complete for one process.
option(NEARFAR_MPI "Run solves over several processes (needs StarPU-MPI 1.4 and MPI; taken where they are)" ON)

if(NOT NEARFAR_MPI)
  message(STATUS "MPI: off (NEARFAR_MPI); one process per solve")
  return()
endif()
set(NEARFAR_MPI_FOUND OFF)
pkg_search_module(STARPUMPI QUIET IMPORTED_TARGET starpumpi-1.4)
find_package(MPI QUIET COMPONENTS C)
if(NOT STARPUMPI_FOUND OR NOT STARPUMPI_PREFIX STREQUAL STARPU_PREFIX)
  message(STATUS "MPI: off, for StarPU in ${STARPU_PREFIX} has no StarPU-MPI 1.4; one process per solve")
elseif(NOT MPI_C_FOUND)
  message(STATUS "MPI: off, for CMake found no MPI (Debian: libopenmpi-dev openmpi-bin); one process per solve")
else()
  set(NEARFAR_MPI_FOUND ON)
  message(STATUS "MPI: ${MPI_C_LIBRARIES}, StarPU-MPI ${STARPUMPI_VERSION}")
endif()
