// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <nearfar/nearfar.hpp>
#include <vector>

int main() {  // rock salt, a box of 8 ions that repeats without end: the potential is minus Madelung's constant
  std::vector<double> ions, charges, potential(8);
  for (int i = 0; i < 8; ++i) {
    int const x = i / 4, y = i / 2 % 2, z = i % 2;
    ions.insert(ions.end(), {double(x), double(y), double(z)});
    charges.push_back((x + y + z) % 2 == 0 ? 1 : -1);
  }
  nearfar::Runtime runtime;
  nearfar::Ewald ewald(runtime, {.kernel = nearfar::Kernel::laplace, .box = {2, 2, 2}, .tolerance = 1e-9});
  auto points = ewald.set_points(ions);
  auto solve = ewald.submit(points, charges, potential);  // returns at once
  solve.wait();
  std::printf("potential %.8f, expected -1.74756459\n", potential[0]);
}
