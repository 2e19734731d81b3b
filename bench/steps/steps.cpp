// SPDX-License-Identifier: BSD-3-Clause
#include "bench/steps/steps.hpp"

#include "bench/gpu/device.hpp"
#include "cli/bench/diffusion.hpp"
#include "cli/io/particles/particles.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <type_traits>

namespace nearfar::cli {

namespace {

constexpr std::size_t row = 4;  // of results: potential and gradient

/// Rows on the host, and in the memory of the first GPU where they are to be there.
template <class T>
class Array {
 public:
  Array(std::vector<T> content, bool on_device) : host_(std::move(content)) {
    if (on_device) device_.emplace(std::span<T const>(host_));
  }

  std::span<T> rows() { return device_ ? device_->span() : std::span<T>(host_); }
  std::vector<T>& host() { return host_; }
  void upload() {
    if (device_) device_->upload(host_);
  }
  void download() {
    if (device_) device_->download(host_);
  }

 private:
  std::vector<T> host_;
  std::optional<bench::DeviceArray<T>> device_;
};

struct Figures {
  Measurement machine;
  std::vector<double> move, step;        ///< seconds of moving the points; from the positions to the forces
  double very_first = 0;                 ///< seconds of the first solve of the plan
  double set = 0, first = 0, later = 0;  ///< seconds: points set anew, the first solve with them, later ones
  double predicted = 0;                  ///< of a later solve
  std::string how;                       ///< a later solve ran: "captured" if it is a captured chain
  std::string step_how;                  ///< the same of the last step's solve
  int order = 0, last_order = 0;         ///< of expansions, of the first step's points and of the last one's
  double error = 0;                      ///< of the forces
};

/// So many targets, evenly spread over their order.
std::vector<std::size_t> sample_of(std::size_t count, int wanted) {
  std::vector<std::size_t> sample;
  std::size_t const step = std::max<std::size_t>(1, count / static_cast<std::size_t>(wanted));
  for (std::size_t i = step / 2; i < count && sample.size() < static_cast<std::size_t>(wanted); i += step)
    sample.push_back(i);
  return sample;
}

/// Gradients of the potential at a sample, pair by pair.
template <class T>
std::vector<double> direct_gradients(std::vector<T> const& x, std::vector<T> const& q,
                                     std::vector<std::size_t> const& sample) {
  std::vector<double> gradients;
  for (std::size_t const target : sample) {
    double sum[3] = {};
    for (std::size_t s = 0; s < q.size(); ++s) {
      if (s == target) continue;
      double r[3], square = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        r[d] = double(x[3 * target + d]) - double(x[3 * s + d]);
        square += r[d] * r[d];
      }
      double const factor = -double(q[s]) / (square * std::sqrt(square));
      for (std::size_t d = 0; d < 3; ++d) sum[d] += factor * r[d];
    }
    gradients.insert(gradients.end(), sum, sum + 3);
  }
  return gradients;
}

/// The same of a periodic cell, by a plan in double precision that is a hundred times as fine.
template <class T>
std::vector<double> finer_gradients(Runtime const& runtime, EwaldOptions options, std::vector<T> const& x,
                                    std::vector<T> const& q, std::vector<std::size_t> const& sample) {
  options.tolerance = std::max(options.tolerance / 100, 1e-12);
  Ewald plan{runtime, options};
  std::vector<double> const positions(x.begin(), x.end()), strengths(q.begin(), q.end());
  std::vector<double> result(row * q.size()), gradients;
  plan.submit(plan.set_points(positions), strengths, result).wait();
  for (std::size_t const target : sample)
    gradients.insert(gradients.end(), &result[row * target + 1], &result[row * target + 4]);
  return gradients;
}

template <class T>
double error_of(std::vector<T> const& result, std::vector<double> const& gradients,
                std::vector<std::size_t> const& sample) {
  double difference = 0, all = 0;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    difference += std::pow(double(result[row * sample[i / 3] + 1 + i % 3]) - gradients[i], 2);
    all += gradients[i] * gradients[i];
  }
  return std::sqrt(difference / all);
}

