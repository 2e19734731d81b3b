// SPDX-License-Identifier: BSD-3-Clause
// Arrays by the buffer protocol and by __cuda_array_interface__.
#include "bindings/python/src/array.hpp"

#include <nanobind/stl/string.h>

#include <cstdlib>

namespace nb = nanobind;

namespace nearfar::python {

bool Array::packed() const noexcept {
  std::int64_t expected = type == "float32" ? 4 : 8;
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 0) return true;
    if (shape[d] != 1 && strides[d] != expected) return false;
    expected *= shape[d];
  }
  return true;
}

namespace detail {

namespace {

/// The name of a type in the codes of module struct, for native byte order.
std::string type_of_format(char const* format, std::int64_t itemsize) {
  std::string text = format != nullptr ? format : "B";
  if (text.size() > 1 && (text[0] == '@' || text[0] == '=' || text[0] == '<')) text.erase(0, 1);
  std::string const bits = std::to_string(8 * itemsize);
  if (text == "d" || text == "f" || text == "e" || text == "g") return "float" + bits;
  if (text == "Zd" || text == "Zf") return "complex" + bits;
  if (text == "?") return "bool";
  if (text.size() == 1 && std::string("bhilqn").find(text[0]) != std::string::npos) return "int" + bits;
  if (text.size() == 1 && std::string("BHILQN").find(text[0]) != std::string::npos) return "uint" + bits;
  switch (text.empty() ? ' ' : text.back()) {  // of so many letters
    case 'w': return "text";
    case 's': return "bytes";
    case 'O': return "objects";
    default: return "'" + text + "' (as in module struct)";
  }
}

/// The name of a type like "<f8".
std::string type_of_typestr(std::string const& text) {
  if (text.size() < 3) return text;
  std::string const bits = std::to_string(8 * std::atoi(text.c_str() + 2));
  switch (text[0] == '>' ? '?' : text[1]) {
    case 'f': return "float" + bits;
    case 'i': return "int" + bits;
    case 'u': return "uint" + bits;
    case 'c': return "complex" + bits;
    default: return "'" + text + "'";
  }
}

}  // namespace

void set_packed_strides(Array& array, std::int64_t itemsize) {
  array.strides.resize(array.shape.size());
  for (std::size_t d = array.shape.size(); d-- > 0; itemsize *= array.shape[d]) array.strides[d] = itemsize;
}

std::optional<Array> by_buffer(nb::handle object) {
  if (!PyObject_CheckBuffer(object.ptr())) return {};
  auto* buffer = new Py_buffer;
  if (PyObject_GetBuffer(object.ptr(), buffer, PyBUF_RECORDS_RO) != 0) {
    delete buffer;
    PyErr_Clear();  // an array in GPU memory, or one that does not give its own away
    return {};
  }
  Array array;
  array.hold = std::shared_ptr<void>(buffer, [buffer](void*) {
    nb::gil_scoped_acquire const gil;
    PyBuffer_Release(buffer);
    delete buffer;
  });
  array.data = buffer->buf;
  array.shape.assign(buffer->shape, buffer->shape + buffer->ndim);
  if (buffer->strides != nullptr) array.strides.assign(buffer->strides, buffer->strides + buffer->ndim);
  else set_packed_strides(array, buffer->itemsize);  // of ctypes, which asked for strides gives none
  array.type = type_of_format(buffer->format, buffer->itemsize);
  array.read_only = buffer->readonly != 0;
  return array;
}

std::optional<Array> by_cuda_interface(nb::handle object) {
  nb::object found = nb::getattr(object, "__cuda_array_interface__", nb::none());
  if (found.is_none()) return {};
  auto const dict = nb::cast<nb::dict>(found);
  auto const entry = [&](char const* key) -> nb::object {
    return dict.contains(key) ? nb::object(dict[key]) : nb::object(nb::none());
  };
  Array array;
  auto const data = nb::cast<nb::tuple>(entry("data"));
  array.data = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(data[0]));
  array.read_only = nb::cast<bool>(data[1]);
  for (auto size : nb::cast<nb::tuple>(entry("shape"))) array.shape.push_back(nb::cast<std::int64_t>(size));
  auto const typestr = nb::cast<std::string>(entry("typestr"));
  array.type = type_of_typestr(typestr);
  if (auto const strides = entry("strides"); strides.is_none()) set_packed_strides(array, std::atoi(&typestr[2]));
  else
    for (auto stride : nb::cast<nb::tuple>(strides)) array.strides.push_back(nb::cast<std::int64_t>(stride));
  if (auto const stream = entry("stream"); !stream.is_none()) array.stream = nb::cast<std::uintptr_t>(stream);
  array.on_gpu = true;
  array.hold = std::make_shared<nb::object>(nb::borrow(object));
  return array;
}

}  // namespace detail

std::optional<Array> array_of(nb::handle object, std::string const& name) {
  if (auto array = detail::by_buffer(object)) return array;
  if (auto array = detail::by_dlpack(object, name)) return array;
  return detail::by_cuda_interface(object);
}

}  // namespace nearfar::python
