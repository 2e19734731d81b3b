// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/command.hpp"
#include "cli/commands/machine/diagnosis.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"

#include <map>

namespace nearfar::cli {

namespace {

int run() {
  static std::map<Finding::Level, char const*> const titles{
      {Finding::Level::fine, "ok"}, {Finding::Level::remark, "note"}, {Finding::Level::problem, "PROBLEM"}};
  std::size_t problems = 0;
  for (auto const& finding : diagnose(look_around())) {
    print("%-8s %s\n", titles.at(finding.level), finding.what.c_str());
    if (!finding.cure.empty()) print("         -> %s\n", finding.cure.c_str());
    if (finding.level == Finding::Level::problem) ++problems;
  }
  if (problems == 0) print("\nnearfar can work here.\n");
  else print("\n%s to solve.\n", counted(problems, "problem").c_str());
  return problems == 0 ? 0 : 2;
}

}  // namespace

Command doctor_command() {
  return {"doctor",
          "Finds problems of this set-up, and suggests cures",
          "Checks cores, workers, GPUs, memory, StarPU's folders and the environment, and starts StarPU once.\n"
          "Exit code 0: no problem (notes are advice); 2: at least one PROBLEM.",
          "nearfar doctor",
          {},
          run};
}

}  // namespace nearfar::cli
