// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/error.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

// CUDA and HIP under common names, for .cu files that both nvcc and hipcc compile.
#if defined(__HIPCC__)
#include <hip/hip_runtime.h>
using GpuStream = hipStream_t;
using GpuStatus = hipError_t;
inline constexpr GpuStatus gpu_success = hipSuccess, gpu_no_memory = hipErrorOutOfMemory;
inline GpuStatus gpu_last_status() { return hipGetLastError(); }
/// Marks a kernel argument that threads index into, so that they make no private copies of it.
#define NEARFAR_GPU_ARGUMENT
inline constexpr int gpu_shared_bytes = 64 << 10;  ///< that a block may ask for, at most
inline int gpu_shared_limit() { return gpu_shared_bytes; }
/// For __launch_bounds__: limits registers so that this many blocks
/// fit on a multiprocessor; here it counts waves of a SIMD unit.
constexpr int gpu_bound(int) { return 2; }
inline GpuStatus gpu_allow_shared(void const*) { return hipSuccess; }
/// Memory available to what follows on the stream, until gpu_free on the same stream.
inline GpuStatus gpu_malloc(void** memory, std::size_t bytes, GpuStream stream) {
  return hipMallocAsync(memory, bytes, stream);
}
inline GpuStatus gpu_free(void* memory, GpuStream stream) { return hipFreeAsync(memory, stream); }
/// The device keeps that memory when idle: asking the system each time would take longer than kernels do.
inline GpuStatus gpu_keep_memory(int device) {
  hipMemPool_t pool = nullptr;
  std::uint64_t all = ~std::uint64_t(0);
  GpuStatus const status = hipDeviceGetDefaultMemPool(&pool, device);
  return status == hipSuccess ? hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &all) : status;
}
inline GpuStatus gpu_device(int* device) { return hipGetDevice(device); }
inline GpuStatus gpu_use(int device) { return hipSetDevice(device); }
inline GpuStatus gpu_count(int* count) { return hipGetDeviceCount(count); }
/// Until the device has done all that it was given.
inline GpuStatus gpu_wait() { return hipDeviceSynchronize(); }
inline GpuStatus gpu_bus_address(char* address, int length, int device) {
  return hipDeviceGetPCIBusId(address, length, device);
}
/// Permanent device memory, and copies to it; both may wait for the device. Of memory that is not pinned a copy may
/// return before the data have arrived, and workers' streams do not wait for the default one: so that is waited for.
inline GpuStatus gpu_malloc_kept(void** memory, std::size_t bytes) { return hipMalloc(memory, bytes); }
inline GpuStatus gpu_free_kept(void* memory) { return hipFree(memory); }
inline GpuStatus gpu_upload(void* to, void const* from, std::size_t bytes) {
  GpuStatus const status = hipMemcpy(to, from, bytes, hipMemcpyHostToDevice);
  return status == hipSuccess ? hipStreamSynchronize(nullptr) : status;
}
/// Host memory that kernels write to.
inline GpuStatus gpu_malloc_host(void** memory, std::size_t bytes) { return hipHostMalloc(memory, bytes, 0); }
/// Calls f(data) on a thread of the driver when everything before it on the stream has ended; f
/// must not call the GPU. hipLaunchHostFunc is declared by HIP 5.2 but missing from its library.
inline GpuStatus gpu_call_host(GpuStream stream, void (*f)(void*), void* data) {
  struct Call {
    void (*f)(void*);
    void* data;
  };
  auto call = std::make_unique<Call>(Call{f, data});
  GpuStatus const status = hipStreamAddCallback(
      stream,
      [](GpuStream, GpuStatus, void* queued) {
        std::unique_ptr<Call> const mine(static_cast<Call*>(queued));
        mine->f(mine->data);
      },
      call.get(), 0);
  if (status == hipSuccess) static_cast<void>(call.release());
  return status;
}
inline GpuStatus gpu_fill(void* memory, int byte, std::size_t bytes, GpuStream stream) {
  return hipMemsetAsync(memory, byte, bytes, stream);
}
inline char const* gpu_text(GpuStatus status) { return hipGetErrorString(status); }
/// The value of the thread whose number differs by `distance`, a power of two; the whole warp must call it.
template <class T>
__device__ T gpu_exchange(T value, int distance) {
  return __shfl_xor(value, distance);
}
/// Bit t: whether the argument of thread t is true; the whole warp must call it.
__device__ inline std::uint64_t gpu_vote(bool truth) { return __ballot(truth); }
/// Makes what threads of a warp have written to shared memory visible to all of them.
__device__ inline void gpu_meet_in_warp() {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
}
/// Threads in a warp of this device.
inline GpuStatus gpu_warp_size(int* threads) {
  int device = 0;
  GpuStatus const status = hipGetDevice(&device);
  return status == hipSuccess ? hipDeviceGetAttribute(threads, hipDeviceAttributeWarpSize, device) : status;
}
#else
#include <cuda_runtime.h>
using GpuStream = cudaStream_t;
using GpuStatus = cudaError_t;
inline constexpr GpuStatus gpu_success = cudaSuccess, gpu_no_memory = cudaErrorMemoryAllocation;
inline GpuStatus gpu_last_status() { return cudaGetLastError(); }
/// Marks a kernel argument that threads index into, so that they make no private copies of it.
#define NEARFAR_GPU_ARGUMENT __grid_constant__
inline constexpr int gpu_shared_bytes = 112 << 10;  ///< that a block may ask for, at most
/// The same on the current device: GPUs of compute capability 8.6, 8.9 and 12.0 have no more than 99 KiB.
inline int gpu_shared_limit() {
  int device = 0, most = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess)
    return gpu_shared_bytes;
  return most < gpu_shared_bytes ? most : gpu_shared_bytes;
}
/// For __launch_bounds__: limits registers so that this many blocks fit on a multiprocessor.
constexpr int gpu_bound(int blocks) { return blocks; }
inline GpuStatus gpu_allow_shared(void const* kernel) {
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, gpu_shared_limit());
}
/// Memory available to what follows on the stream, until gpu_free on the same stream.
inline GpuStatus gpu_malloc(void** memory, std::size_t bytes, GpuStream stream) {
  return cudaMallocAsync(memory, bytes, stream);
}
inline GpuStatus gpu_free(void* memory, GpuStream stream) { return cudaFreeAsync(memory, stream); }
/// The device keeps that memory when idle: asking the system each time would take longer than kernels do.
inline GpuStatus gpu_keep_memory(int device) {
  cudaMemPool_t pool = nullptr;
  std::uint64_t all = ~std::uint64_t(0);
  GpuStatus const status = cudaDeviceGetDefaultMemPool(&pool, device);
  return status == cudaSuccess ? cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all) : status;
}
inline GpuStatus gpu_device(int* device) { return cudaGetDevice(device); }
inline GpuStatus gpu_use(int device) { return cudaSetDevice(device); }
inline GpuStatus gpu_count(int* count) { return cudaGetDeviceCount(count); }
inline GpuStatus gpu_wait() { return cudaDeviceSynchronize(); }
inline GpuStatus gpu_bus_address(char* address, int length, int device) {
  return cudaDeviceGetPCIBusId(address, length, device);
}
/// Permanent device memory, and copies to it; both may wait for the device. Of memory that is not pinned a copy may
/// return before the data have arrived, and workers' streams do not wait for the default one: so that is waited for.
inline GpuStatus gpu_malloc_kept(void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
inline GpuStatus gpu_free_kept(void* memory) { return cudaFree(memory); }
inline GpuStatus gpu_upload(void* to, void const* from, std::size_t bytes) {
  GpuStatus const status = cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
  return status == cudaSuccess ? cudaStreamSynchronize(nullptr) : status;
}
/// Host memory that kernels write to.
inline GpuStatus gpu_malloc_host(void** memory, std::size_t bytes) { return cudaMallocHost(memory, bytes); }
/// Calls f(data) on a thread of the driver when everything before it on the stream has ended; f must not call the GPU.
inline GpuStatus gpu_call_host(GpuStream stream, void (*f)(void*), void* data) {
  return cudaLaunchHostFunc(stream, f, data);
}
inline GpuStatus gpu_fill(void* memory, int byte, std::size_t bytes, GpuStream stream) {
  return cudaMemsetAsync(memory, byte, bytes, stream);
}
inline char const* gpu_text(GpuStatus status) { return cudaGetErrorString(status); }
#if defined(__CUDACC__)
/// The value of the thread whose number differs by `distance`, a power of two; the whole warp must call it.
template <class T>
__device__ T gpu_exchange(T value, int distance) {
  return __shfl_xor_sync(0xffffffffu, value, distance);
}
/// Bit t: whether the argument of thread t is true; the whole warp must call it.
__device__ inline std::uint64_t gpu_vote(bool truth) { return __ballot_sync(0xffffffffu, truth); }
/// Makes what threads of a warp have written to shared memory visible to all of them.
__device__ inline void gpu_meet_in_warp() { __syncwarp(); }
#endif
/// Threads in a warp of this device.
inline GpuStatus gpu_warp_size(int* threads) {
  *threads = 32;
  return gpu_success;
}
#endif

/// Throws if a call failed, saying what could not be done: Error{no_resource}
/// if memory ran out, else std::runtime_error. Clears the thread's last status,
/// which the next launch, of another solve, would otherwise take for its own.
inline void gpu_expect(GpuStatus status, std::string const& what) {
  if (status == gpu_success) return;
  static_cast<void>(gpu_last_status());
  if (status == gpu_no_memory)
    throw nearfar::Error(nearfar::Fault::no_resource,
                         what + " (the GPU says '" + gpu_text(status) +
                             "'); take a smaller problem, single precision, or fewer solves at a time");
  throw std::runtime_error(what + " (" + gpu_text(status) + ")");
}
