// SPDX-License-Identifier: BSD-3-Clause
// What a call from Python is compared with (tests/bindings/python/call_cost), in the same process: two processes differ
// by more than a call from Python costs.
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <chrono>
#include <vector>

namespace {

/// The microseconds that `call` takes, if they are the least.
void time(double& least, auto const& call) {
  auto const begin = std::chrono::steady_clock::now();
  call();
  least = std::min(least, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
}

/// A direct sum that takes a worker a tenth of a second or more.
struct Work {
  nearfar::Runtime runtime;
  std::vector<double> x = std::vector<double>(3 * 4000), strengths = std::vector<double>(4000, 1), result = strengths;
  nearfar::Solve solve;

  Work() {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = double(i * 7919 % 100003);
    solve = nearfar::direct(runtime, nearfar::Kernel::laplace, {}, x, x, strengths, result);
  }
};
Work* work = nullptr;

}  // namespace

extern "C" void begin_work() { work = new Work; }
extern "C" void end_work() { delete work; }  // waits

/// The least microseconds that it takes to submit a sum of 8 charges from C++, and to wait for one that has ended: of
/// so many, submitted while the only worker has other work, or else it would take turns with the caller at locks.
extern "C" double least_microseconds(int solves) {
  std::vector<double> ions, charges;
  for (int i = 0; i < 8; ++i) {
    int const x = i / 4, y = i / 2 % 2, z = i % 2;
    ions.insert(ions.end(), {double(x), double(y), double(z)});
    charges.push_back((x + y + z) % 2 == 0 ? 1 : -1);
  }
  nearfar::Runtime runtime;
  nearfar::Ewald ewald(runtime, {.kernel = nearfar::Kernel::laplace, .box = {2, 2, 2}, .tolerance = 1e-4});
  auto const points = ewald.set_points(ions);
  std::vector<std::vector<double>> potentials(std::size_t(solves), std::vector<double>(8));
  std::vector<nearfar::Solve> flights;
  double submitting = 1e9, waiting = 1e9;
  begin_work();
  for (auto& potential : potentials)
    time(submitting, [&] { flights.push_back(ewald.submit(points, charges, potential)); });
  end_work();
  flights.back().wait();
  for (auto& flight : flights) time(waiting, [&] { flight.wait(); });
  return submitting + waiting;
}
