// SPDX-License-Identifier: BSD-3-Clause
// Any text as options of a solve, a line each: settings that make sense, for which there is a plan, or an Error.
#include "cli/options.hpp"
#include "core/ewald/options.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/fmm/choice.hpp"
#include "tests/fuzz/input_file.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

using namespace nearfar;

namespace {

/// "--flag value" of every line, as the program would set them; lines of no option are left out.
void set_all(cli::Options const& options, std::string const& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    auto const blank = std::min(line.find(' '), line.size());
    auto const found = std::ranges::find(options, line.substr(0, blank), &cli::Option::flag);
    if (found != options.end()) found->set(blank < line.size() ? line.substr(blank + 1) : "");
  }
}

void plan_ewald(cli::EwaldSettings& settings) {
  cli::settle_box(settings);
  auto options = settings.plan;
  check_options<double>(options);
  for (double& edge : options.box)
    if (edge == 0) edge = 1;
  auto const p = choose_parameters<double>(options, 100, 100);
  fuzz::expect(p.cutoff > 0 && p.grid[0] > 0 && std::isfinite(p.estimated_error));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text(reinterpret_cast<char const*>(data), size);
  fuzz::told([&] {
    cli::SolveSettings files;
    cli::EwaldSettings ewald;
    set_all(cli::join({cli::file_options(files), cli::runtime_options(files.runtime),
                       cli::kernel_options(ewald.plan.kernel, ewald.plan.outputs), cli::open_box_options(ewald),
                       cli::ewald_options(ewald), cli::ewald_expert_options(ewald)}),
            text);
    plan_ewald(ewald);
  });
  fuzz::told([&] {
    cli::FmmSettings fmm;
    set_all(cli::join({cli::kernel_options(fmm.plan.kernel, fmm.plan.outputs), cli::fmm_options(fmm),
                       cli::fmm_expert_options(fmm)}),
            text);
    settle_box(fmm);
    check_options<double>(fmm.plan);
  });
  return 0;
}
