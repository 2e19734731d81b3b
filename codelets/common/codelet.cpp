// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/codelet.hpp"

#include "codelets/common/access_check/access_check.hpp"
#include "codelets/common/access_check/task_order.hpp"
#include "codelets/common/capture/on_stream.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

namespace nearfar {

std::string current_worker() {
  int const id = starpu_worker_get_id();
  if (id < 0) return "none";
  char name[64];
  starpu_worker_get_name(id, name, sizeof name);
  try {
    return name;
  } catch (std::bad_alloc const&) {  // this is called to report an error: that one must get through
    return "?";
  }
}

std::uint32_t cost_bucket(starpu_task* task) {
  happens_after(task);
  auto const& header = *static_cast<TaskHeader const*>(task->cl_arg);
  return header.cost > 1 ? std::uint32_t(std::lround(8 * std::log2(header.cost))) : 0;
}

std::size_t cost_size(starpu_task* task, unsigned) {
  happens_after(task);
  auto const& header = *static_cast<TaskHeader const*>(task->cl_arg);
  return header.cost > 1 ? std::size_t(header.cost) : 1;
}

bool implementation_allowed(Implementation wanted, bool is_cpu, unsigned number) noexcept {
  if (wanted == Implementation::any) return true;
  return number == 0 && (is_cpu || suits_gpus(wanted));
}

int can_execute(unsigned worker, starpu_task* task, unsigned number) {
  happens_after(task);
  auto const& header = *static_cast<TaskHeader const*>(task->cl_arg);
  bool const is_cpu = starpu_worker_get_type(int(worker)) == STARPU_CPU_WORKER;
  return implementation_allowed(header.implementation, is_cpu, number);
}

void* worker_stream() noexcept {
  if (void* const other = OnStream::current()) return other;
#if defined(NEARFAR_WITH_CUDA) && defined(STARPU_USE_CUDA)
  return static_cast<void*>(starpu_cuda_get_local_stream());
#elif defined(NEARFAR_WITH_HIP) && defined(STARPU_USE_HIP)
  return static_cast<void*>(starpu_hip_get_local_stream());
#else
  return nullptr;
#endif
}

void add(std::vector<Variant>& all, Variant const& variant) { all.push_back(variant); }

namespace {

Variant const& variant_of(std::vector<Variant> const& all, Implementation wanted, unsigned number) noexcept {
  for (auto const& variant : all)
    if (number == 0 && variant.implementation == wanted) return variant;
  return all[number < all.size() ? number : 0];
}

/// Runs a body so that nothing is thrown through StarPU's C frames: the
/// first error goes to the solve, whose later tasks return at once.
template <class Body>
void guarded(void** buffers, TaskHeader const& header, Body const& body) noexcept {
  if (header.errors->failed()) return;
  try {
    body(Buffers(buffers, header), reinterpret_cast<std::byte const*>(&header) + header.stage->args_place);
  } catch (...) {
    header.errors->store(header.stage->name(), header.block, current_worker(), std::current_exception());
  }
}

template <unsigned number>
void cpu_entry(void** buffers, void* raw) noexcept {
  happens_after(raw);
  auto const& header = *static_cast<TaskHeader const*>(raw);
  AnyStage const& stage = *header.stage;
  TaskOrder const order(buffers, header, stage.modes);
  guarded(buffers, header, [&](Buffers const& b, void const* args) {
    Variant const& variant = stage.variant(header.implementation, number, true);
    if (!checks_accesses()) return stage.on_cpu(variant, b, args);
    AccessCheck const check(buffers, header, stage.modes);
    stage.on_cpu(variant, b, args);
    check.expect_kept(stage.name());
  });
}

template <unsigned number>
void gpu_entry(void** buffers, void* raw) noexcept {
  auto const& header = *static_cast<TaskHeader const*>(raw);
  AnyStage const& stage = *header.stage;
  guarded(buffers, header, [&](Buffers const& b, void const* args) {
    stage.on_gpu(stage.variant(header.implementation, number, false), b, args, worker_stream());
  });
}

using Entry = TaskCodelet::Entry;
template <unsigned... numbers>
constexpr std::array<Entry, sizeof...(numbers)> cpu_entries_of(std::integer_sequence<unsigned, numbers...>) {
  return {cpu_entry<numbers>...};
}
template <unsigned... numbers>
constexpr std::array<Entry, sizeof...(numbers)> gpu_entries_of(std::integer_sequence<unsigned, numbers...>) {
  return {gpu_entry<numbers>...};
}
using Numbers = std::make_integer_sequence<unsigned, STARPU_MAXIMPLEMENTATIONS>;
constexpr auto cpu_entries = cpu_entries_of(Numbers{}), gpu_entries = gpu_entries_of(Numbers{});

/// The entries of a table of variants, as many as StarPU accepts. Further ones can be asked for by name only.
std::span<Entry const> entries(std::span<Entry const> all, std::vector<Variant> const& variants) {
  return all.first(std::min(variants.size(), all.size()));
}

std::vector<Variant> variants_by(void (*add)(std::vector<Variant>&)) {
  std::vector<Variant> variants;
  if (add != nullptr) add(variants);
  return variants;
}

/// `flags`: those of CUDA or HIP, which return before the kernels have ended.
[[maybe_unused]] void set_gpu_entries(std::span<Entry const> gpu, Entry* functions, char* flags, char asynchronous) {
  std::ranges::copy(gpu, functions);
  std::fill_n(flags, gpu.size(), asynchronous);
}

}  // namespace

TaskCodelet::TaskCodelet(StageRow const& row, char const* symbol, std::span<Entry const> cpu,
                         [[maybe_unused]] std::span<Entry const> gpu) {
  model_.type = STARPU_NL_REGRESSION_BASED;
  model_.symbol = symbol;
  model_.size_base = cost_size;
  model_.footprint = cost_bucket;
  codelet_.name = row.name.data();
  codelet_.model = &model_;
  codelet_.color = row.color;
  codelet_.nbuffers = STARPU_VARIABLE_NBUFFERS;
  codelet_.can_execute = can_execute;
  std::ranges::copy(cpu, codelet_.cpu_funcs);
#if defined(NEARFAR_WITH_CUDA) && defined(STARPU_USE_CUDA)
  set_gpu_entries(gpu, codelet_.cuda_funcs, codelet_.cuda_flags, STARPU_CUDA_ASYNC);
#endif
#if defined(NEARFAR_WITH_HIP) && defined(STARPU_USE_HIP)
  set_gpu_entries(gpu, codelet_.hip_funcs, codelet_.hip_flags, STARPU_HIP_ASYNC);
#endif
}

AnyStage::AnyStage(StageFacts const& facts)
    : StageFacts(facts), cpu_(variants_by(add_cpu)), gpu_(variants_by(add_gpu)),
      codelet_(*row, symbol, entries(cpu_entries, cpu_), entries(gpu_entries, gpu_)) {}

void AnyStage::write_payload(TaskHeader const& header, void const* args, void* memory) const noexcept {
  new (memory) TaskHeader(header);
  std::memcpy(static_cast<std::byte*>(memory) + args_place, args, args_bytes);
}

Variant const& AnyStage::variant(Implementation wanted, unsigned number, bool on_cpu) const noexcept {
  return variant_of(on_cpu ? cpu_ : gpu_, wanted, number);
}

std::string_view AnyStage::variant_name(Implementation wanted, unsigned number, bool on_cpu) const noexcept {
  if (!on_cpu && !has_gpu_body()) return "gpu";
  auto const ran = variant(wanted, number, on_cpu).implementation;
  return !on_cpu && ran == Implementation::tuned ? "gpu" : nearfar::name(ran);
}

}  // namespace nearfar
