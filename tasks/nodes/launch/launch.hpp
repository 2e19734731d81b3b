// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/error.hpp>
#include <nearfar/runtime.hpp>

#include <optional>
#include <string>
#include <vector>

namespace nearfar::detail {

/// What a launcher of processes (mpirun, srun and the like) has left in the environment. It may be another launcher
/// than that of the MPI in use, or one further out, so it is a reason to ask MPI, and nothing more.
struct Announcement {
  std::string variables;     ///< as they stand there: "PMI_RANK=1, PMI_SIZE=4"
  std::optional<int> rank;   ///< not where that variable is no number, or not left
  std::optional<int> ranks;  ///< not every launcher says
  bool needs_pmi =
      false;  ///< Slurm alone: an Open MPI finds the other processes only by a PMI, which has variables too

  std::string words() const;  ///< "process 1 of 4 (PMI_RANK=1, PMI_SIZE=4)"
  bool says_several() const noexcept { return rank.value_or(0) > 0 || ranks.value_or(1) > 1; }
  bool says(Launch const& one) const noexcept { return ranks == one.ranks && rank.value_or(0) == one.rank; }
};

std::vector<Announcement> announcements();

/// Throws where some of them speak of several processes, none says what MPI does, and MPI knows of this process alone.
/// `mpi` names the MPI in use, and is empty for none.
void expect_agreement(Launch const& by_mpi, std::vector<Announcement> const& announced, std::string const& mpi);

/// Whether NEARFAR_MPI says that every process works alone. Throws Error{bad_input} for what is neither on nor off.
bool mpi_is_off();

}  // namespace nearfar::detail
