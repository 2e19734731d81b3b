// SPDX-License-Identifier: BSD-3-Clause
#include "bench/program/commands.hpp"
#include "bench/steps/shear.hpp"
#include "cli/io/number.hpp"

#include <memory>

namespace nearfar::cli {

Command shear_command() {
  auto settings = std::make_shared<BenchSettings>();
  Options const own = {
      {"--steps", "N", "Number of steps, in which the cell is sheared from 0 to 1 [20]",
       [settings](std::string const& text) { settings->steps = small_count_option("--steps", text, 1); }},
      {"--step", "LENGTH", "Largest move along each direction, in units of the longest edge [0.001]",
       [settings](std::string const& text) { settings->step_length = number_option("--step", text); }}};
  return {"shear",
          "Steps in a cell that is sheared, beside steps in a cube",
          "Points move and are solved for by two plans in turn, one in a periodic cube, one in the same cube sheared "
          "from 0\n"
          "to 1 with set_cell. Prints one line of JSON: the CPU time of a step of each, medians, their\n"
          "ratio, and the ratio of all steps together ('ratio_of_sums'), of which some needed a new plan.",
          "nearfar-bench shear --kernel stokeslet --count 1e5 --tolerance 1e-6 --cpus 1 --steps 60",
          join({own, measurement_options(settings), solver_options(settings)}),
          [settings] {
            bench_sheared_steps(*settings);
            return 0;
          }};
}

}  // namespace nearfar::cli
