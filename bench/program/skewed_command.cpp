// SPDX-License-Identifier: BSD-3-Clause
#include "bench/program/commands.hpp"
#include "bench/steps/skewed.hpp"
#include "cli/io/number.hpp"

#include <memory>

namespace nearfar::cli {

Command skewed_command() {
  auto settings = std::make_shared<BenchSettings>();
  auto angle = std::make_shared<double>(60);
  Options const own = {{"--angle", "DEGREES", "Between the rows of the skewed cells [60]",
                        [angle](std::string const& text) { *angle = number_option("--angle", text); }}};
  return {"skewed",
          "Solves in skewed cells, beside solves in a cube of the same volume",
          "Solves in a periodic cube, in a cell with one angle of 60 degrees, and in one with three take turns.\n"
          "Edges are as long as each other, and points at the same fractions of them. Prints one line of JSON: grid\n"
          "and cutoff, and the CPU time of a solve in each, medians, over that of the cube ('ratio'); 'first_ratio'\n"
          "is of the first solve with a plan.",
          "nearfar-bench skewed --kernel laplace --gradient --count 1e5 --tolerance 1e-6 --cpus 1 --repeat 9",
          join({own, measurement_options(settings), solver_options(settings)}),
          [settings, angle] {
            bench_skewed_cells(*settings, *angle);
            return 0;
          }};
}

}  // namespace nearfar::cli
