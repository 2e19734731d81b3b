// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_pointer.hpp"

#include "codelets/common/gpu_alias.hpp"
#include "codelets/common/gpu_work_space.hpp"

namespace nearfar {

namespace {

constexpr unsigned threads = 256;

__global__ void rows_kernel(std::uint32_t* to, std::uint32_t const* from, std::size_t words, std::uint32_t const* rows,
                            std::size_t count) {
  std::size_t const i = std::size_t(blockIdx.x) * threads + threadIdx.x;
  if (i < count * words) to[i] = from[rows[i / words] * words + i % words];
}

/// While this lives, another GPU is the one that calls are for.
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

#if defined(__HIPCC__)
using EventHandle = hipEvent_t;
static GpuStatus make_event(EventHandle* event) { return hipEventCreateWithFlags(event, hipEventDisableTiming); }
static GpuStatus drop_event(EventHandle event) { return hipEventDestroy(event); }
static GpuStatus record_event(EventHandle event, GpuStream stream) { return hipEventRecord(event, stream); }
static GpuStatus await_event(GpuStream stream, EventHandle event) { return hipStreamWaitEvent(stream, event, 0); }
static GpuStatus await_all(GpuStream stream) { return hipStreamSynchronize(stream); }

int gpu_with(void const* memory) {
  hipPointerAttribute_t found{};
  bool const known = hipPointerGetAttributes(&found, memory) == hipSuccess;
  if (!known) static_cast<void>(gpu_last_status());  // memory that HIP does not know is the host's
  return known && found.memoryType == hipMemoryTypeDevice ? found.device : -1;
}
void copy_from_gpu(void* to, void const* from, std::size_t bytes) {
  gpu_expect(hipMemcpy(to, from, bytes, hipMemcpyDeviceToHost), "an array of a GPU was not copied to the host");
}
#else
using EventHandle = cudaEvent_t;
static GpuStatus make_event(EventHandle* event) { return cudaEventCreateWithFlags(event, cudaEventDisableTiming); }
static GpuStatus drop_event(EventHandle event) { return cudaEventDestroy(event); }
static GpuStatus record_event(EventHandle event, GpuStream stream) { return cudaEventRecord(event, stream); }
static GpuStatus await_event(GpuStream stream, EventHandle event) { return cudaStreamWaitEvent(stream, event, 0); }
static GpuStatus await_all(GpuStream stream) { return cudaStreamSynchronize(stream); }

int gpu_with(void const* memory) {
  cudaPointerAttributes found{};
  bool const known = cudaPointerGetAttributes(&found, memory) == cudaSuccess;
  if (!known) static_cast<void>(gpu_last_status());  // there is no GPU
  return known && found.type == cudaMemoryTypeDevice ? found.device : -1;
}
void copy_from_gpu(void* to, void const* from, std::size_t bytes) {
  gpu_expect(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "an array of a GPU was not copied to the host");
}
#endif

GpuEvent::GpuEvent(int gpu) {
  OtherDevice const device(gpu);
  EventHandle event = nullptr;
  gpu_expect(make_event(&event), "no event was made");
  event_ = event;
}

GpuEvent::GpuEvent(void* stream, int gpu) : GpuEvent(gpu) {
  OtherDevice const device(gpu);  // whose default stream it may be
  gpu_expect(record_event(static_cast<EventHandle>(event_), static_cast<GpuStream>(stream)),
             "an event was not recorded on the caller's stream");
}

GpuEvent::~GpuEvent() { static_cast<void>(drop_event(static_cast<EventHandle>(event_))); }

void GpuEvent::hold(void* stream) const {
  gpu_expect(await_event(static_cast<GpuStream>(stream), static_cast<EventHandle>(event_)),
             "a stream does not wait for the caller's");
}

void await_stream(void* stream) {
  gpu_expect(await_all(static_cast<GpuStream>(stream)), "the caller's stream did not come to its end");
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
