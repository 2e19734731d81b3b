// SPDX-License-Identifier: BSD-3-Clause
#include <nearfar/runtime.hpp>

#include <cstdlib>

namespace nearfar {

namespace {

int number(char const* variable, int otherwise) noexcept {
  char const* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

}  // namespace

Launch launch() noexcept {
  // Open MPI; MPICH and its derivatives; Slurm, when it starts either itself.
  static constexpr char const* variables[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                 {"PMI_RANK", "PMI_SIZE"},
                                                 {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};
  for (auto const& [rank, ranks] : variables)
    if (std::getenv(rank) != nullptr && number(ranks, 1) > 1) return {number(rank, 0), number(ranks, 1)};
  return {};
}

}  // namespace nearfar
