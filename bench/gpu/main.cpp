// SPDX-License-Identifier: BSD-3-Clause
// The tables of docs/performance.md about GPUs, as Markdown; scripts/gpu runs it.
#include "bench/gpu/cases.hpp"

#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

using namespace nearfar;
using namespace nearfar::bench;

namespace {

constexpr int skipped = 77;  // the exit code that ctest takes for skipped

int usage(int status) {
  std::puts(
      "usage: nearfar_gpu_tables [--quick] [--only "
      "accuracy|solves|small|points|stages|translations|grids|growth|gpus|lengths]\n"
      "                          [--method ewald|multipoles]\n\n"
      "Prints tables of what the first GPU does: errors, whole and small solves, points, stages, translations, grids,\n"
      "growth, and what several GPUs gain. Only if named: what transforms cost by the length of a grid.\n"
      "--method: whole solves and stages of this method alone.\n"
      "--quick: fewer and smaller cases, 2 minutes instead of 6. Exit: 0, 1 if a check failed, 77 where there is no "
      "GPU.");
  return status;
}

}  // namespace

int main(int count, char** words) {
  Settings settings;
  std::string_view only;
  for (int i = 1; i < count; ++i) {
    std::string_view const word = words[i];
    if (word == "--quick") settings.quick = true;
    else if (word == "--only" && i + 1 < count) only = words[++i];
    else if (word == "--method" && i + 1 < count) {
      std::string_view const method = words[++i];
      settings.ewald = method == "ewald";
      settings.multipoles = method == "multipoles";
      if (!settings.ewald && !settings.multipoles) return usage(2);
    } else return usage(word == "--help" ? 0 : 2);
  }
  if (devices() == 0) {
    std::puts("there is no GPU: nothing was measured");
    return skipped;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  settings.peaks = gpu_peaks();
  std::printf("# One GPU\n\nMeasured: %.1f Tflop/s double, %.1f Tflop/s single, %.2f TB/s read and written.\n\n",
              1e-12 * settings.peaks.double_flops, 1e-12 * settings.peaks.single_flops, 1e-12 * settings.peaks.bytes);
  Checks checks;
  std::vector<std::pair<std::string_view, std::function<void()>>> const parts{
      {"solves", [&] { print_solves(settings, checks); }},
      {"small", [&] { print_small(checks); }},
      {"points", [&] { print_points(settings, checks); }},
      {"stages", [&] { print_stages(settings); }},
      {"accuracy", [&] { print_accuracy(settings, checks); }},
      {"translations", [&] { print_translations(settings); }},
      {"grids", [&] { print_grids(settings, checks); }},
      {"growth", [&] { print_growth(settings, checks); }},
      {"gpus",
       [&] {
         if (devices() > 1) print_gpus(settings, checks);
       }},
      {"lengths", [&] { print_lengths(checks); }}};
  for (auto const& [name, print] : parts) {
    if (only.empty() ? name == "lengths" : only != name) continue;
    auto const begin = std::chrono::steady_clock::now();
    try {
      print();
    } catch (std::exception const& e) {  // goes on, since the other tables are still useful
      checks.expect(false, std::string(name) + " ended early: " + e.what());
    }
    std::printf("(%s: %.0f s)\n\n", std::string(name).c_str(),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::printf("%d checks failed\n", checks.failed());
  return checks.failed() > 0 ? 1 : 0;
}
