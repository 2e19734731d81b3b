// SPDX-License-Identifier: BSD-3-Clause
// The program `nearfar-bench`: measurements for those who change nearfar, and for pages of its documentation.
#include "bench/program/commands.hpp"

int main(int argc, char** argv) {
  using namespace nearfar::cli;
  return run_program(
      {"nearfar-bench",
       "What those measure who change nearfar. Users measure with 'nearfar bench'.",
       "  nearfar-bench plans --quick --cpus 1\n",
       {plans_command(), steps_command(), shear_command(), skewed_command(), tolerance_command(), fit_command()}},
      argc, argv);
}
