// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/io/generate.hpp"

#include <nearfar/runtime.hpp>
#include <nearfar/solve.hpp>

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace nearfar::cli {

/// Timed solves of one plan and one set of points.
struct Measurement {
  std::vector<SolveReport> solves;  ///< by time, the fastest first
  std::size_t workers = 0;
  std::string scheduler, runtime;
  std::size_t peak_bytes = 0;    ///< memory at its peak, beside the caller's
  std::size_t caller_bytes = 0;  ///< positions, strengths and results

  SolveReport const& median() const { return solves[solves.size() / 2]; }
  double rate(std::size_t count) const { return static_cast<double>(count) / median().seconds; }
};

/// Workers, scheduler and version of a runtime, and no solve yet.
Measurement measurement_on(Runtime const& runtime);

/// One solve to warm up, then the repetitions, one after the other.
Measurement measure(Runtime const& runtime, int repeat, std::function<Solve()> const& submit);

/// CPU time of all threads of this process.
double cpu_seconds();

/// The middle one; of an even number, the upper of the two.
double median(std::vector<double> values);

/// How far the memory of this process rises above what it is now.
class MemoryGrowth {
 public:
  MemoryGrowth();
  std::size_t bytes() const;

 private:
  double before_;
};

/// The head of a line: what is measured, by which program, on which machine and workers.
nlohmann::ordered_json conditions(std::string const& what, Measurement const& measurement);

/// What is summed, of which particles, as the head of a line goes on.
struct SumRequest {
  Kernel kernel;
  Outputs outputs;
  Periodicity periodicity;
  char const* precision;
  Distribution distribution;
  std::size_t count;
};
void add_request(nlohmann::ordered_json& json, SumRequest const& request);

/// One line on stdout.
void print_line(nlohmann::ordered_json const& json);

/// Times and memory as JSON fields, after what a solver says of itself.
void add_times(nlohmann::ordered_json& json, Measurement const& measurement, std::size_t count);

/// And as lines on stdout.
void print_times(Measurement const& measurement, std::size_t count);

/// Generated particles, as rows for the library in precision T.
template <class T>
struct Rows {
  std::vector<T> positions, strengths;

  std::size_t bytes() const { return (positions.size() + strengths.size()) * sizeof(T); }

  explicit Rows(GenerateOptions const& options) {
    auto const table = generate(options);
    auto const columns = table.names.size();
    for (std::size_t i = 0; i < table.values.size(); ++i)
      (i % columns < 3 ? positions : strengths).push_back(static_cast<T>(table.values[i]));
  }
};

/// Each rank gives the points of its part of the box along x, as programs do that keep them spread over ranks; all of
/// them, in the order of their making, where there is one.
template <class T>
Rows<T> rows_of_rank(GenerateOptions const& options, int rank, int ranks) {
  Rows<T> rows{options};
  if (ranks == 1) return rows;
  std::size_t const points = rows.positions.size() / 3, strengths = rows.strengths.size() / points;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points; ++i) {
    double const at = static_cast<double>(rows.positions[3 * i]) / options.box[0];
    if (std::clamp(static_cast<int>(at * ranks), 0, ranks - 1) != rank) continue;
    std::copy_n(&rows.positions[3 * i], 3, &rows.positions[3 * kept]);
    std::copy_n(&rows.strengths[strengths * i], strengths, &rows.strengths[strengths * kept]);
    ++kept;
  }
  rows.positions.resize(3 * kept);
  rows.strengths.resize(strengths * kept);
  return rows;
}

}  // namespace nearfar::cli
