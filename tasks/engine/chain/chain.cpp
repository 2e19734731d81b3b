// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/chain/chain.hpp"

#include "codelets/common/capture/captured_work.hpp"
#include "core/math/happens_before.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace nearfar::detail {

namespace {

/// What a task does that accesses data first in one way and then in another.
starpu_data_access_mode both(starpu_data_access_mode first, starpu_data_access_mode then) {
  if (first == then) return first;
  return (first & STARPU_R) != 0 ? STARPU_RW : STARPU_W;  // what is written first needs nothing from before
}

}  // namespace

void Chain::add(AnyStage& stage, TaskHeader const& header, void const* args, Accesses const& accesses) {
  Step step{.stage = &stage, .payload = std::make_unique<std::byte[]>(stage.payload_bytes), .places = {}};
  stage.write_payload(header, args, step.payload.get());
  std::vector<starpu_data_access_mode> modes;
  for (auto const& [handle, mode] : accesses) {
    auto const known = std::ranges::find(accesses_, handle, [](auto const& access) { return access.first; });
    step.places.push_back(int(known - accesses_.begin()));
    modes.push_back(mode);
    if (known == accesses_.end()) accesses_.emplace_back(handle, mode);
    else known->second = both(known->second, mode);
  }
  step.order = order_.next(step.places, modes);
  flops_ += header.cost;
  steps_.push_back(std::move(step));
}

namespace {

TaskHeader& header_of(std::byte* payload) { return *reinterpret_cast<TaskHeader*>(payload); }

starpu_cpu_func_t cpu_function(starpu_codelet const& codelet) { return codelet.cpu_funcs[0]; }

}  // namespace

void Chain::run_step(std::size_t step, void** buffers, Function function, Payloads const* payloads) const {
  std::vector<void*> own;
  for (int const place : steps_[step].places) own.push_back(buffers[place]);
  function(steps_[step].stage->codelet())(own.data(),
                                          (payloads != nullptr ? (*payloads)[step] : steps_[step].payload).get());
}

void Chain::run_steps(void** buffers, Function function, Payloads const* payloads) const {
  for (std::size_t step = 0; step < steps_.size(); ++step) run_step(step, buffers, function, payloads);
}

CapturedChains::Key Chain::key_of(void** buffers) const {
  CapturedChains::Key key;
  auto const add = [&](void const* from, std::size_t bytes) {
    auto const* const first = static_cast<std::byte const*>(from);
    key.insert(key.end(), first, first + bytes);
  };
  for (std::size_t i = 0; i < accesses_.size(); ++i) {
    auto const* const vector = static_cast<starpu_vector_interface const*>(buffers[i]);
    std::size_t const bytes = std::size_t(vector->nx) * vector->elemsize;
    add(&vector->ptr, sizeof vector->ptr);
    add(&bytes, sizeof bytes);
  }
  for (Step const& step : steps_) {
    add(&step.stage, sizeof step.stage);
    add(step.places.data(), step.places.size() * sizeof(int));
    TaskHeader const& header = header_of(step.payload.get());
    add(&header.block, sizeof header.block);
    add(&header.first, sizeof header.first);
    add(&header.implementation, sizeof header.implementation);
    std::byte const* const args = step.payload.get() + step.stage->args_place;
    for (std::size_t i = 0; i < step.stage->values.size(); ++i)
      if (step.stage->values[i]) key.push_back(args[i]);
  }
  return key;
}

/// None if the device cannot capture it, or a step failed.
std::shared_ptr<CapturedChain> Chain::captured(void** buffers, Function function, [[maybe_unused]] void* stream) const {
  auto chain = std::make_shared<CapturedChain>();
  for (Step const& step : steps_) {
    auto& payload = chain->payloads.emplace_back(std::make_unique<std::byte[]>(step.stage->payload_bytes));
    std::memcpy(payload.get(), step.payload.get(), step.stage->payload_bytes);
    header_of(payload.get()).errors = &chain->errors;
  }
  if (function == cpu_function) {
    for (std::size_t i = 0; i < accesses_.size(); ++i)
      chain->buffers.push_back(*static_cast<starpu_vector_interface const*>(buffers[i]));
    return chain;
  }
#if defined(NEARFAR_WITH_GPUS)
  try {
    chain->work = std::make_shared<CapturedWork>(stream, [&](RecordedStreams& streams) {
      for (std::size_t s = 0; s < steps_.size(); ++s)
        streams.put(steps_[s].order.stream, steps_[s].order.after,
                    [&] { run_step(s, buffers, function, &chain->payloads); });
      streams.join(order_.ends());
    });
  } catch (std::runtime_error const&) {
    return nullptr;
  }
#endif
  return chain->errors.failed() ? nullptr : chain;
}

