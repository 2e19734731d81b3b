// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/bench/measurement.hpp"
#include "cli/commands/command.hpp"
#include "cli/io/generate.hpp"
#include "cli/options.hpp"

#include <nearfar/ewald.hpp>
#include <nearfar/fmm.hpp>
#include <nearfar/processor.hpp>

#include <nlohmann/json_fwd.hpp>

#include <memory>
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
  std::optional<double> neighbours;           ///< that a point is to have within the cutoff
  int rounds = 15;                            ///< of schedulers side by side
  std::vector<std::string> profiles{};        ///< of schedulers; those that suit the machine if there are none
  std::string method{};                       ///< "ewald" or "fmm"
  int steps = 20;                             ///< of points that move
  int systems = 1;                            ///< of them, that take turns
  double step_length = 1e-3;                  ///< at most, along each direction, by the longest edge of the box
  std::vector<std::string> variants{};        ///< of p2p, p2g and g2p: side by side, or "all"
  std::string function = "inverse-distance";  ///< of bare pairs, or "all"
  int dimensions = 3;
  bool check = false;                ///< variants are held against their reference
  std::vector<std::string> given{};  ///< flags of the options that were given
};

/// All that `nearfar bench` can measure.
std::vector<std::string> measurements();

/// Throws Error{bad_input} for an option that was given and that the measurement does not read.
void expect_used(BenchSettings const& settings);

/// Options that every measurement has: particles, how often, and how it is told; and those of solvers and runtime. They
/// write to `settings`, which they keep.
Options measurement_options(std::shared_ptr<BenchSettings> const& settings);
Options solver_options(std::shared_ptr<BenchSettings> const& settings);

/// What one core and the memory, or a GPU and its memory, can do at most, measured.
struct Roof {
  double flops = 0;  ///< per second, in multiply-adds
  double bytes = 0;  ///< per second, to and from memory
};
Roof measure_roof(Precision precision);
Roof roof_of(GpuPeaks const& peaks, Precision precision);

/// Adds the rate and what it is of the roof over work of so many flops that moves so many bytes at least.
void add_roof(nlohmann::ordered_json& json, Roof const& roof, double flops, double bytes, double seconds, int threads);

/// Timed solves by Ewald's method.
struct EwaldFigures {
  EwaldPlanning parameters;
  Measurement times;
  double pairs = 0;  ///< within the cutoff, where they were to be counted
};

/// And by the multipole method.
struct FmmFigures {
  FmmPlanning parameters;
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
/// Free space, the potential alone, on cubes of 64^3 to 256^3 cells or the grid that is asked for.
void bench_poisson(BenchSettings const& settings);
void bench_peak(BenchSettings const& settings);
void bench_stage(BenchSettings settings);
/// Ways to write a stage, side by side: bare pairs for p2p, implementations of the stage for p2g and g2p.
void bench_variants(BenchSettings settings);
void bench_pairs(BenchSettings const& settings);
/// Those asked for of all that there are; throws Error{bad_input} for others.
std::vector<std::string> chosen_variants(BenchSettings const& settings, std::vector<std::string> const& all);
/// All in double precision, every profile under the same plans.
void bench_schedulers(BenchSettings settings);
/// Points that diffuse: setting them, moving them, solving.
void bench_steps(BenchSettings settings);

/// Ewald sums of each kernel, or of the one that is asked for, with more and more outputs, in double precision.
void bench_operators(BenchSettings const& settings);

/// On all ranks of mpirun.
void bench_overlap(BenchSettings settings);

/// The stages that bench_stage knows.
std::vector<std::string> bench_stages();

}  // namespace nearfar::cli
