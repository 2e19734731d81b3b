// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/direct/place.hpp"

#include <mpi.h>
#include <vector>

namespace nearfar::detail {

/// Which ranks of this machine exchange data with this one through the place: those for which a copy has come out right
/// both ways. `node` is StarPU's number of that memory; a rank that is not `willing` has none. Collective.
std::vector<char> reached_ranks(MPI_Comm local, Place& place, unsigned node, bool willing);

}  // namespace nearfar::detail