void Chain::launch(CapturedChain& chain, [[maybe_unused]] void* stream) const {
#if defined(NEARFAR_WITH_GPUS)
  if (chain.work) return chain.work->launch(stream);
#endif
  std::vector<void*> buffers;
  for (auto& buffer : chain.buffers) buffers.push_back(&buffer);
  run_steps(buffers.data(), cpu_function, &chain.payloads);
}

/// A CPU gains nothing from that, and does the same.
void Chain::run(void** buffers, Function function, void* stream) {
  auto const known = known_ ? known_->find(key_of(buffers)) : nullptr;
  if (known && !known->chain && !known->refused) {
    known->chain = captured(buffers, function, stream);
    known->refused = !known->chain;
  }
  if (!known || !known->chain) return run_steps(buffers, function, nullptr);
  how_ = "captured";
  launched_ = known;
  launch(*known->chain, stream);
}

void Chain::run_on_cpu(void** buffers) {
  how_ = "cpu";
  run(buffers, cpu_function, nullptr);
}

#if defined(NEARFAR_WITH_GPUS)

namespace {

starpu_cpu_func_t gpu_function(starpu_codelet const& codelet) {
#if defined(NEARFAR_WITH_CUDA) && defined(STARPU_USE_CUDA)
  return codelet.cuda_funcs[0];
#elif defined(NEARFAR_WITH_HIP) && defined(STARPU_USE_HIP)
  return codelet.hip_funcs[0];
#else
  return codelet.cpu_funcs[0];
#endif
}

}  // namespace

/// Bodies on GPUs take work space from their device (GpuWorkSpace) and no scratch data, whose place would change from
/// one task to the next: they find null there.
void Chain::run_on_gpu(void** given) {
  starpu_vector_interface none{};
  std::vector<void*> without_scratch(given, given + accesses_.size());
  for (std::size_t i = 0; i < accesses_.size(); ++i)
    if (accesses_[i].second == STARPU_SCRATCH) without_scratch[i] = &none;
  run(without_scratch.data(), gpu_function, worker_stream());
}

#else
void Chain::run_on_gpu(void**) {}
#endif

std::shared_ptr<ErrorSlot const> Chain::ended() {
  if (!launched_) return nullptr;
#if defined(NEARFAR_WITH_GPUS)
  if (launched_->chain->work) launched_->chain->work->tell();
#endif
  if (!launched_->chain->errors.failed()) return nullptr;
  auto const failed = std::exchange(launched_->chain, nullptr);  // to be captured again
  return {failed, &failed->errors};
}

/// Runs the chain of a task; an error outside its steps is the chain's.
template <class Run>
void Chain::entry(void* raw, Run const& run) noexcept {
  auto const& p = *static_cast<Payload<ChainArgs> const*>(raw);
  happens_after(p.args.chain);
  if (p.header.errors->failed()) return;
  try {
    run(*p.args.chain);
  } catch (...) {
    p.header.errors->store(name, 0, current_worker(), std::current_exception());
  }
}

void Chain::cpu_entry(void** buffers, void* raw) noexcept {
  entry(raw, [buffers](Chain& chain) { chain.run_on_cpu(buffers); });
}

void Chain::gpu_entry(void** buffers, void* raw) noexcept {
  entry(raw, [buffers](Chain& chain) { chain.run_on_gpu(buffers); });
}

starpu_codelet& Chain::codelet() {
  static_assert(find_stage(name) != nullptr);
  static constexpr std::array<TaskCodelet::Entry, 1> cpu{cpu_entry}, gpu{gpu_entry};
  static TaskCodelet codelet{*find_stage(name), "nearfar_chain", cpu, gpu};
  return codelet.get();
}

}  // namespace nearfar::detail
