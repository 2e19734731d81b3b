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

/// "PMI_SIZE=4", or nothing
std::string setting(char const* variable) {
  char const* const value = variable != nullptr ? std::getenv(variable) : nullptr;
  return value == nullptr ? std::string() : std::string(variable) + "=" + value;
}

std::optional<Announcement> announced_by(Variables const& launcher) {
  char const* const rank = std::getenv(launcher.rank);
  if (rank == nullptr) return {};
  Announcement found{setting(launcher.rank), number(rank), {}};
  auto const ranks = setting(launcher.ranks);
  if (ranks.empty()) return found;
  found.ranks = number(std::getenv(launcher.ranks));
  found.variables += ", " + ranks;
  return found;
}

/// Adds what says only how many there are, as where somebody has set or unset variables by hand.
void add_counts(std::vector<Announcement>& found) {
  for (auto const& launcher : launchers) {
    auto const ranks = setting(launcher.ranks);
    auto const has = [&](Announcement const& one) { return one.variables.ends_with(ranks); };
    if (ranks.empty() || std::ranges::any_of(found, has)) continue;
    if (auto const count = number(std::getenv(launcher.ranks))) found.push_back({ranks, {}, count});
  }
}

bool is_slurm(Variables const& launcher) { return std::strcmp(launcher.rank, "SLURM_PROCID") == 0; }

}  // namespace

std::string Announcement::words() const {
  auto const count = ranks ? std::to_string(*ranks) : std::string(), in = " (" + variables + ")";
  if (!rank) return "one of " + count + " processes" + in;
  return "process " + std::to_string(*rank) + (ranks ? " of " + count : "") + in;
}

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
  add_counts(found);
  return found;
}

void expect_agreement(Launch const& by_mpi, std::vector<Announcement> const& announced, std::string const& mpi) {
  if (by_mpi.ranks > 1) return;
  auto const agrees = [&](Announcement const& one) { return one.says(by_mpi); };
  if (std::ranges::any_of(announced, agrees)) return;
  std::string otherwise;
  for (auto const& one : announced)
    if (one.says_several()) otherwise += (otherwise.empty() ? "" : ", and ") + one.words();
  if (otherwise.empty()) return;
  std::string const built = mpi.empty() ? "was built without MPI" : "was built with " + mpi;
  throw Error(
      Fault::bad_input,
      "the environment says that this is " + otherwise + ", but " +
          (mpi.empty() ? "it works alone" : "MPI knows of this process alone") + " (this nearfar " + built +
          ", and something else has started it), so each would do the whole work; " +
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
