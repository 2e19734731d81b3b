// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/plans.hpp"

namespace nearfar::cli {

std::vector<PlanCase> plan_cases(bool quick) {
  using K = Kernel;
  using D = Distribution;
  if (quick)
    return {{true, K::stokeslet, false, 3000, 1e-3, D::uniform}, {false, K::laplace, true, 3000, 1e-3, D::normal}};
  return {
      {true, K::stokeslet, false, 10000, 1e-6, D::uniform},   {true, K::stokeslet, false, 100000, 1e-9, D::uniform},
      {true, K::stokeslet, false, 1000000, 1e-6, D::uniform}, {true, K::stokeslet, false, 100000, 1e-6, D::normal},
      {true, K::stresslet, false, 100000, 1e-3, D::uniform},  {true, K::stresslet, false, 10000, 1e-9, D::sphere},
      {true, K::stokes, false, 100000, 1e-6, D::uniform},     {true, K::stokes, false, 1000000, 1e-3, D::normal},
      {true, K::laplace, false, 10000, 1e-3, D::uniform},     {true, K::laplace, false, 1000000, 1e-6, D::sphere},
      {true, K::laplace, true, 100000, 1e-6, D::uniform},     {true, K::laplace, true, 1000000, 1e-9, D::uniform},
      {false, K::laplace, false, 10000, 1e-6, D::uniform},    {false, K::laplace, false, 1000000, 1e-3, D::uniform},
      {false, K::laplace, true, 100000, 1e-6, D::uniform},    {false, K::laplace, true, 100000, 1e-9, D::normal},
      {false, K::laplace, true, 1000000, 1e-6, D::sphere},    {false, K::laplace, true, 10000, 1e-3, D::sphere},
      {false, K::stokeslet, false, 10000, 1e-9, D::uniform},  {false, K::stokeslet, false, 100000, 1e-3, D::normal},
      {false, K::stokeslet, false, 1000000, 1e-6, D::normal}, {false, K::stresslet, false, 100000, 1e-6, D::uniform},
      {false, K::stresslet, false, 10000, 1e-3, D::normal},   {false, K::stokes, false, 100000, 1e-6, D::sphere},
  };
}

}  // namespace nearfar::cli
