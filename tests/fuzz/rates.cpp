// SPDX-License-Identifier: BSD-3-Clause
// Any file as the throughputs of this machine: none, or those that some machine could have, and plans by them.
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/machine.hpp"
#include "tasks/tune/kept.hpp"
#include "tests/fuzz/input_file.hpp"

#include <cmath>

using namespace nearfar;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static fuzz::Folder const folder;
  static bool const set = setenv("NEARFAR_CACHE", folder.path().c_str(), 1) == 0;
  fuzz::expect(set);
  static int number = 0;  // files are read once
  auto const name = "rates" + std::to_string(number++), path = folder.file(name, data, size);
  auto const kept = detail::kept_throughputs<double>(name);
  std::filesystem::remove(path);
  if (!kept) return 0;
  for (auto const* speeds : {&kept->cpu, &kept->gpu})
    for (std::size_t i = 0; i < row_names.size(); ++i) {
      double const speed = (*speeds)[WorkRow(i)];
      fuzz::expect(speed >= 0 && speed < 1e9);
    }
  Machine machine = default_machine<double>();
  machine.speed = *kept;
  auto const p = choose_parameters<double>({.tolerance = 1e-4}, 1000, 1000, {}, machine);
  fuzz::expect(p.cutoff > 0 && std::isfinite(p.near_seconds) && p.estimated_error <= 1e-4);
  return 0;
}
