// SPDX-License-Identifier: BSD-3-Clause
#include "cli/particles.hpp"

#include "cli/columns.hpp"
#include "cli/output_path.hpp"
#include "cli/table.hpp"

#include <nearfar/error.hpp>

#include <cstdlib>
#include <filesystem>

namespace nearfar::cli {

namespace {

void check_output(std::string const& option, std::string const& path, SolveSettings const& settings) {
  check_writable(path);
  std::error_code ignored;
  for (auto const& input : {settings.sources, settings.targets})
    if (!input.empty() && std::filesystem::equivalent(path, input, ignored))
      throw Error{Fault::bad_input,
                  option + " " + path + " is an input of this run and would be lost; choose another name"};
}

}  // namespace

Particles read_particles(SolveSettings const& settings, Kernel kernel) {
  auto names = position_columns();
  auto const strengths = strength_columns(kernel);
  names.insert(names.end(), strengths.begin(), strengths.end());
  auto const table = read_table(settings.sources, names, "--kernel " + std::string(name(kernel)));

  Particles particles;
  auto const rows = table.rows(), columns = names.size();
  particles.sources.reserve(3 * rows);
  particles.strengths.reserve((columns - 3) * rows);
  for (std::size_t i = 0; i < rows; ++i) {
    auto const row = table.values.begin() + static_cast<std::ptrdiff_t>(i * columns);
    particles.sources.insert(particles.sources.end(), row, row + 3);
    particles.strengths.insert(particles.strengths.end(), row + 3, row + static_cast<std::ptrdiff_t>(columns));
  }
  if (!settings.targets.empty()) {
    particles.at_sources = false;
    particles.other_targets = read_table(settings.targets, position_columns(), "--targets").values;
  }
  return particles;
}

void prepare(SolveSettings const& settings) {
  if (settings.output != "-" && !is_stream(settings.output)) format_of(settings.output);
  check_output("--output", settings.output, settings);
  if (!settings.report.empty()) check_output("--report", settings.report, settings);
  if (!settings.dag.empty()) check_output("--dag", settings.dag, settings);
  if (settings.quiet) setenv("STARPU_SILENT", "1", 0);
}

void check_gradient(Kernel kernel, bool gradient) {
  if (gradient && kernel != Kernel::laplace)
    throw Error{Fault::bad_input, "--gradient asks for more than --kernel " + std::string(name(kernel)) +
                                      " gives; use it with --kernel laplace, or leave it out"};
}

}  // namespace nearfar::cli
