// SPDX-License-Identifier: BSD-3-Clause
// Prints the graph of a described solve for nearfar_simulate, one step per line: 'task RANK PRIORITY FLOPS STAGE' or
// 'message FROM TO BYTES', then the numbers of the steps that it waits for, counted from 0.
// With --build the seconds of one core in which one of the ranks submits its part.
#include "bench/cluster/described_solve.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <string_view>

using namespace nearfar;

namespace {

void print(detail::GraphStep const& step) {
  if (step.stage.empty())
    std::printf("message %d %d %llu", step.rank, step.to, static_cast<unsigned long long>(step.bytes));
  else std::printf("task %d %d %.17g %s", step.rank, step.priority, step.flops, step.stage.data());
  for (int const before : step.after) std::printf(" %d", before);
  std::printf("\n");
}

/// The first solve of a plan also registers its work space.
double build_seconds(Runtime const& runtime, cluster::Description const& description) {
  cluster::DescribedSolve solve(runtime.shared(), description, description.ranks / 2);
  solve.submit_part();
  return solve.submit_part().seconds;
}

int record(int argc, char** argv) {
  bool const build = argc == 3 && std::string_view(argv[1]) == "--build";
  std::ifstream file(argc == 2 || build ? argv[argc - 1] : "");
  if (!file) {
    std::fprintf(stderr,
                 "usage: nearfar_record [--build] FILE   (which describes a solve: bench/cluster/description.hpp)\n");
    return 2;
  }
  auto const description = cluster::read_description(file);
  Runtime const runtime({.cpus = 1});
  if (build) return std::printf("%.6f\n", build_seconds(runtime, description)), 0;
  auto const recording = cluster::DescribedSolve(runtime.shared(), description).record();
  for (auto const& step : recording.steps()) print(step);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return record(argc, argv);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "nearfar_record: error: %s\n", error.what());
    return 2;
  }
}
