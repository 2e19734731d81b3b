// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/launch/launch.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace nearfar::detail {

namespace {

/// The variables of one launcher: the number of this process, and of all of them where it tells that.
struct Variables {
  char const *rank, *ranks;
};

constexpr Variables launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},  // Open MPI's mpirun
    {"PMI_RANK", "PMI_SIZE"},                          // MPICH's and Intel's mpiexec; srun --mpi=pmi2
    {"PMI_ID", "PMI_SIZE"},                            // the same over a port
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},    // MVAPICH
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},             // srun --mpi=pmix; prun, which does not tell how many
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"},      // jsrun
    {"FLUX_TASK_RANK", "FLUX_JOB_SIZE"},               // flux run
    {"PALS_RANKID", nullptr},                          // Cray's mpiexec
    {"ALPS_APP_PE", nullptr},                          // aprun
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},          // srun; a script of sbatch has the first of them alone
};

std::optional<int> number(char const* text) {
  int value = 0;
  auto const* const end = text + std::strlen(text);
  auto const read = std::from_chars(text, end, value);
  if (read.ec != std::errc() || read.ptr != end || value < 0) return {};
  return value;
}

std::optional<Announcement> announced_by(Variables const& launcher) {
  char const* const rank = std::getenv(launcher.rank);
  if (rank == nullptr) return {};
  Announcement found{std::string(launcher.rank) + "=" + rank, number(rank).value_or(0), {}};
  char const* const ranks = launcher.ranks != nullptr ? std::getenv(launcher.ranks) : nullptr;
  if (ranks == nullptr) return found;
  found.ranks = number(ranks);
  found.variables += std::string(", ") + launcher.ranks + "=" + ranks;
  return found;
}

bool is_slurm(Variables const& launcher) { return std::strcmp(launcher.rank, "SLURM_PROCID") == 0; }

}  // namespace

std::vector<Announcement> announcements() {
  std::vector<Announcement> found;
  for (auto const& launcher : launchers) {
    auto one = announced_by(launcher);
    if (!one) continue;
    if (is_slurm(launcher)) {
      if (!one->ranks) continue;  // no step of srun
      one->needs_pmi = found.empty() && std::getenv("PMI_FD") == nullptr && std::getenv("PMI_PORT") == nullptr;
    }
    found.push_back(std::move(*one));
  }
  return found;
}

void expect_agreement(Launch const& by_mpi, std::vector<Announcement> const& announced, std::string const& mpi) {
  if (by_mpi.ranks > 1) return;
  auto const agrees = [&](Announcement const& one) { return one.says(by_mpi); };
  if (std::ranges::any_of(announced, agrees)) return;
  auto const otherwise = std::ranges::find_if(announced, &Announcement::says_several);
  if (otherwise == announced.end()) return;
  std::string const count = otherwise->ranks ? " of " + std::to_string(*otherwise->ranks) : std::string();
  std::string const built = mpi.empty() ? "was built without MPI" : "was built with " + mpi;
  throw Error(
      Fault::bad_input,
      "the environment says that this is process " + std::to_string(otherwise->rank) + count + " (" +
          otherwise->variables + "), but " + (mpi.empty() ? "it works alone" : "MPI knows of this process alone") +
          " (this nearfar " + built + ", and something else has started it), so each would do the whole work; " +
          (mpi.empty() ? "start one process" : "start it with the mpirun of that MPI") +
          ", unset these variables, or, if each is to solve a problem of its own, set NEARFAR_MPI=off, which is "
          "'nearfar ... --independent'");
}

bool mpi_is_off() {
  char const* const text = std::getenv("NEARFAR_MPI");
  if (text == nullptr || std::strcmp(text, "on") == 0) return false;
  if (std::strcmp(text, "off") == 0) return true;
  throw Error(Fault::bad_input, std::string("the environment has NEARFAR_MPI=") + text +
                                    ", which says neither that the processes of mpirun work together nor that each "
                                    "works alone; set it to on or off, or unset it");
}

}  // namespace nearfar::detail