template <class T, class Plan, class Options>
Figures figures_of(StepsSettings const& settings, Options const& options) {
  using Clock = std::chrono::steady_clock;
  auto const since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  Runtime const runtime{settings.runtime};
  bool const on_device = !settings.on_host && settings.runtime.gpus != 0 && bench::devices() > 0;
  Rows<T> given{settings.particles};
  if (settings.masses)
    for (T& strength : given.strengths) strength = std::abs(strength);
  auto const& box = settings.particles.box;
  Diffusion<T> diffusion(box, static_cast<int>(options.periodicity),
                         settings.step_length * *std::ranges::max_element(box), settings.particles.seed + 1);
  Array<T> x(given.positions, on_device), q(given.strengths, on_device),
      u(std::vector<T>(row * given.strengths.size()), on_device);
  Plan plan{runtime, options};
  auto const solve = [&](auto const& points) { return plan.submit(points, std::span<T const>(q.rows()), u.rows()); };
  auto const positions = [&] { return std::span<T const>(x.rows()); };
  auto const diffuse = [&](auto const& before) {
    diffusion.step(x.host());
    x.upload();
    // A GPU that has rested while the host moved points takes some milliseconds to wake, where codes that move them on
    // the GPU lose none.
    if (on_device) solve(before).wait();
  };

  Figures f;
  f.machine = measurement_on(runtime);
  auto points = plan.set_points(positions());
  f.very_first = solve(points).report().seconds;
  for (int i = 0; i < 2; ++i) solve(points).wait();  // a plan that misses its tolerance is replaced
  diffuse(points);
  auto const setting = Clock::now();
  points = plan.set_points(positions());
  f.set = since(setting);
  auto const order_of = [](auto const& set) {
    if constexpr (requires { set.parameters().order; }) return set.parameters().order;
    return 0;
  };
  auto const way_of = [](Solve& one) {
    for (auto const& use : implementations_used(one))
      if (use.stage == "chain") return use.implementation;
    return std::string();
  };
  std::vector<double> later;
  for (int i = 0; i <= std::max(5, settings.steps); ++i) {
    auto one = solve(points);
    auto const report = one.report();
    if (i == 0) f.first = report.seconds;
    else later.push_back(report.seconds);
    f.predicted = report.predicted_seconds;
    if (auto const way = way_of(one); !way.empty()) f.how = way;
  }
  f.later = median(later);
  f.order = order_of(points);
  for (int step = 0; step < settings.steps; ++step) {
    diffuse(points);
    auto const begin = Clock::now();
    points = plan.move_points(points, positions());
    f.move.push_back(since(begin));
    auto one = solve(points);
    one.wait();
    f.step.push_back(since(begin));
    f.step_how = way_of(one);
  }
  f.last_order = order_of(points);
  if (settings.sample > 0) {
    u.download();
    auto const sample = sample_of(given.strengths.size(), settings.sample);
    if constexpr (std::is_same_v<Options, EwaldOptions>)
      f.error = error_of(u.host(), finer_gradients(runtime, options, x.host(), q.host(), sample), sample);
    else f.error = error_of(u.host(), direct_gradients(x.host(), q.host(), sample), sample);
  }
  return f;
}

nlohmann::ordered_json json_of(Figures const& f, StepsSettings const& settings, double tolerance, char const* method) {
  auto json = conditions("whole steps", f.machine);
  json["method"] = method;
  json["precision"] = name_of(settings.ewald.precision);
  json["count"] = settings.particles.count;
  json["tolerance"] = tolerance;
  json["arrays"] = settings.on_host || settings.runtime.gpus == 0 || bench::devices() == 0 ? "host" : "device";
  json["steps"] = settings.steps;
  json["step"] = settings.step_length;
  json["masses"] = settings.masses;
  json["step_seconds"] = median(f.step);
  json["longest_step_seconds"] = f.step.empty() ? 0 : *std::ranges::max_element(f.step);
  json["move_seconds"] = median(f.move);
  json["set_seconds"] = f.set;
  json["plan_first_solve_seconds"] = f.very_first;
  json["first_solve_seconds"] = f.first;
  json["solve_seconds"] = f.later;
  json["predicted_seconds"] = f.predicted;
  if (!f.how.empty()) json["chain"] = f.how;
  if (!f.step_how.empty()) json["step_chain"] = f.step_how;
  if (f.order > 0) json["order"] = f.order, json["last_order"] = f.last_order;
  if (settings.sample > 0) json["force_error"] = f.error;
  return json;
}

}  // namespace

void bench_whole_steps(StepsSettings settings) {
  if (settings.method.empty()) settings.method = "ewald";
  bool const single = settings.ewald.precision == Precision::single, fmm = settings.method == "fmm";
  if (!fmm && settings.method != "ewald")
    throw Error{Fault::bad_input, "'" + settings.method + "' is no method whose steps are measured; take ewald or fmm"};
  Outputs const field = Output::potential | Output::gradient;
  settings.particles.kernel = Kernel::laplace;
  if (fmm) {
    FmmOptions options = settings.fmm.plan;
    options.kernel = Kernel::laplace;
    options.outputs = field;
    options.periodicity = Periodicity::none;
    auto const f = single ? figures_of<float, BasicFmm<float>>(settings, options)
                          : figures_of<double, BasicFmm<double>>(settings, options);
    return print_line(json_of(f, settings, options.tolerance, "fmm"));
  }
  EwaldOptions options = settings.ewald.plan;
  options.kernel = Kernel::laplace;
  options.outputs = field;
  auto const f = single ? figures_of<float, BasicEwald<float>>(settings, options)
                        : figures_of<double, BasicEwald<double>>(settings, options);
  print_line(json_of(f, settings, options.tolerance, "ewald"));
}

}  // namespace nearfar::cli
