// SPDX-License-Identifier: BSD-3-Clause
#include <nearfar/nearfar.hpp>
#include <cstdio>
#include <vector>

int main() {  // rock salt: 8 ions in a box that repeats without end; the answer is minus Madelung's constant
  std::vector<double> ions, charges, potential(8);
  for (int i = 0; i < 8; ++i) {
    ions.insert(ions.end(), {double(i / 4), double(i / 2 % 2), double(i % 2)});
    charges.push_back((i / 4 + i / 2 + i) % 2 == 0 ? 1.0 : -1.0);
  }
  nearfar::Runtime runtime;
  nearfar::Ewald ewald(runtime, {.kernel = nearfar::Kernel::laplace, .box = {2, 2, 2}, .tolerance = 1e-9});
  auto points = ewald.set_points(ions);
  auto solve = ewald.submit(points, charges, potential);  // returns at once
  solve.wait();
  std::printf("potential %.8f, expected -1.74756459\n", potential[0]);
}
