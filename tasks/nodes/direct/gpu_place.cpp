// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/direct/place.hpp"

#if defined(NEARFAR_WITH_GPUS)
#include "codelets/common/gpu/gpu_pointer.hpp"
#include "codelets/common/ipc/gpu_ipc.hpp"

#include <utility>
#endif

namespace nearfar::detail {

#if defined(NEARFAR_WITH_GPUS)
namespace {

class CopyToGpu final : public RemoteCopy {
 public:
  explicit CopyToGpu(std::unique_ptr<GpuCopies::Copy> copy) : copy_(std::move(copy)) {}
  bool ended() override { return copy_->ended(); }

 private:
  std::unique_ptr<GpuCopies::Copy> copy_;
};

class GpuPlace final : public Place {
 public:
  explicit GpuPlace(int gpu) : copies_(gpu) {}
  void enter() override { make_current(copies_.gpu()); }
  RemoteMemory name(void const* memory) override {
    if (memory == nullptr) return {};
    auto const named = name_gpu_memory(memory);
    return {named.handle, named.allocation, named.offset, 0};
  }
  std::unique_ptr<RemoteCopy> copy(int peer, void* to, RemoteMemory const& from, std::size_t bytes) override {
    if (bytes == 0) return nullptr;
    return std::make_unique<CopyToGpu>(copies_.begin(peer, to, {from.handle, from.address, from.offset}, bytes));
  }
  int at_once() const noexcept override { return 8; }

 private:
  GpuCopies copies_;
};

}  // namespace

std::unique_ptr<Place> gpu_place(int gpu) { return std::make_unique<GpuPlace>(gpu); }
#else
std::unique_ptr<Place> gpu_place(int) { return nullptr; }
#endif

}  // namespace nearfar::detail
