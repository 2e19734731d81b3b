// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/command.hpp"
#include "cli/commands/solves/solver_run.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <optional>

namespace nearfar::cli {

namespace {

struct Settings {
  SolveSettings solve;
  Kernel kernel = Kernel::stokeslet;
  Outputs outputs{};
  std::optional<double> screening{}, softening{};
};

int solve(Settings const& settings) {
  return run_solver(
      settings.solve, {"direct", settings.kernel, settings.outputs},
      [&](Runtime const& runtime, Particles const& particles, Progress& progress) {
        progress.step("solving");
        std::vector<double> result(particles.target_count() *
                                   static_cast<std::size_t>(result_components(settings.kernel, settings.outputs)));
        auto solve = direct(runtime, settings.kernel, settings.outputs, particles.sources, particles.targets(),
                            particles.strengths, result, settings.screening, settings.softening);
        progress.wait(solve);
        return Solved{std::move(solve), std::move(result), {}, [](Run const& run) {
                        std::fprintf(stderr, "nearfar direct: %s in free space, %s, %s\n",
                                     std::string(name(run.kernel)).c_str(), counted(run.sources, "source").c_str(),
                                     counted(run.targets, "target").c_str());
                      }};
      });
}

}  // namespace

Command direct_command() {
  auto settings = std::make_shared<Settings>();
  return {
      "direct",
      "The direct O(N^2) sum in free space, as a reference",
      "Sums every pair in extended precision. A pair at distance zero is left out.",
      "nearfar direct --kernel stokeslet --sources blobs.csv --targets probes.csv --output velocity.csv",
      join({file_options(settings->solve), kernel_options(settings->kernel, settings->outputs),
            screening_options(settings->screening), softening_options(settings->softening, "L is any length above 0"),
            runtime_options(settings->solve.runtime)}),
      [settings] {
        expect_outputs(settings->kernel, settings->outputs);
        prepare(settings->solve);
        return solve(*settings);
      },
      true};
}

}  // namespace nearfar::cli
