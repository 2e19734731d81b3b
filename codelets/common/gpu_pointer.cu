// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_pointer.hpp"

#include "codelets/common/gpu_alias.hpp"

namespace nearfar {

#if defined(__HIPCC__)
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

}  // namespace nearfar
