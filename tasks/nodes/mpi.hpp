// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/ranks.hpp"

#include <mpi.h>

namespace nearfar::detail {

/// Communicators of our own, so that no message of the program is taken for one of ours.
struct Ranks::Mpi {
  MPI_Comm control = MPI_COMM_NULL;  ///< what ranks say to each other
  MPI_Comm data = MPI_COMM_NULL;     ///< StarPU's messages
  MPI_Comm local = MPI_COMM_NULL;    ///< ranks on this machine
  MPI_Comm end = MPI_COMM_NULL;      ///< only for the last barrier, which some may come to while others still talk
};

/// Without keeping a core busy: the workers want it.
void wait(MPI_Request request);

/// Of the ranks between start_messages and stop_messages; StarPU, and so this, is there once in a process.
MPI_Comm data_communicator() noexcept;

}  // namespace nearfar::detail
