// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/generate.hpp"
#include "cli/measurement.hpp"
#include "cli/options.hpp"

#include <nearfar/ewald.hpp>
#include <nearfar/fmm.hpp>

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace nearfar::cli {

/// What `nearfar bench` is asked.
struct BenchSettings {
  std::string what;
  EwaldSettings ewald;
  FmmSettings fmm;
  RuntimeOptions runtime;
  GenerateOptions particles;
  int repeat = 5;
  bool json = false;
  std::optional<Kernel> kernel;  ///< that was asked for
  std::optional<int> repeats;
  std::optional<double> neighbours;     ///< that a point is to have within the cutoff
  int rounds = 15;                      ///< of schedulers side by side
  std::vector<std::string> profiles{};  ///< of schedulers; those that suit the machine if there are none
};

/// Timed solves by Ewald's method.
struct EwaldFigures {
  EwaldParameters parameters;
  Measurement times;
  double pairs = 0;  ///< within the cutoff, where they were to be counted
};

/// And by the multipole method.
struct FmmFigures {
  FmmParameters parameters;
  Measurement times;
};

/// Checks the settings, sets the points and solves. Counting pairs takes as long as a few solves.
EwaldFigures measure_ewald(BenchSettings settings, bool count_pairs = false);
FmmFigures measure_fmm(BenchSettings settings);

// The head of a line of JSON: what was measured, where, and with which options and parameters.
nlohmann::ordered_json head_of(BenchSettings const& settings, EwaldFigures const& figures);
nlohmann::ordered_json head_of(BenchSettings const& settings, FmmFigures const& figures);

// Each measures, and prints one line of JSON or a small table.
void bench_ewald(BenchSettings const& settings);
void bench_fmm(BenchSettings const& settings);
void bench_peak(BenchSettings const& settings);
void bench_stage(BenchSettings settings);
/// All in double precision, every profile under the same plans.
void bench_schedulers(BenchSettings settings);

/// The stages that bench_stage knows.
std::vector<std::string> bench_stages();

}  // namespace nearfar::cli
