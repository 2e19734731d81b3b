// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/runtime/gpu_workers.hpp"

#include "codelets/common/gpu/gpu_pointer.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <stdexcept>

namespace nearfar::detail {

std::vector<std::string> visible_gpus() {
#if defined(NEARFAR_WITH_GPUS)
  try {
    return gpu_addresses();
  } catch (std::runtime_error const& e) {
    throw Error(Fault::no_resource, std::string(e.what()) +
                                        " (ranks that share a machine divide its GPUs by that); see what is wrong "
                                        "with it, or hide it from this program");
  }
#else
  return {};
#endif
}

std::vector<unsigned> gpu_workers() {
  std::vector<unsigned> workers;
  for (unsigned w = 0; w < starpu_worker_get_count(); ++w)
    if (starpu_worker_get_type(int(w)) != STARPU_CPU_WORKER) workers.push_back(w);
  return workers;
}

std::vector<unsigned> gpu_workers(starpu_codelet const& stage) {
  std::vector<unsigned> workers;
  for (unsigned const w : gpu_workers()) {
    bool can = false;
    switch (starpu_worker_get_type(int(w))) {
      case STARPU_CUDA_WORKER: can = stage.cuda_funcs[0] != nullptr; break;
#if defined(NEARFAR_WITH_HIP) && defined(STARPU_USE_HIP)
      case STARPU_HIP_WORKER: can = stage.hip_funcs[0] != nullptr; break;
#endif
      default: break;
    }
    if (can) workers.push_back(w);
  }
  return workers;
}

std::string device_of(unsigned worker) {
  char name[64] = "";
  starpu_worker_get_name(int(worker), name, sizeof name);
  std::string const all = name;  // "CUDA 0.0 (NVIDIA H200 139.8 GiB ...)"
  std::string device;
  for (char c : all.substr(std::min(all.size(), all.find('('))))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) device += c;
  return device.empty() ? "gpu" : device;
}

std::size_t gpu_memory(std::vector<unsigned> const& workers) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (unsigned const w : workers)
    if (auto const all = starpu_memory_get_total(starpu_worker_get_memory_node(w)); all >= 0)
      least = std::min(least, std::size_t(all));
  return least;
}

namespace {

/// The GPU that holds this memory, by the driver's number.
std::optional<int> device_with([[maybe_unused]] void const* memory) {
#if defined(NEARFAR_WITH_GPUS)
  if (int const device = gpu_with(memory); device >= 0) return device;
#endif
  return {};
}

}  // namespace

#if defined(NEARFAR_WITH_GPUS)
KeepCallersGpu::KeepCallersGpu() noexcept : gpu_(current_gpu()) {}

KeepCallersGpu::~KeepCallersGpu() {
  if (gpu_ < 0 || current_gpu() == gpu_) return;
  try {
    make_current(gpu_);
  } catch (std::exception const&) {  // that GPU has worked before; whoever uses it next will get the error
  }
}
#else
KeepCallersGpu::KeepCallersGpu() noexcept = default;
KeepCallersGpu::~KeepCallersGpu() = default;
#endif

bool is_on_gpu(void const* memory) { return device_with(memory).has_value(); }

namespace {

template <class T>
void copy_to_host([[maybe_unused]] T* to, [[maybe_unused]] std::span<T const> from) {
#if defined(NEARFAR_WITH_GPUS)
  try {
    copy_from_gpu(to, from.data(), from.size_bytes());
  } catch (std::runtime_error const& e) {
    throw Error(Fault::no_resource, std::string(e.what()) +
                                        " (it is read before the solve begins); give an array of the host, or "
                                        "see what is wrong with that GPU");
  }
#endif
}

}  // namespace

template <class T>
void wait_for_callers_streams(std::span<T const> given) {
  if (given.empty() || !is_on_gpu(given.data())) return;
  T first;
  copy_to_host(&first, given.first(1));
}
template void wait_for_callers_streams(std::span<double const>);
template void wait_for_callers_streams(std::span<float const>);

std::shared_ptr<GpuEvent const> after_callers_stream(std::optional<Stream> const& stream,
                                                     [[maybe_unused]] bool all_on_one_gpu,
                                                     [[maybe_unused]] std::vector<void const*> const& arrays) {
  if (!stream) return nullptr;
#if defined(NEARFAR_WITH_GPUS)
  auto const first = device_with(arrays.front());
  bool const there = first && std::ranges::all_of(arrays, [&](auto* array) { return device_with(array) == first; });
  try {
    if (all_on_one_gpu && there) return std::make_shared<GpuEvent const>(stream->handle, *first);
    await_stream(stream->handle);
    return nullptr;
  } catch (std::runtime_error const& e) {
    throw Error(Fault::no_resource, std::string(e.what()) +
                                        " (the solve is to begin after what is on it); give a stream of the GPU that "
                                        "has the arrays, or see what is wrong with that GPU");
  }
#else
  throw Error(Fault::bad_input,
              "a stream is given to a nearfar without GPUs (it was built without CUDA and HIP); leave it out");
#endif
}

