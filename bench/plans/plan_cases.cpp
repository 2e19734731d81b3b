// SPDX-License-Identifier: BSD-3-Clause
#include "bench/plans/plans.hpp"

namespace nearfar::cli {

std::vector<PlanCase> plan_cases(bool quick) {
  using K = Kernel;
  using D = Distribution;
  Outputs const both = Output::potential | Output::gradient;
  if (quick)
    return {{true, K::stokeslet, {}, 3000, 1e-3, D::uniform}, {false, K::laplace, both, 3000, 1e-3, D::normal}};
  return {
      {true, K::stokeslet, {}, 10000, 1e-6, D::uniform},   {true, K::stokeslet, {}, 100000, 1e-9, D::uniform},
      {true, K::stokeslet, {}, 1000000, 1e-6, D::uniform}, {true, K::stokeslet, {}, 100000, 1e-6, D::normal},
      {true, K::stresslet, {}, 100000, 1e-3, D::uniform},  {true, K::stresslet, {}, 10000, 1e-9, D::sphere},
      {true, K::stokes, {}, 100000, 1e-6, D::uniform},     {true, K::stokes, {}, 1000000, 1e-3, D::normal},
      {true, K::laplace, {}, 10000, 1e-3, D::uniform},     {true, K::laplace, {}, 1000000, 1e-6, D::sphere},
      {true, K::laplace, both, 100000, 1e-6, D::uniform},  {true, K::laplace, both, 1000000, 1e-9, D::uniform},
      {false, K::laplace, {}, 10000, 1e-6, D::uniform},    {false, K::laplace, {}, 1000000, 1e-3, D::uniform},
      {false, K::laplace, both, 100000, 1e-6, D::uniform}, {false, K::laplace, both, 100000, 1e-9, D::normal},
      {false, K::laplace, both, 1000000, 1e-6, D::sphere}, {false, K::laplace, both, 10000, 1e-3, D::sphere},
      {false, K::stokeslet, {}, 10000, 1e-9, D::uniform},  {false, K::stokeslet, {}, 100000, 1e-3, D::normal},
      {false, K::stokeslet, {}, 1000000, 1e-6, D::normal}, {false, K::stresslet, {}, 100000, 1e-6, D::uniform},
      {false, K::stresslet, {}, 10000, 1e-3, D::normal},   {false, K::stokes, {}, 100000, 1e-6, D::sphere},
  };
}

}  // namespace nearfar::cli
