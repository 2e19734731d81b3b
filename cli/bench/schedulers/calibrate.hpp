// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/ewald.hpp>
#include <nearfar/runtime.hpp>

#include <optional>
#include <string>
#include <vector>

namespace nearfar::cli {

enum class Method { ewald, fmm };
char const* name_of(Method method) noexcept;

struct CalibrationSettings {
  RuntimeOptions runtime;
  EwaldOptions plan;             ///< box, tolerance; the multipole method takes the tolerance
  std::optional<Kernel> kernel;  ///< all of them
  std::size_t count = 100000;    ///< of the largest problem
  int repeat = 12;               ///< solves of small sizes: StarPU trusts a size after ten tasks
  std::uint64_t seed = 1;
};

/// One problem that was solved to see how good the predictions are now.
struct CalibrationCheck {
  Method method;
  Kernel kernel;
  Outputs outputs{};
  Periodicity periodicity;
  std::size_t count;
  double seconds;    ///< median solve
  double predicted;  ///< by the plan; 0 where it has no prediction
  double work;       ///< what its tasks took, summed over workers
  double expected;   ///< by StarPU's models
  std::vector<std::string> uncalibrated;

  /// How far the prediction is off, in the smaller of the two times; 0 where there is none.
  double deviation() const noexcept;
};

/// Fills StarPU's models of task times, which schedulers of the dm family go by, with solves of several sizes in double
/// and in single precision, under the plans that are chosen here (see `nearfar tune`); then compares the models and the
/// plans' predictions with solves of sizes in between, and of other periodicities. What the models held before is
/// dropped.
std::vector<CalibrationCheck> calibrate(CalibrationSettings const& settings);

/// A table, or JSON, on stdout; the largest deviation at its end.
void print_checks(std::vector<CalibrationCheck> const& checks, bool json);

}  // namespace nearfar::cli
