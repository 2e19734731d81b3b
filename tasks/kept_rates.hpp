// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/simd.hpp"
#include "core/user_folder.hpp"

#include <nearfar/solve.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <starpu.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// One file per precision and instruction set: what was measured with one says nothing of another. `kind` tells what
/// it holds, and changes when that does.
template <class T>
std::string rates_file(std::string const& kind) {
  return kind + (std::is_same_v<T, double> ? "-f64-" : "-f32-") + simd_level_name();
}

/// And per number of CPU workers, which slow each other down, beside GPUs by other plans than without.
template <class T>
std::string busy_rates_file(std::string const& kind) {
  bool const gpus = starpu_worker_get_count() > starpu_cpu_worker_get_count();
  return rates_file<T>(kind) + '-' + std::to_string(starpu_cpu_worker_get_count()) + "cpus" + (gpus ? "-gpus" : "");
}

/// NEARFAR_RATES=default: plans must not depend on the machine.
inline bool rates_are_defaults() noexcept {
  char const* const wish = std::getenv("NEARFAR_RATES");
  return wish != nullptr && wish == std::string_view("default");
}

/// Rates of this machine, positive numbers, measured once and then read from the user's folder. NEARFAR_RATES in the
/// environment: "default" for tests, whose plans must not depend on how busy the machine is; for `bench calibrate`
/// "measure", and then "models": by what StarPU has measured meanwhile. Both do so once per process. Thread-safe.
template <class R>
class KeptRates {
 public:
  /// All the numbers of R, in the order of the file.
  explicit KeptRates(std::vector<double R::*> numbers) : numbers_(std::move(numbers)) {}

  /// `measure()` gives rates; `model(rates)` those that StarPU's models speak for.
  template <class Measure, class Model>
  R get(std::string const& file, R const& defaults, Measure const& measure, Model const& model) {
    char const* const environment = std::getenv("NEARFAR_RATES");
    std::string_view const wish = environment != nullptr ? environment : "";
    if (rates_are_defaults()) return defaults;
    std::lock_guard const lock(mutex_);
    Known& known = known_[file];
    bool const modelled = wish == "models" && !known.modelled;
    if (!known.rates && wish != "measure") known.rates = read(file);
    if (!known.rates) keep(file, known.rates = measure());
    if (modelled) keep(file, known.rates = model(*known.rates));
    known.modelled = known.modelled || modelled;
    return *known.rates;
  }

 private:
  std::optional<R> read(std::string const& file) const {
    R rates;
    if (user_folder().empty()) return {};
    std::ifstream in(user_folder() / file);
    for (auto const number : numbers_)
      if (!(in >> rates.*number) || !(rates.*number > 0 && std::isfinite(rates.*number))) return {};
    std::string more;
    if (in >> more) return {};  // of other rates
    return rates;
  }
  void keep(std::string const& file, std::optional<R> const& rates) const {
    // A folder that cannot be written only means that the next process measures again.
    replace_in_user_folder(file, [&](auto const& path) {
      std::ofstream out(path);
      out.precision(17);
      for (auto const number : numbers_) out << (*rates).*number << '\n';
      out.close();
      return bool(out);
    });
  }

  std::vector<double R::*> numbers_;
  std::mutex mutex_;
  struct Known {
    std::optional<R> rates;
    bool modelled = false;
  };
  std::map<std::string, Known> known_;  // by file
};

/// The line through two measurements; a slope or an offset that noise made negative becomes a small part of the whole.
inline void fit_line(double x0, double y0, double x1, double y1, double& slope, double& offset) {
  slope = std::max((y1 - y0) / (x1 - x0), 0.05 * y1 / x1);
  offset = std::max(y0 - slope * x0, 0.05 * y0);
}

/// Seconds of one worker in a stage, all tasks together; 0 where there are none.
inline double stage_seconds(SolveReport const& report, std::string_view stage) {
  for (auto const& t : report.stages)
    if (t.stage == stage) return t.seconds;
  return 0;
}

}  // namespace nearfar::detail
