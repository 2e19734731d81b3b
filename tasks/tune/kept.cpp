// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/tune/kept.hpp"

#include "codelets/common/simd/simd.hpp"
#include "core/plan/user_folder.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>
#include <starpu.h>

namespace nearfar::detail {

namespace {

constexpr double widest = 1e4;  // factor to the defaults; unoptimised code is 50 times slower

std::mutex mutex;
std::map<std::filesystem::path, std::optional<Throughputs>> known;

bool believable(double speed, double typical) {
  return speed >= typical / widest && speed <= typical * widest;  // false for NaN
}

double nearest_believable(double speed, double typical) {
  return speed > 0 ? std::clamp(speed, typical / widest, typical * widest) : typical;
}

std::optional<Throughputs> read(std::filesystem::path const& path, Throughputs const& typical) {
  std::ifstream in(path);
  Throughputs t;
  for (WorkRow row : all_rows) {
    std::string found;
    bool const good = in >> found >> t.cpu[row] >> t.gpu[row] && found == name(row) &&
                      believable(t.cpu[row], typical.cpu[row]) && believable(t.gpu[row], typical.gpu[row]);
    if (!good) return {};
  }
  std::string more;
  if (in >> more) return {};  // a file with other rows
  return t;
}

void write(std::string const& file, Throughputs const& t) {
  replace_in_user_folder(file, [&](auto const& path) {
    std::ofstream out(path);
    out.precision(17);
    for (WorkRow row : all_rows) out << name(row) << ' ' << t.cpu[row] << ' ' << t.gpu[row] << '\n';
    out.close();
    return bool(out);
  });
}

}  // namespace

template <class T>
std::string throughput_file() {
  std::string file = std::string("throughput-1-") + (sizeof(T) == sizeof(double) ? "f64-" : "f32-") +
                     simd_level_name() + '-' + std::to_string(starpu_cpu_worker_get_count()) + "cpus";
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker)
    if (starpu_worker_get_type(int(worker)) != STARPU_CPU_WORKER) return file + '-' + device_of(worker);
  return file;
}

template <class T>
std::optional<Throughputs> kept_throughputs(std::string const& file) {
  auto const path = user_folder() / file;
  std::lock_guard const lock(mutex);
  auto const [found, is_new] = known.try_emplace(path);
  if (is_new && !user_folder().empty()) found->second = read(path, default_throughputs<T>());
  return found->second;
}

template <class T>
Throughputs keep_throughputs(std::string const& file, std::function<Throughputs()> const& measure, bool again) {
  static std::mutex measuring;  // a mutex of its own, so that others can look up meanwhile
  std::lock_guard const one_at_a_time(measuring);
  if (auto const kept = kept_throughputs<T>(file); kept && !again) return *kept;
  Throughputs found = measure();
  Throughputs const typical = default_throughputs<T>();
  for (WorkRow row : all_rows)
    for (WorkerKind kind : {WorkerKind::cpu, WorkerKind::gpu})
      found.of(kind)[row] = nearest_believable(found.of(kind)[row], typical.of(kind)[row]);
  write(file, found);
  std::lock_guard const lock(mutex);
  known[user_folder() / file] = found;
  return found;
}

#define NEARFAR_INSTANTIATE(T)                                                 \
  template std::string throughput_file<T>();                                   \
  template std::optional<Throughputs> kept_throughputs<T>(std::string const&); \
  template Throughputs keep_throughputs<T>(std::string const&, std::function<Throughputs()> const&, bool);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
