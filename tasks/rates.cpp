// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/rates.hpp"

#include "codelets/simd.hpp"
#include "core/constants.hpp"
#include "core/user_folder.hpp"
#include "tasks/ewald_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace nearfar::detail {

namespace {

/// The fields of Rates in the order of the file.
template <class R>
auto fields(R& r) {
  return std::array{&r.pair,         &r.pair_degree, &r.near_point,   &r.spread,
                    &r.spread_point, &r.gather,      &r.gather_point, &r.grid};
}

/// One file per precision and instruction set: what was measured with one says nothing of another.
template <class T>
std::string file_name() {
  return "rates-3-" + std::string(std::is_same_v<T, double> ? "f64-" : "f32-") + simd_level_name();
}

template <class T>
bool read_rates(Rates& rates) {
  if (user_folder().empty()) return false;
  std::ifstream in(user_folder() / file_name<T>());
  for (double* field : fields(rates))
    if (!(in >> *field) || !(*field > 0 && std::isfinite(*field))) return false;
  return true;
}

template <class T>
void keep_rates(Rates const& rates) {
  // A folder that cannot be written only means that the next process measures again.
  replace_in_user_folder(file_name<T>(), [&](auto const& path) {
    std::ofstream out(path);
    out.precision(17);
    for (double const* field : fields(rates)) out << *field << '\n';
    out.close();
    return bool(out);
  });
}

constexpr std::size_t points = 16000;

/// What a small solve took in each kind of work, in seconds of one worker, the best of three; and how much work it was.
struct Sample {
  double near = 1e300, spread = 1e300, gather = 1e300, grid = 1e300;
  double pairs = 0, window_points = 0, grid_points = 0;
  double cutoff = 0;
  int components = 0, degree = 0;
};

template <class T>
Sample sample(std::shared_ptr<RuntimeState> const& runtime, double tolerance, std::optional<double> cutoff = {}) {
  EwaldOptions options{.tolerance = tolerance, .count = points, .cutoff = cutoff};
  EwaldParameters const parameters = choose_parameters<T>(options, points, points, Rates{});
  auto plan = std::make_shared<EwaldPlan<T>>(runtime, options, parameters);
  std::mt19937 random(1);
  auto uniform = [&] { return T(random()) / T(4294967296.0); };
  std::vector<T> x(3 * points), f(3 * points), u(3 * points);
  for (auto* values : {&x, &f})
    for (T& v : *values) v = uniform();
  auto const set = plan->set_points(x, {}, true);
  Sample s;
  for (int repeat = 0; repeat < 3; ++repeat) {
    SolveReport const report = plan->submit(set, f, u, Part::whole).report();
    auto seconds = [&](std::string const& stage) {
      for (auto const& t : report.stages)
        if (t.stage == stage) return t.seconds;
      return 0.0;
    };
    s.near = std::min(s.near, seconds("p2p"));
    s.spread = std::min(s.spread, seconds("p2g"));
    s.gather = std::min(s.gather, seconds("g2p"));
    s.grid = std::min(s.grid, seconds("fft") + seconds("scale") + seconds("ifft"));
  }
  s.cutoff = parameters.cutoff;
  s.components = plan->setup().forward;
  s.degree = plan->setup().table_memory.data()->near.a.degree;
  s.pairs = double(points) * double(points) * 4 * pi<double> / 3 * std::pow(parameters.cutoff, 3);
  s.window_points = std::pow(parameters.window_points, 3);
  s.grid_points = double(parameters.grid[0]) * parameters.grid[1] * parameters.grid[2];
  return s;
}

/// The line through two measurements; a slope or an offset that noise made negative becomes a small part of the whole.
void fit_line(double x0, double y0, double x1, double y1, double& slope, double& offset) {
  slope = std::max((y1 - y0) / (x1 - x0), 0.05 * y1 / x1);
  offset = std::max(y0 - slope * x0, 0.05 * y0);
}

template <class T>
Rates measure(std::shared_ptr<RuntimeState> const& runtime) {
  bool const coarse = std::is_same_v<T, float>;
  Sample const low = sample<T>(runtime, coarse ? 1e-3 : 1e-5);
  Sample const high = sample<T>(runtime, coarse ? 1e-5 : 1e-10);
  Sample const sparse = sample<T>(runtime, coarse ? 1e-3 : 1e-5, 0.6 * low.cutoff);
  Rates r;
  double per_pair = 0, unused = 0;
  fit_line(sparse.pairs, sparse.near, low.pairs, low.near, per_pair, r.near_point);
  r.near_point /= double(points);
  double const high_per_pair = std::max((high.near - r.near_point * double(points)) / high.pairs, 1.01 * per_pair);
  fit_line(low.degree, per_pair, high.degree, high_per_pair, r.pair_degree, unused);
  r.pair = per_pair + (16 - low.degree) * r.pair_degree;
  double const per_point = double(points);
  fit_line(low.window_points * low.components, low.spread / per_point, high.window_points * high.components,
           high.spread / per_point, r.spread, r.spread_point);
  fit_line(low.window_points * low.components, low.gather / per_point, high.window_points * high.components,
           high.gather / per_point, r.gather, r.gather_point);
  r.grid = (low.grid / (low.grid_points * low.components) + high.grid / (high.grid_points * high.components)) / 2;
  return r;
}

}  // namespace

template <class T>
Rates measured_rates(std::shared_ptr<RuntimeState> const& runtime) {
  static std::mutex mutex;
  static Rates rates;
  static bool known = false;
  std::lock_guard const lock(mutex);
  // For tests, whose plans must not depend on how busy the machine is.
  char const* const wish = std::getenv("NEARFAR_RATES");
  if (wish != nullptr && std::string_view(wish) == "default") return Rates{};
  if (!known) {
    if (!read_rates<T>(rates)) {
      rates = measure<T>(runtime);
      keep_rates<T>(rates);
    }
    known = true;
  }
  return rates;
}

template Rates measured_rates<double>(std::shared_ptr<RuntimeState> const&);
template Rates measured_rates<float>(std::shared_ptr<RuntimeState> const&);

}  // namespace nearfar::detail
