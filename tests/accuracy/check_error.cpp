// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/measure.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace nearfar {

void check_error(std::string const& what, System const& s, std::vector<double> const& result,
                 std::vector<double> const& reference, double tolerance) {
  auto const check = [&](std::string const& column, int width, int first, int count) {
    double const error = oracle::relative_error(result, reference, width, first, count);
    std::ostringstream line;
    line << what << ", " << column << ": error " << error << " (allowed " << tolerance << ")";
    MESSAGE(line.str());
    CHECK_MESSAGE(error < tolerance, line.str());
  };
  if (s.kernel == Kernel::laplace) {
    check("phi", 4, 0, 1);
    check("gradient", 4, 1, 3);
  } else {
    check("u", 3, 0, 3);
  }
}

}  // namespace nearfar
