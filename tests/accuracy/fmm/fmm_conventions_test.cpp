// SPDX-License-Identifier: BSD-3-Clause
// One source and one target in the conventions of FMM3D, and how they map to ours. The numbers are derivatives of r and
// 1/r by finite differences in 40 digits, from the formulas of its documentation: charges c / r, dipoles -v . grad
// (1/r), Stokes kernels over 8 pi, Hessians xx, yy, zz, xy, xz, yz, gradients of velocities with the direction as row.
#include "tests/oracle/oracle.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace nearfar;

namespace {

struct Known {
  char const* name;
  Kernel kernel;
  double factor;                  ///< of the kernel here
  std::vector<double> strengths;  ///< ours
  std::vector<double> numbers;    ///< theirs: of a potential, itself, gradient, Hessian; of a flow, u, p, gradient
};

double const per_8_pi = 1 / (8 * std::acos(-1.0));
std::vector<double> const source{0.1, -0.2, 0.3}, target{0.7, 0.4, -0.5};

/// A rotlet of the vectors a and b is one of the torque 2 b x a here.
std::vector<double> torque(std::vector<double> const& a, std::vector<double> const& b) {
  return {2 * (b[1] * a[2] - b[2] * a[1]), 2 * (b[2] * a[0] - b[0] * a[2]), 2 * (b[0] * a[1] - b[1] * a[0])};
}

std::vector<Known> known() {
  return {
      {"charge",
       Kernel::laplace,
       1,
       {1.5},
       {1.2862393885688163, -0.56745855378036012, -0.56745855378036012, 0.75661140504048016, -0.19471617041482945,
        -0.19471617041482945, 0.38943234082965891, 0.75104808588577075, -1.0013974478476943, -1.0013974478476943}},
      {"dipole",
       Kernel::dipole,
       1,
       {0.3, -0.7, 0.2},
       {-0.25220380168016005, 0.52295200054268482, -0.10755750365771532, -0.31896363153667301, -0.68068846128209288,
        0.98830728513073101, -0.30761882384863813, -0.40252250354662223, 1.1486617784135317, 0.035997947471649143}},
      {"stokeslet",
       Kernel::stokeslet,
       per_8_pi,
       {0.4, -1.1, 0.9},
       {-0.0035122046490969839, -0.054690043821653036, 0.053586208074793984, -0.057198761428150881,
        -0.0058881077940743554, 0.045289731378481696, -0.051856668642549587, 0.00013281446152047418,
        -0.0058881077940743554, -0.021752057364575438, -0.0087067258107866409, -0.038811337088760789,
        0.011776215588148711}},
      {"stresslet",
       Kernel::stresslet,
       -per_8_pi,
       {0.5, 0.2, -0.8, -0.3, 0.6, 0.1},
       {0.0070391664605851317, 0.0070391664605851317, -0.0093855552807801756, 0.03450224567054096,
        -0.021592766817588464, -0.033324710918563684, 0.044432947891418245, 0.028035570303895389, 0.039767514404870608,
        -0.037380760405193851, 0.022430018766193022, 0.022430018766193022, -0.018174747587282144}},
      {"rotlet",
       Kernel::rotlet,
       per_8_pi,
       torque({0.5, 0.2, -0.8}, {-0.3, 0.6, 0.1}),
       {0.018464161583824144, -0.030907400912053459, -0.0093324294961719859, 0, -0.02443786091976725,
        0.022844087381521559, 0.021884871826095913, -0.0063750941529827608, 0.040906854148306048, -0.012735431143574358,
        0.023050687654997853, -0.029455296132762941, -0.016468993228538799}}};
}

/// Their numbers in our order.
std::vector<double> ours(Known const& k) {
  std::vector<double> row(k.numbers);
  if (k.kernel == Kernel::laplace || k.kernel == Kernel::dipole) {
    std::size_t const hessian[6] = {0, 3, 4, 1, 5, 2};
    for (std::size_t i = 0; i < 6; ++i) row[4 + i] = k.numbers[4 + hessian[i]];
  } else {
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t m = 0; m < 3; ++m) row[4 + 3 * j + m] = k.numbers[4 + 3 * m + j];
  }
  return row;
}

}  // namespace

TEST_CASE("conventions: numbers of FMM3D's kernels, mapped") {
  Runtime const runtime({.gpus = 0});
  for (Known const& k : known()) {
    CAPTURE(std::string(k.name));
    Outputs const outputs = outputs_of(k.kernel);
    std::vector<double> expected = ours(k), by_pairs(std::size_t(result_components(k.kernel, outputs))), u(by_pairs);
    expected.resize(u.size());
    direct(runtime, k.kernel, outputs, source, target, k.strengths, by_pairs).wait();
    Fmm plan(runtime, {.kernel = k.kernel, .outputs = outputs, .order = 30, .depth = 2});
    auto const points = plan.set_points(source, target);
    CHECK(points.parameters().translations > 0);  // not a pair
    plan.submit(points, k.strengths, u).wait();
    for (auto* found : {&by_pairs, &u}) {
      for (double& x : *found) x *= k.factor;
      CHECK(oracle::relative_error(*found, expected) < (found == &u ? 1e-10 : 1e-14));
    }
  }
}
