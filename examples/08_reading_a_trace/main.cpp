// SPDX-License-Identifier: BSD-3-Clause
// A trace of several steps, and your own evaluation of it. `nearfar trace DIR` makes tables and charts; for other
// questions read DIR/trace.json: one event per line, in the format of Chrome and Perfetto, times in microseconds. The
// question here: for how long did P2P run beside each far-field stage?
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int steps = 3;
constexpr char const* folder = "trace.d";

/// The value after "key": on a line, up to the next comma, bracket or quotation mark.
std::string value(std::string const& line, std::string const& key) {
  auto const place = line.find("\"" + key + "\":");
  if (place == line.npos) return {};
  auto const begin = line.find_first_not_of('"', place + key.size() + 3);
  return line.substr(begin, line.find_first_of(",\"}]", begin) - begin);
}

/// Solves a few steps, each with a mark; returns the number of tasks. The runtime writes the trace at its end.
int run() {
  constexpr std::size_t count = 5000;
  std::mt19937 random(1);
  std::vector<double> x(3 * count), force(3 * count), u(3 * count);
  for (auto* values : {&x, &force})
    for (double& v : *values) v = random() / 4294967296.0;
  nearfar::Runtime runtime({.trace = folder});
  nearfar::Ewald ewald(runtime, {.tolerance = 1e-6, .count = count});
  auto points = ewald.set_points(x);
  int tasks = 0;
  for (int step = 0; step < steps; ++step) {
    runtime.mark("step " + std::to_string(step));
    tasks += ewald.submit(points, force, u).report().tasks;
  }
  return tasks;
}

struct Task {
  double begin, end;
};

}  // namespace

int main() {
  int const expected = run();
  std::map<std::string, std::vector<Task>> far;
  std::vector<Task> p2p;
  int tasks = 0, marks = 0;
  std::ifstream file(std::string(folder) + "/trace.json");
  for (std::string line; std::getline(file, line);) {
    if (value(line, "cat") == "mark") ++marks;
    if (line.find("\"block\":") == line.npos) continue;  // only tasks have one
    ++tasks;
    double const begin = std::stod(value(line, "ts")), end = begin + std::stod(value(line, "dur"));
    if (value(line, "name") == "p2p") p2p.push_back({begin, end});
    else if (value(line, "cat") == "far") far[value(line, "name")].push_back({begin, end});
  }
  for (auto const& [stage, list] : far) {
    double time = 0, beside = 0;
    for (auto const& task : list) {
      time += task.end - task.begin;
      for (auto const& other : p2p)
        beside += std::max(0.0, std::min(task.end, other.end) - std::max(task.begin, other.begin));
    }
    std::printf("%-6s %8.2f ms, %3.0f %% of it beside P2P\n", stage.c_str(), 1e-3 * time, 100 * beside / time);
  }
  std::printf("%d marks; %s\n", marks,
              tasks > 0 && tasks == expected ? "all tasks are in the trace" : "tasks are missing in the trace");
}
