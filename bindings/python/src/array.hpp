// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nearfar::python {

/// An array of the caller's, of any library: where it is and how it is laid out. Holds its memory until it goes.
struct Array {
  void* data = nullptr;
  std::vector<std::int64_t> shape, strides;  ///< strides in bytes
  std::string type;                          ///< "float64", "int32", ...
  bool read_only = false;
  bool on_gpu = false;
  std::optional<std::uintptr_t> stream{};  ///< whose work the data wait for
  std::shared_ptr<void> hold{};

  bool packed() const noexcept;  ///< rows follow each other without gaps
};

/// By the buffer protocol, __dlpack__ or __cuda_array_interface__ (version 3), whichever the object has first. Of the
/// last two only __dlpack__ waits for work of every library: PyTorch and JAX name no stream in the other one. Nothing
/// for an object with none of them.
std::optional<Array> array_of(nanobind::handle object, std::string const& name);

namespace detail {
std::optional<Array> by_buffer(nanobind::handle object);
std::optional<Array> by_cuda_interface(nanobind::handle object);
std::optional<Array> by_dlpack(nanobind::handle object, std::string const& name);
void set_packed_strides(Array& array, std::int64_t itemsize);
}  // namespace detail

}  // namespace nearfar::python
