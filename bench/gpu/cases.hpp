// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bench/gpu/device.hpp"

#include <nearfar/nearfar.hpp>
#include <nearfar/processor.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace nearfar::bench {

/// Uniform points in the unit box, and strengths between -1 and 1.
template <class T>
struct Particles {
  std::vector<T> x, f;
  Particles(std::size_t count, int components) : x(3 * count), f(count * std::size_t(components)) {
    std::mt19937 random(1);
    for (T& v : x) v = T(random() / 4294967296.0 * 0.999999);
    for (T& v : f) v = T(random() / 2147483648.0 - 1);
  }
};

/// Reports of solves one after the other, beside some that come first.
struct Timing {
  std::vector<SolveReport> solves;  ///< by seconds
  SolveReport const& median() const { return solves[solves.size() / 2]; }
  double seconds() const { return median().seconds; }
};

inline Timing time_solves(std::function<Solve()> const& submit, int repeat = 5, int before = 2) {
  Timing timing;
  for (int i = 0; i < before + repeat; ++i) {
    auto solve = submit();
    if (i < before) solve.wait();
    else timing.solves.push_back(solve.report());
  }
  std::ranges::sort(timing.solves, {}, &SolveReport::seconds);
  return timing;
}

/// Seconds of what ends with the call.
inline double median_of(int repeat, std::function<void()> const& call) {
  std::vector<double> seconds;
  for (int i = 0; i < repeat; ++i) {
    auto const begin = std::chrono::steady_clock::now();
    call();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

struct EwaldCase {
  Kernel kernel;
  Outputs outputs{};
  Periodicity periodicity;
  std::size_t points;
  double tolerance;
  double goal = 0;  ///< seconds; 0: none
  int in() const { return strength_components(kernel); }
  int out() const { return result_components(kernel, outputs); }
  EwaldOptions options() const {
    return {.kernel = kernel, .outputs = outputs, .periodicity = periodicity, .tolerance = tolerance};
  }
};

struct FmmCase {
  Kernel kernel;
  Outputs outputs;
  bool single;
  std::size_t points;
  double tolerance;
  double goal = 0;
  std::optional<int> order{}, depth{};
  Periodicity periodicity = Periodicity::none;
  int in() const { return strength_components(kernel); }
  int out() const { return result_components(kernel, outputs); }
  FmmOptions options() const {
    FmmOptions o{.kernel = kernel,
                 .outputs = outputs,
                 .periodicity = periodicity,
                 .tolerance = tolerance,
                 .order = order,
                 .depth = depth};
    if (periodicity != Periodicity::none) o.box = {1, 1, 1};
    return o;
  }
};

inline std::string title(Kernel kernel, Outputs outputs) {
  return std::string(name(kernel)) + (outputs.has(Output::gradient) ? ", gradient" : "");
}

/// Counts what is not as it should be, each told at once; the program goes on.
class Checks {
 public:
  void expect(bool good, std::string const& what) {
    if (good) return;
    ++failed_;
    std::printf("FAILED: %s\n", what.c_str());
  }
  int failed() const { return failed_; }

 private:
  int failed_ = 0;
};

/// The tables; `quick`: fewer and smaller cases.
struct Settings {
  bool quick = false;
  bool ewald = true, multipoles = true;  ///< in tables of whole solves and of stages
  GpuPeaks peaks{};
};
void print_stages(Settings const& settings);                  ///< time and floor of every stage
void print_solves(Settings const& settings, Checks& checks);  ///< whole solves
void print_points(Settings const& settings, Checks& checks);  ///< set and moved
void print_translations(Settings const& settings);            ///< M2L by order
void print_grids(Settings const& settings, Checks& checks);   ///< Poisson's equation, and particles in cells
void print_small(Checks& checks);
void print_growth(Settings const& settings, Checks& checks);
void print_lengths(Checks& checks);                             ///< transforms by the length of a grid
void print_gpus(Settings const& settings, Checks& checks);      ///< one and several
void print_accuracy(Settings const& settings, Checks& checks);  ///< against CPUs at 1e-12, and direct sums

}  // namespace nearfar::bench
