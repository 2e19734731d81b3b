// SPDX-License-Identifier: BSD-3-Clause
// Rows that change hands between all ranks at once.
#include "tasks/nodes/mpi.hpp"
#include "tasks/nodes/ranks.hpp"

#include <numeric>

namespace nearfar::detail {

namespace {

/// Where the rows of each rank begin.
std::vector<int> first_of(std::vector<int> const& counts) {
  std::vector<int> first(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), first.begin(), 0);
  return first;
}

}  // namespace

void Ranks::exchange(void const* sent, std::vector<int> const& sent_rows, void* received,
                     std::vector<int> const& received_rows, std::size_t bytes_per_row) const {
  auto const from = first_of(sent_rows), to = first_of(received_rows);
  MPI_Datatype row = MPI_DATATYPE_NULL;  // MPI counts in 31 bits
  MPI_Type_contiguous(int(bytes_per_row), MPI_BYTE, &row);
  MPI_Type_commit(&row);
  MPI_Request request;
  MPI_Ialltoallv(sent, sent_rows.data(), from.data(), row, received, received_rows.data(), to.data(), row,
                 mpi_->control, &request);
  wait(request);
  MPI_Type_free(&row);
}

void Ranks::largest(std::span<double> values) const {
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, values.data(), int(values.size()), MPI_DOUBLE, MPI_MAX, mpi_->control, &request);
  wait(request);
}

}  // namespace nearfar::detail
