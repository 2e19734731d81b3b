// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/io/output_files.hpp"
#include "cli/io/particles/particles.hpp"
#include "cli/progress.hpp"

#include <nearfar/implementation.hpp>
#include <nearfar/runtime.hpp>
#include <nearfar/solve.hpp>

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace nearfar::cli {

/// What every solver reports: counts, times, stages, workers and memory.
struct Run {
  std::string solver;
  Kernel kernel;
  std::size_t sources = 0;
  std::size_t targets = 0;
  SolveReport solve;
  std::vector<Worker> workers;
  std::string scheduler;
  std::vector<ImplementationUse> uses{};
};

/// How far a solve is off from another one, relatively: of the worst output (l2), of the energy, and of the virial the
/// largest difference by the largest number.
struct CheckErrors {
  double result = 0;
  std::optional<double> energy{}, virial{};
};

/// The head of a report; a command adds what is its own.
nlohmann::ordered_json report_of(Run const& run);

/// Adds what a solve tells: times, tasks, workers.
void add_solve(nlohmann::ordered_json& report, SolveReport const& solve, std::vector<Worker> const& workers,
               std::string const& scheduler);

/// Adds which implementations ran: by stage, then by kind of worker, the tasks of each.
void add_uses(nlohmann::ordered_json& report, std::vector<ImplementationUse> const& uses);

void add_check(nlohmann::ordered_json& report, CheckErrors const& errors);

/// Adds the seconds of the program's own steps, and the peak of memory, and writes the report; nothing without a path.
void write_report(OutputFiles& files, std::string const& path, nlohmann::ordered_json report, Progress const& progress);

/// On stderr, if the results keep the tolerance and the energy or the virial does not.
void warn_of_energy(SolveReport const& solve, double tolerance);
/// On stderr, where there are any.
void print_energy(SolveReport const& solve);

/// On stderr.
void print_check(CheckErrors const& errors);

/// What ends a summary on stderr: the stage table, and where to look further.
void print_end(SolveReport const& solve, SolveSettings const& settings);

/// "0.123 s, 1.2 M particles/s, 2 workers (lws), idle 3 %, overlap 95 %", the last for what has a far part
std::string timing_line(Run const& run);

/// What SolveReport::uncalibrated means, and the cure; empty when there is none.
std::string uncalibrated_note(std::vector<std::string> const& uncalibrated);

/// Targets per second of the solve.
double particles_per_second(Run const& run);

}  // namespace nearfar::cli
