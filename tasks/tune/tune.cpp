// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/user_folder.hpp"
#include "tasks/tune/kept.hpp"
#include "tasks/tune/measure.hpp"

#include <nearfar/error.hpp>
#include <nearfar/tune.hpp>

#include <filesystem>
#include <fstream>
#include <starpu.h>

namespace nearfar {

namespace {

std::vector<Throughput> shown(Throughputs const& table) {
  std::vector<Throughput> rows;
  for (WorkRow row : all_rows) rows.push_back({name(row), table.cpu[row], table.gpu[row]});
  return rows;
}

void expect_processors() {
  if (detail::workers_share_processors())
    throw Error(Fault::no_resource, "there are " + std::to_string(starpu_cpu_worker_get_count()) +
                                        " CPU workers for fewer processors (what is measured would say how they "
                                        "interrupt each other); start the runtime with one for each processor at most");
}

/// Fails before seconds are spent on measurements that could not be kept.
void expect_writable_folder() {
  char const* const file = "tune";
  if (!replace_in_user_folder(file, [](auto const& path) { return bool(std::ofstream(path) << '\n'); }))
    throw Error(Fault::no_resource, "the folder for what is measured is '" + user_folder().string() +
                                        "', where nothing can be written (plans would be chosen by defaults again); "
                                        "set NEARFAR_CACHE to a folder in which you may write");
  std::filesystem::remove(user_folder() / file);
}

}  // namespace

template <class T>
std::vector<Throughput> throughputs(Runtime const& runtime) {
  return shown(detail::machine_for<T>(runtime.shared(), detail::Method::ewald, Implementation::tuned).speed);
}

template <class T>
std::vector<Throughput> tune(Runtime const& runtime) {
  expect_processors();
  expect_writable_folder();
  return shown(detail::keep_throughputs<T>(
      detail::throughput_file<T>(),
      [&] { return detail::measure_throughputs<T>(runtime.shared(), detail::TuneExtent::full); }, true));
}

template <class T>
void tune_once(Runtime const& runtime, std::size_t points) {
  detail::measure_first<T>(runtime.shared(), points);
}

template std::vector<Throughput> throughputs<double>(Runtime const&);
template std::vector<Throughput> throughputs<float>(Runtime const&);
template std::vector<Throughput> tune<double>(Runtime const&);
template std::vector<Throughput> tune<float>(Runtime const&);
template void tune_once<double>(Runtime const&, std::size_t);
template void tune_once<float>(Runtime const&, std::size_t);

}  // namespace nearfar
