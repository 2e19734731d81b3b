// SPDX-License-Identifier: BSD-3-Clause
#include "bench/fit/gpu_solves.hpp"

#include "bench/gpu/device.hpp"
#include "tasks/particles/staged_rows.hpp"

#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <random>

namespace nearfar::bench {

namespace {

constexpr int warm_up = 3, rounds = 21;
constexpr std::size_t row = 4;  // of results: potential and gradient

template <class T>
struct Arrays {
  std::vector<T> x, q, u;

  explicit Arrays(std::size_t count) : u(row * count) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (std::size_t i = 0; i < 3 * count; ++i) x.push_back(T(uniform(random)));
    for (std::size_t i = 0; i < count; ++i) q.push_back(T(i % 2 == 0 ? 1 : -1));
  }
};

bool is_captured(Solve& solve) {
  return std::ranges::any_of(implementations_used(solve), [](ImplementationUse const& use) {
    return use.stage == "chain" && use.implementation == "captured";
  });
}

/// Factors in the order of fitted_gpu_constants.
template <class T, class Plan>
Observation observed(Plan& plan, std::size_t count, bool there, bool is_ewald) {
  Arrays<T> host(count);
  auto const points = plan.set_points(std::span<T const>(host.x));
  std::optional<DeviceArray<T>> q, u;
  if (there) {
    q.emplace(std::span<T const>(host.q));
    u.emplace(host.u.size());
  }
  std::vector<double> seconds;
  Observation found;
  bool captured = false;
  for (int i = 0; i < warm_up + rounds; ++i) {
    auto solve = plan.submit(points, there ? std::span<T const>(q->span()) : std::span<T const>(host.q),
                             there ? u->span() : std::span<T>(host.u));
    SolveReport const report = solve.report();
    if (i < warm_up) continue;
    seconds.push_back(report.seconds);
    found.known = report.predicted_seconds;
    captured = is_captured(solve);
  }
  std::ranges::nth_element(seconds, seconds.begin() + rounds / 2);
  found.seconds = seconds[rounds / 2];
  double const bytes = there ? 0 : double((host.q.size() + host.u.size()) * sizeof(T));
  bool const pinned = detail::StagedRows<T>::pay(host.q.size() + host.u.size());
  found.factors = {captured && is_ewald ? 1.0 : 0.0, is_ewald ? 1.0 : 0.0, captured && !is_ewald ? 1.0 : 0.0,
                   pinned ? 0 : bytes, pinned ? bytes : 0};
  for (std::size_t c = 0; c < fitted_gpu_constants.size(); ++c)
    found.known -= found.factors[c] * gpu_constants.*fitted_gpu_constants[c].member;
  return found;
}

template <class T>
void observe(Runtime const& runtime, std::function<void(std::string const&)> const& begins,
             std::vector<Observation>& all) {
  double const tolerance = sizeof(T) == sizeof(float) ? 1e-3 : 1e-6;
  Outputs const outputs = Output::potential | Output::gradient;
  for (std::size_t const count : {10'000, 30'000, 100'000, 300'000, 1'000'000})
    for (bool const there : {true, false}) {
      std::string const what = std::to_string(count) + (sizeof(T) == sizeof(float) ? " in single" : " in double") +
                               (there ? "" : ", arrays on the host");
      begins("Ewald sums, " + what);
      BasicEwald<T> ewald(runtime, {.kernel = Kernel::laplace, .outputs = outputs, .tolerance = tolerance});
      all.push_back(observed<T>(ewald, count, there, true));
      begins("multipoles, " + what);
      BasicFmm<T> fmm(runtime, {.kernel = Kernel::laplace, .outputs = outputs, .tolerance = tolerance});
      all.push_back(observed<T>(fmm, count, there, false));
    }
}

}  // namespace

std::vector<Observation> observe_gpu_solves(Runtime const& runtime,
                                            std::function<void(std::string const&)> const& begins) {
  std::vector<Observation> all;
  observe<double>(runtime, begins, all);
  observe<float>(runtime, begins, all);
  return all;
}

}  // namespace nearfar::bench
