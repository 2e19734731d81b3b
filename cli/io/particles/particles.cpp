// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/particles/particles.hpp"

#include "cli/io/output_path.hpp"
#include "cli/io/particles/columns.hpp"
#include "cli/same_on_ranks.hpp"
#include "cli/table.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

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

/// What a trace puts into its folder.
bool is_part_of_trace(std::string const& path, std::string const& folder) {
  constexpr std::array files{"trace.json", "gantt.svg", "gantt.html", "dag.dot", "paje.trace", "trace.html"};
  std::error_code missing;
  auto const target = destination(path);
  return std::ranges::find(files, target.filename()) != files.end() &&
         (target.parent_path() == destination(folder) ||
          std::filesystem::equivalent(target.parent_path(), folder, missing));
}

}  // namespace

Particles read_particles(SolveSettings const& settings, Kernel kernel, int part, int parts) {
  auto names = position_columns();
  auto const strengths = strength_columns(kernel);
  names.insert(names.end(), strengths.begin(), strengths.end());
  auto const [table, all] = read_part(settings.sources, names, "--kernel " + std::string(name(kernel)), part, parts);

  Particles particles;
  particles.all_sources = particles.all_targets = all;
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
    auto targets = read_part(settings.targets, position_columns(), "--targets", part, parts);
    particles.other_targets = std::move(targets.table.values);
    particles.all_targets = targets.all_rows;
  }
  return particles;
}

void check_outputs(SolveSettings const& settings) {
  std::vector<std::pair<std::string, std::string>> outputs;
  if (!settings.output.empty()) outputs.emplace_back("--output", settings.output);
  if (!settings.report.empty()) outputs.emplace_back("--report", settings.report);
  if (!settings.dag.empty()) outputs.emplace_back("--dag", settings.dag);
  for (auto const& [option, path] : outputs) check_output(option, path, settings);
  for (auto one = outputs.begin(); one != outputs.end(); ++one)
    for (auto other = outputs.begin(); other != one; ++other)
      if (is_same_output(one->second, other->second))
        throw Error{Fault::bad_input, one->first + " " + one->second + " and " + other->first + " " + other->second +
                                          " are the same file, so one would replace the other; choose two names"};
  for (auto const& [option, path] : outputs)
    if (!settings.runtime.trace.empty() && path != "-" && is_part_of_trace(path, settings.runtime.trace))
      throw Error{Fault::bad_input, option + " " + path + " is a file of the trace in " + settings.runtime.trace +
                                        ", so one would replace the other; choose another name"};
}

void prepare(SolveSettings const& settings) {
  together([&] {
    if (launch().rank > 0) return;  // the first rank writes
    if (settings.output != "-" && !is_stream(settings.output)) format_of(settings.output);
    check_outputs(settings);
  });
}

void expect_outputs(Kernel kernel, Outputs outputs) {
  if (!outputs_of(kernel).has_all(outputs)) {
    std::string others;
    for (KernelInfo const& info : kernel_list())
      if (info.outputs.has_all(outputs)) others.append(" or --kernel ").append(name(info.kernel));
    throw Error{Fault::bad_input, "--outputs or --gradient asks for " + name(outputs) + ", more than --kernel " +
                                      std::string(name(kernel)) + " gives; take " + name(outputs_of(kernel)) + others};
  }
  if (!outputs.empty() && !outputs.has(first_output(kernel)))
    throw Error{Fault::bad_input, "--outputs is " + name(outputs) + ", without " +
                                      std::string(name(first_output(kernel))) + ", which --kernel " +
                                      std::string(name(kernel)) + " always computes; add it"};
}

}  // namespace nearfar::cli
