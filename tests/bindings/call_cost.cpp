// SPDX-License-Identifier: BSD-3-Clause
// usage: call_cost
// The least microseconds that a solve of 8 charges takes from C++, submitted and waited for: what a call from Python is
// compared with (tests/bindings/python/call_cost_test.py).
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

int main() {
  std::vector<double> ions, charges, potential(8);
  for (int i = 0; i < 8; ++i) {
    int const x = i / 4, y = i / 2 % 2, z = i % 2;
    ions.insert(ions.end(), {double(x), double(y), double(z)});
    charges.push_back((x + y + z) % 2 == 0 ? 1 : -1);
  }
  nearfar::Runtime runtime;
  nearfar::Ewald ewald(runtime, {.kernel = nearfar::Kernel::laplace, .box = {2, 2, 2}, .tolerance = 1e-4});
  auto const points = ewald.set_points(ions);
  double least = 1e9;
  for (int i = 0; i < 3000; ++i) {
    auto const begin = std::chrono::steady_clock::now();
    ewald.submit(points, charges, potential).wait();
    least =
        std::min(least, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  std::printf("%.2f\n", least);
}
