// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/direct/direct_messages.hpp"
#include "tasks/nodes/machine/idle.hpp"
#include "tasks/nodes/ranks.hpp"

#include <mpi.h>
#include <optional>

namespace nearfar::detail {

/// Communicators of our own, so that our messages do not mix with the program's.
struct Ranks::Mpi {
  MPI_Comm control = MPI_COMM_NULL;  ///< between ranks, outside of solves
  MPI_Comm data = MPI_COMM_NULL;     ///< StarPU's messages
  MPI_Comm local = MPI_COMM_NULL;    ///< ranks on this machine
  MPI_Comm end = MPI_COMM_NULL;      ///< who leaves, and the last barrier, which some reach while others still talk
  std::optional<RestingWorkers> resting;
  std::optional<DirectMessages> direct;
};

/// The given one, or that of all processes that were started together; MPI_COMM_NULL: this process works alone, and MPI
/// is left as it is.
MPI_Comm common_communicator(void const* given);

/// Whether all ranks are known to take part already, so that only messages can take long.
enum class AllThere { unknown, yes };

/// Waits without keeping a core busy for long: the workers need it.
void wait(MPI_Request request, AllThere all_there = AllThere::unknown);

/// Of the ranks between start_messages and stop_messages; once per process, as StarPU is.
MPI_Comm data_communicator() noexcept;
/// Messages that need no MPI; null where none is possible.
DirectMessages* direct_messages() noexcept;

}  // namespace nearfar::detail
