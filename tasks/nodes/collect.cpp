// SPDX-License-Identifier: BSD-3-Clause
// What rank 0 collects from the other ranks at the end, when nothing else is going on.
#include "tasks/nodes/mpi.hpp"
#include "tasks/nodes/ranks.hpp"

#include <algorithm>

namespace nearfar::detail {

namespace {

constexpr int length_tag = 1, text_tag = 2, clock_tag = 3;
constexpr std::size_t most = std::size_t(1) << 30;  // MPI counts in 31 bits

void send(void const* bytes, std::size_t size, int to, int tag, MPI_Comm communicator) {
  MPI_Request request;
  MPI_Isend(bytes, int(size), MPI_BYTE, to, tag, communicator, &request);
  wait(request);
}

void receive(void* bytes, std::size_t size, int from, int tag, MPI_Comm communicator) {
  MPI_Request request;
  MPI_Irecv(bytes, int(size), MPI_BYTE, from, tag, communicator, &request);
  wait(request);
}

}  // namespace

std::vector<std::string> Ranks::gather(std::string const& mine) const noexcept try {
  if (!mpi_) return {mine};
  std::uint64_t length = mine.size();
  if (rank_ > 0) {
    send(&length, sizeof length, 0, length_tag, mpi_->control);
    for (std::size_t at = 0; at < length; at += most)
      send(mine.data() + at, std::min(most, length - at), 0, text_tag, mpi_->control);
    return {};
  }
  std::vector<std::string> all{mine};
  for (int from = 1; from < count_; ++from) {
    receive(&length, sizeof length, from, length_tag, mpi_->control);
    auto& text = all.emplace_back(length, '\0');
    for (std::size_t at = 0; at < length; at += most)
      receive(text.data() + at, std::min(most, length - at), from, text_tag, mpi_->control);
  }
  return all;
} catch (...) {
  abort(std::current_exception());
}

double Ranks::clock_ahead(double (*now)()) const {
  if (!mpi_) return 0;
  constexpr int trips = 50;
  if (rank_ > 0) {
    double ahead = 0;
    receive(nullptr, 0, 0, clock_tag, mpi_->control);  // waits for its turn, which may take long
    for (int i = 0; i < trips; ++i) {
      MPI_Recv(nullptr, 0, MPI_BYTE, 0, clock_tag, mpi_->control, MPI_STATUS_IGNORE);
      double const time = now();
      MPI_Send(&time, 1, MPI_DOUBLE, 0, clock_tag, mpi_->control);
    }
    receive(&ahead, sizeof ahead, 0, clock_tag, mpi_->control);
    return ahead;
  }
  for (int other = 1; other < count_; ++other) {
    send(nullptr, 0, other, clock_tag, mpi_->control);
    double shortest = -1, ahead = 0;
    for (int i = 0; i < trips; ++i) {
      double const begin = now();
      double theirs = 0;
      MPI_Send(nullptr, 0, MPI_BYTE, other, clock_tag, mpi_->control);
      MPI_Recv(&theirs, 1, MPI_DOUBLE, other, clock_tag, mpi_->control, MPI_STATUS_IGNORE);
      double const end = now();
      if (shortest >= 0 && end - begin >= shortest) continue;
      shortest = end - begin;
      ahead = theirs - 0.5 * (begin + end);
    }
    send(&ahead, sizeof ahead, other, clock_tag, mpi_->control);
  }
  return 0;
}

}  // namespace nearfar::detail