template <class T>
std::span<T const> OnHost<T>::rows() const {
  if (given_.size() == 0) return {};
  if (copy_) return {copy_->data(), copy_->size()};
  if (!given_.several() && !is_on_gpu(given_.data())) return given_.front();
  auto const copy = std::make_shared<Arena<T>>(given_.size());
  T* to = copy->data();
  for (std::span<T const> const array : given_.all()) {
    if (!array.empty() && is_on_gpu(array.data())) copy_to_host(to, array);
    else std::ranges::copy(array, to);
    to += array.size();
  }
  copy_ = copy;
  return {copy->data(), copy->size()};
}
template class OnHost<double>;
template class OnHost<float>;

namespace {

template <class T>
std::vector<T> rows_of_array(std::span<T const> array, std::size_t numbers, std::span<std::uint32_t const> rows) {
  std::vector<T> result(numbers * rows.size());
#if defined(NEARFAR_WITH_GPUS)
  if (is_on_gpu(array.data())) {
    copy_rows_from_gpu(result.data(), array.data(), numbers * sizeof(T) / sizeof(std::uint32_t), rows);
    return result;
  }
#endif
  auto to = result.begin();
  for (std::uint32_t const row : rows) to = std::copy_n(array.begin() + std::ptrdiff_t(row * numbers), numbers, to);
  return result;
}

}  // namespace

template <class T>
std::vector<T> rows_on_host(GivenArrays<T const> const& arrays, std::size_t numbers,
                            std::span<std::uint32_t const> rows) {
  if (!arrays.several()) return rows_of_array(arrays.front(), numbers, rows);
  std::vector<T> result(numbers * rows.size());
  std::size_t first = 0;  // row of the array
  for (std::span<T const> const array : arrays.all()) {
    std::size_t const count = array.size() / numbers;
    std::vector<std::uint32_t> there, place;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i] >= first && rows[i] - first < count) {
        there.push_back(std::uint32_t(rows[i] - first));
        place.push_back(std::uint32_t(i));
      }
    auto const found = rows_of_array(array, numbers, std::span<std::uint32_t const>(there));
    for (std::size_t i = 0; i < place.size(); ++i)
      std::copy_n(&found[i * numbers], numbers, &result[place[i] * numbers]);
    first += count;
  }
  return result;
}
template std::vector<double> rows_on_host(GivenArrays<double const> const&, std::size_t,
                                          std::span<std::uint32_t const>);
template std::vector<float> rows_on_host(GivenArrays<float const> const&, std::size_t, std::span<std::uint32_t const>);

template <class T>
std::vector<T> runs_from_gpu([[maybe_unused]] std::span<T const> array, std::size_t numbers,
                             [[maybe_unused]] std::size_t step, std::size_t runs) {
  std::vector<T> result(numbers * runs);
#if defined(NEARFAR_WITH_GPUS)
  copy_runs_from_gpu(result.data(), array.data(), numbers * sizeof(T), step * sizeof(T), runs);
#endif
  return result;
}
template std::vector<double> runs_from_gpu(std::span<double const>, std::size_t, std::size_t, std::size_t);
template std::vector<float> runs_from_gpu(std::span<float const>, std::size_t, std::size_t, std::size_t);

int memory_node_of(void const* memory, char const* whose) {
  auto const device = device_with(memory);
  if (!device) return STARPU_MAIN_RAM;
  for (unsigned w = 0; w < starpu_worker_get_count(); ++w) {
    bool const is_gpu = starpu_worker_get_type(int(w)) == STARPU_CUDA_WORKER
#if defined(NEARFAR_WITH_HIP) && defined(STARPU_USE_HIP)
                        || starpu_worker_get_type(int(w)) == STARPU_HIP_WORKER
#endif
        ;
    if (is_gpu && starpu_worker_get_devid(int(w)) == *device) return int(starpu_worker_get_memory_node(w));
  }
  throw Error(Fault::bad_input,
              std::string(whose) + " in the memory of GPU " + std::to_string(*device) +
                  ", which no worker drives; start the runtime with that GPU, or give an array of the "
                  "host");
}

int gpu_with_node(int node) {
  auto const workers = gpu_workers();
  for (std::size_t k = 0; k < workers.size(); ++k)
    if (int(starpu_worker_get_memory_node(workers[k])) == node) return int(k);
  return 0;
}

void expect_on_host(std::vector<void const*> const& arrays) {
  if (std::ranges::all_of(arrays, [](auto* array) { return memory_node_of(array) == STARPU_MAIN_RAM; })) return;
  throw Error(Fault::bad_input,
              "strengths or the result are in the memory of a GPU (several ranks send them to each other from the "
              "host's); give arrays of the host");
}

}  // namespace nearfar::detail
