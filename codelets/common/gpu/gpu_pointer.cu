// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_pointer.hpp"

#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_call.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"

namespace nearfar {

namespace {

#if defined(__HIPCC__)
using PointerAttributes = hipPointerAttribute_t;
auto kind_of(PointerAttributes const& found) { return found.memoryType; }
#else
using PointerAttributes = cudaPointerAttributes;
auto kind_of(PointerAttributes const& found) { return found.type; }
#endif
using EventHandle = NEARFAR_GPU(Event_t);

constexpr unsigned threads = 256;

__global__ void rows_kernel(std::uint32_t* to, std::uint32_t const* from, std::size_t words, std::uint32_t const* rows,
                            std::size_t count) {
  std::size_t const i = std::size_t(blockIdx.x) * threads + threadIdx.x;
  if (i < count * words) to[i] = from[rows[i / words] * words + i % words];
}

/// Makes another GPU the current device during its lifetime.
class OtherDevice {
 public:
  explicit OtherDevice(int device) {
    gpu_expect(gpu_device(&before_), "no device");
    gpu_expect(gpu_use(device), "a GPU was not there");
  }
  ~OtherDevice() { static_cast<void>(gpu_use(before_)); }
  OtherDevice(OtherDevice const&) = delete;
  OtherDevice& operator=(OtherDevice const&) = delete;

 private:
  int before_ = 0;
};

}  // namespace

std::vector<std::string> gpu_addresses() {
  int count = 0;
  std::vector<std::string> addresses;
  if (gpu_count(&count) != gpu_success) static_cast<void>(gpu_last_status());  // there is no GPU
  for (int i = 0; i < count; ++i) {
    char address[32] = "";
    gpu_expect(gpu_bus_address(address, int(sizeof address), i), "a GPU did not say where it is");
    addresses.emplace_back(address);
  }
  return addresses;
}

namespace {

/// What the driver knows of memory; false for pages of the host that it does not know.
bool is_known(void const* memory, PointerAttributes& found) {
  bool const known = NEARFAR_GPU(PointerGetAttributes)(&found, memory) == gpu_success;
  if (!known) static_cast<void>(gpu_last_status());
  return known;
}

}  // namespace

int gpu_with(void const* memory) {
  PointerAttributes found{};
  return is_known(memory, found) && kind_of(found) == NEARFAR_GPU(MemoryTypeDevice) ? found.device : -1;
}

bool is_pinned(void const* memory) {
  PointerAttributes found{};
  return is_known(memory, found) && kind_of(found) == NEARFAR_GPU(MemoryTypeHost);
}

void copy_from_gpu(void* to, void const* from, std::size_t bytes) {
  gpu_expect(NEARFAR_GPU(Memcpy)(to, from, bytes, NEARFAR_GPU(MemcpyDeviceToHost)),
             "an array of a GPU was not copied to the host");
}

void copy_runs_from_gpu(void* to, void const* from, std::size_t bytes, std::size_t step, std::size_t runs) {
  gpu_expect(NEARFAR_GPU(Memcpy2D)(to, bytes, from, step, bytes, runs, NEARFAR_GPU(MemcpyDeviceToHost)),
             "parts of an array of a GPU were not copied to the host");
}

GpuEvent::GpuEvent(int gpu) {
  OtherDevice const device(gpu);
  EventHandle event = nullptr;
  gpu_expect(NEARFAR_GPU(EventCreateWithFlags)(&event, NEARFAR_GPU(EventDisableTiming)), "no event was made");
  event_ = event;
}

GpuEvent::GpuEvent(void* stream, int gpu) : GpuEvent(gpu) {
  OtherDevice const device(gpu);  // the stream may be that GPU's default stream
  gpu_expect(NEARFAR_GPU(EventRecord)(static_cast<EventHandle>(event_), static_cast<GpuStream>(stream)),
             "an event was not recorded on the caller's stream");
}

GpuEvent::~GpuEvent() { static_cast<void>(NEARFAR_GPU(EventDestroy)(static_cast<EventHandle>(event_))); }

void GpuEvent::hold(void* stream) const {
  gpu_expect(NEARFAR_GPU(StreamWaitEvent)(static_cast<GpuStream>(stream), static_cast<EventHandle>(event_), 0),
             "a stream does not wait for the caller's");
}

void await_stream(void* stream) {
  gpu_expect(NEARFAR_GPU(StreamSynchronize)(static_cast<GpuStream>(stream)),
             "the caller's stream did not come to its end");
}

int current_gpu() {
  int device = -1;
  if (gpu_device(&device) == gpu_success) return device;
  static_cast<void>(gpu_last_status());
  return -1;
}

void make_current(int gpu) { gpu_expect(gpu_use(gpu), "a GPU was not there"); }

void copy_rows_from_gpu(void* to, void const* from, std::size_t words, std::span<std::uint32_t const> rows) {
  if (words == 0 || rows.empty()) return;
  OtherDevice const device(gpu_with(from));
  std::size_t const numbers = words * rows.size();
  GpuWorkSpace const space((numbers + rows.size()) * sizeof(std::uint32_t), nullptr, "rows for the host");
  auto* const gathered = reinterpret_cast<std::uint32_t*>(space.data());
  auto* const wanted = gathered + numbers;
  gpu_expect(gpu_upload(wanted, rows.data(), rows.size_bytes()), "the numbers of rows were not copied to a GPU");
  rows_kernel<<<unsigned((numbers + threads - 1) / threads), threads>>>(
      gathered, static_cast<std::uint32_t const*>(from), words, wanted, rows.size());
  gpu_expect(gpu_last_status(), "the kernel that gathers rows could not be launched");
  copy_from_gpu(to, gathered, numbers * sizeof(std::uint32_t));
}

}  // namespace nearfar
