// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/constants.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace nearfar::bench {

/// What a stage, or a whole solve, took: seconds, which are expected to be the sum of factors times constants, and of
/// what no constant changes.
struct Observation {
  double seconds = 0;
  std::vector<double> factors;  ///< of each constant
  double known = 0;
};

/// The constants, none negative, whose predictions are off by the least relative squares.
std::vector<double> least_squares(std::span<Observation const> observations, std::vector<double> const& before);

/// least_squares, but one whose factors are all 0 stays as it was. As they say how kinds of work compare on one core,
/// not how fast that is, they are scaled so that the geometric mean of all predictions stays what it was `before`.
std::vector<double> fit(std::span<Observation const> observations, std::vector<double> const& before);

/// Root mean square of the relative errors of predictions.
double misfit(std::span<Observation const> observations, std::vector<double> const& constants);

/// All constants of `before`, those of each row of the table of throughputs fitted to its observations.
WorkConstants refitted(std::span<std::vector<Observation> const> rows, WorkConstants const& before);

/// The constants of a row, in the order of an observation's factors.
std::vector<FittedConstant> constants_of(WorkRow row);

/// Constants of solves on GPUs that are fitted to whole solves.
struct FittedGpuConstant {
  char const* name;
  double GpuConstants::*member;
};
inline constexpr std::array fitted_gpu_constants{
    FittedGpuConstant{"chain", &GpuConstants::chain}, FittedGpuConstant{"review", &GpuConstants::review},
    FittedGpuConstant{"multipole_chain", &GpuConstants::multipole_chain},
    FittedGpuConstant{"byte", &GpuConstants::byte}, FittedGpuConstant{"pinned_byte", &GpuConstants::pinned_byte}};
/// These, fitted: seconds are those of this machine.
GpuConstants refitted(std::span<Observation const> observations, GpuConstants const& before);

/// The text of core/plan/constants.hpp with these numbers, of three digits. Throws std::runtime_error if one has no
/// place.
std::string rewritten(std::string text, WorkConstants const& constants);
std::string rewritten(std::string text, GpuConstants const& constants);

}  // namespace nearfar::bench
