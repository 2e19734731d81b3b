// SPDX-License-Identifier: BSD-3-Clause
// The runtime, and what is known of the machine.
#include "bindings/c/handles.hpp"
#include "bindings/c/values.hpp"

#include <nearfar/processor.hpp>
#include <nearfar/tune.hpp>

#include <exception>
#include <new>

namespace nearfar::c {

namespace {

constexpr nearfar_runtime_options runtime_defaults{
    sizeof(nearfar_runtime_options), nullptr, NEARFAR_UNSET, NEARFAR_UNSET, nullptr, nullptr, 0, 0, 0};

std::string text_or_empty(char const* text) { return text != nullptr ? text : ""; }

RuntimeOptions converted(nearfar_runtime_options const& o) {
  RuntimeOptions options{.scheduler = text_or_empty(o.scheduler),
                         .cpus = o.cpus,
                         .gpus = o.gpus,
                         .trace = text_or_empty(o.trace),
                         .communicator = o.communicator};
  if (o.network_given != 0) options.network = NetworkSpeed{o.network_latency, o.network_bandwidth};
  return options;
}

Worker const* worker(nearfar_runtime const* runtime, std::size_t index) {
  return runtime != nullptr && index < runtime->workers.size() ? &runtime->workers[index] : nullptr;
}

char const* of_profile(std::size_t index, std::string SchedulerProfile::*text) noexcept {
  try {
    auto const all = scheduler_profiles();
    return index < all.size() ? kept_text(all[index].*text) : nullptr;
  } catch (std::bad_alloc const&) {
    return nullptr;
  }
}

}  // namespace

}  // namespace nearfar::c

using namespace nearfar;

extern "C" {

char const* nearfar_version(void) { return NEARFAR_VERSION; }

char const* nearfar_simd_level(void) {
  static std::string const level = simd_level_name();
  return level.c_str();
}

void nearfar_runtime_options_init(nearfar_runtime_options* options, size_t size) {
  c::initialise(c::runtime_defaults, options, size);
}

int nearfar_runtime_create(nearfar_runtime_options const* options, nearfar_runtime** runtime) {
  return c::guarded([&] {
    auto const read = c::read(options, c::runtime_defaults, "nearfar_runtime_options_init");
    c::store(runtime, "runtime", Runtime(c::converted(read)));
  });
}
void nearfar_runtime_destroy(nearfar_runtime* runtime) { delete runtime; }

char const* nearfar_runtime_scheduler(nearfar_runtime const* runtime) {
  return runtime != nullptr ? runtime->scheduler.c_str() : nullptr;
}
char const* nearfar_runtime_version(nearfar_runtime const* runtime) {
  return runtime != nullptr ? runtime->version.c_str() : nullptr;
}
size_t nearfar_runtime_workers(nearfar_runtime const* runtime) {
  return runtime != nullptr ? runtime->workers.size() : 0;
}
char const* nearfar_runtime_worker_name(nearfar_runtime const* runtime, size_t index) {
  auto const* worker = c::worker(runtime, index);
  return worker != nullptr ? worker->name.c_str() : nullptr;
}
char const* nearfar_runtime_worker_kind(nearfar_runtime const* runtime, size_t index) {
  auto const* worker = c::worker(runtime, index);
  return worker != nullptr ? worker->kind.c_str() : nullptr;
}
int nearfar_runtime_rank(nearfar_runtime const* runtime) { return runtime != nullptr ? runtime->runtime.rank() : 0; }
int nearfar_runtime_ranks(nearfar_runtime const* runtime) { return runtime != nullptr ? runtime->runtime.ranks() : 1; }

int nearfar_runtime_agree(nearfar_runtime const* runtime, int code, char const* text) {
  return c::guarded([&] {
    auto const& known = c::expect_runtime(runtime);
    std::exception_ptr error;
    if (code != NEARFAR_OK)
      error = std::make_exception_ptr(
          Error(code >= 1 && code <= 3 ? Fault(code) : Fault::bug, text != nullptr ? text : "an error without a text"));
    known.runtime.agree(error);
  });
}

int nearfar_runtime_mark(nearfar_runtime const* runtime, char const* text) {
  return c::guarded([&] { c::expect_runtime(runtime).runtime.mark(&c::expect(text, "text", "the text of the mark")); });
}

int nearfar_launch(int* rank, int* ranks) {
  return c::guarded([&] {
    auto const found = launch();
    if (rank != nullptr) *rank = found.rank;
    if (ranks != nullptr) *ranks = found.ranks;
  });
}

char const* nearfar_scheduler_name(size_t index) { return c::of_profile(index, &SchedulerProfile::name); }
char const* nearfar_scheduler_purpose(size_t index) { return c::of_profile(index, &SchedulerProfile::purpose); }

int nearfar_tune(nearfar_runtime const* runtime, int precision) {
  return c::guarded([&] {
    auto const& known = c::expect_runtime(runtime).runtime;
    c::is_double(precision) ? tune<double>(known) : tune<float>(known);
  });
}

int nearfar_tune_once(nearfar_runtime const* runtime, int precision, size_t points) {
  return c::guarded([&] {
    auto const& known = c::expect_runtime(runtime).runtime;
    c::is_double(precision) ? tune_once<double>(known, points) : tune_once<float>(known, points);
  });
}

int nearfar_get_throughput(nearfar_runtime const* runtime, int precision, size_t index, nearfar_throughput* row,
                           size_t size) {
  return c::guarded([&] {
    auto const& known = c::expect_runtime(runtime).runtime;
    auto const table = c::is_double(precision) ? throughputs<double>(known) : throughputs<float>(known);
    if (index >= table.size())
      throw Error(Fault::bad_input, "row " + std::to_string(index) + " is not in the table, which has " +
                                        std::to_string(table.size()) + " rows; ask for one of them, from 0");
    c::give(nearfar_throughput{c::kept_text(table[index].work), table[index].cpu, table[index].gpu}, row, size, "row");
  });
}
}
