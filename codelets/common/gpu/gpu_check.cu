// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_check.hpp"

#include "codelets/common/gpu/gpu_alias.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace nearfar {

namespace {

/// Pinned memory is expensive to allocate, and so little is needed here that it is kept for the life of the process.
struct Places {
  std::mutex mutex;
  std::vector<BadNumber*> free;
};
Places& places() {
  static auto& all = *new Places;
  return all;
}

void give_back(BadNumber* place) {
  std::lock_guard const lock(places().mutex);
  places().free.push_back(place);
}

struct Call {
  BadNumber* place;
  GpuCheck::Report report;
};

void stream_is_there(void* data) {
  std::unique_ptr<Call> const call(static_cast<Call*>(data));
  if (call->place->place != BadNumber::none) call->report(*call->place);
  give_back(call->place);
}

}  // namespace

GpuCheck::GpuCheck() : place_(nullptr) {
  {
    std::lock_guard const lock(places().mutex);
    if (!places().free.empty()) {
      place_ = places().free.back();
      places().free.pop_back();
    }
  }
  void* memory = place_;
  if (memory == nullptr) gpu_expect(gpu_malloc_host(&memory, sizeof(BadNumber)), "no memory for a check");
  place_ = new (memory) BadNumber;
}

GpuCheck::~GpuCheck() {
  if (place_ != nullptr) give_back(place_);
}

void GpuCheck::end(void* stream, Report report) {
  auto call = std::make_unique<Call>(Call{place_, std::move(report)});
  gpu_expect(gpu_call_host(static_cast<GpuStream>(stream), stream_is_there, call.get()), "a check was not queued");
  call.release();
  place_ = nullptr;
}

}  // namespace nearfar
