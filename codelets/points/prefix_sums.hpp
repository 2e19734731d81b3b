// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/points/sum_team.hpp"

#include <cstdint>

namespace nearfar {

/// Replaces the counts of 64 by their sum, and then by the sums of all before them.
struct AddUpCounts {
  static constexpr int group = 64;
  std::int32_t const* counts;
  std::int64_t size;
  std::int32_t* sums;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t const end = (i + 1) * group < size ? (i + 1) * group : size;
    std::int32_t sum = 0;
    for (std::int64_t c = i * group; c < end; ++c) sum += counts[c];
    sums[i] = sum;
  }
};
struct BeginCounts {
  std::int32_t* counts;
  std::int64_t size;
  std::int32_t const* sums;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t const first = i * AddUpCounts::group,
                       end = first + AddUpCounts::group < size ? first + AddUpCounts::group : size;
    std::int32_t sum = sums[i];
    for (std::int64_t c = first; c < end; ++c) {
      std::int32_t const count = counts[c];
      counts[c] = sum;
      sum += count;
    }
  }
};

/// Replaces counts by the sums of all before them, on a stream. For .cu files.
inline void gpu_prefix_sums(std::int32_t* counts, std::int64_t size, void* stream) {
  constexpr std::int64_t of_one_team = 1 << 13;
  constexpr char adds[] = "adds up counts";
  if (size <= of_one_team) return gpu_run_teams<SumTeam, std::int32_t>(1, stream, SumTeam::Launch{counts, size}, adds);
  std::int64_t const groups = (size + AddUpCounts::group - 1) / AddUpCounts::group;
  GpuWorkSpace const space(std::size_t(groups) * sizeof(std::int32_t), stream, "counts");
  auto* const sums = reinterpret_cast<std::int32_t*>(space.data());
  gpu_for_all(groups, stream, AddUpCounts{counts, size, sums}, adds);
  gpu_prefix_sums(sums, groups, stream);
  gpu_for_all(groups, stream, BeginCounts{counts, size, sums}, adds);
}

}  // namespace nearfar
