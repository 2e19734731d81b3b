// SPDX-License-Identifier: BSD-3-Clause
// A small sphere that a torque turns, in fluid that repeats without end. Alone it would turn at t / a^3 (in units of 8
// pi mu), but the fluid as a whole cannot turn, and what its images leave of that is 1 - (4 pi / 3) (a / L)^3: the rest
// of the cell turns backwards. The flow of a torque is a rotlet; half its curl is how fast fluid turns.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nearfar/flow.hpp>
#include <nearfar/nearfar.hpp>
#include <numbers>
#include <vector>

int main() {
  using nearfar::Output;
  double const radius = 0.1, edge = 1, alone = 1 / std::pow(radius, 3);
  std::vector<double> const centre{0.3, 0.4, 0.5}, torque{0, 0, 1};
  nearfar::Runtime runtime;
  nearfar::Ewald ewald(runtime, {.kernel = nearfar::Kernel::rotlet,
                                 .outputs = Output::velocity | Output::gradient,
                                 .box = {edge, edge, edge},
                                 .tolerance = 1e-10});
  std::vector<double> flow(12);  // of the images: a source does not act on itself
  ewald.submit(ewald.set_points(centre), torque, flow).wait();
  nearfar::Tensor<double> gradient;
  std::copy_n(flow.begin() + 3, 9, gradient.begin());
  double const turned = alone + nearfar::vorticity(gradient)[2] / 2,
               expected = 1 - 4 * std::numbers::pi / 3 * std::pow(radius / edge, 3);
  std::printf("turns at %.8f of the speed alone, expected %.8f\n", turned / alone, expected);
}
