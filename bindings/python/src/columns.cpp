// SPDX-License-Identifier: BSD-3-Clause
#include "bindings/python/src/columns.hpp"

#include "bindings/python/src/errors.hpp"
#include "bindings/python/src/handles.hpp"

#include <algorithm>
#include <utility>

namespace nb = nanobind;

namespace nearfar::python {

namespace {

std::string text_of(std::vector<std::int64_t> const& shape) {
  std::string text = "(";
  for (std::size_t d = 0; d < shape.size(); ++d) text += (d > 0 ? ", " : "") + std::to_string(shape[d]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

/// The array of an object; raises TypeError if it is none.
Array expect_array(nb::handle value, std::string const& name) {
  Owner::expect_open();
  InCall const call;  // of methods of Python's, by which libraries give their arrays
  auto array = array_of(value, name);
  if (array) return std::move(*array);
  std::string const type = nb::cast<nb::str>(value.type().attr("__name__")).c_str();
  type_error(name + " is of type " + type +
             ", which is no array; pass one with the buffer protocol, __dlpack__ or "
             "__cuda_array_interface__ (NumPy, PyTorch, CuPy, JAX, ...)");
}

}  // namespace

Columns::Columns(nb::handle value, std::string const& name, int precision, bool writable) : Columns(precision) {
  if (nb::isinstance<nb::tuple>(value)) {
    int i = 0;
    for (auto part : nb::borrow<nb::tuple>(value)) {
      auto const part_name = name + "[" + std::to_string(i++) + "]";
      add(expect_array(part, part_name), part_name, writable);
    }
    if (arrays_.empty()) value_error(name + " is an empty tuple; pass the arrays of its columns");
    packed_ = packed_ && arrays_.size() == 1;
    order_vectors(name);
  } else add(expect_array(value, name), name, writable);
  if (on_gpu_ && !packed_)
    value_error(name +
                " is in GPU memory, but its rows are not packed one after the other; make a packed copy of it "
                "(ascontiguousarray, contiguous)");
}

Columns Columns::block(nb::handle value, std::string const& name, int precision, bool writable,
                       nb::tuple const& shape) {
  Columns all(precision);
  auto array = expect_array(value, name);
  all.expect_type(array, name, writable);
  std::vector<std::int64_t> wanted;
  for (auto size : shape) wanted.push_back(nb::cast<std::int64_t>(size));
  if (array.shape != wanted)
    value_error(name + " has shape " + text_of(array.shape) + ", but the grid needs " + text_of(wanted) +
                "; pass an array of that shape");
  if (!array.packed())
    value_error(name +
                " is not packed in the order of C, with the last index fastest; make a packed copy of it "
                "(ascontiguousarray, contiguous)");
  all.rows_ = 1;
  for (auto size : array.shape) all.rows_ *= std::size_t(size);
  all.columns_.push_back({array.data, precision == NEARFAR_SINGLE ? 4 : 8});
  all.on_gpu_ = array.on_gpu;
  all.stream_ = array.stream;
  all.arrays_.push_back(std::move(array));
  return all;
}

void Columns::expect_type(Array const& array, std::string const& name, bool writable) const {
  auto const wanted = precision_ == NEARFAR_SINGLE ? "float32" : "float64";
  if (array.type != wanted)
    type_error(name + " is an array of " + array.type + ", but the sum is computed in " + wanted +
               "; convert the array" +
               (array.type.starts_with("float") ? ", or ask for dtype=\"" + array.type + "\"" : ""));
  if (writable && array.read_only)
    value_error(name + " is read-only, but results are written to it; pass an array that may be written");
  for (std::size_t d = 0; writable && d < array.shape.size(); ++d)
    if (array.shape[d] > 1 && array.strides[d] == 0)
      value_error(name + " has its " + std::to_string(array.shape[d]) + " numbers along axis " + std::to_string(d) +
                  " in one place (stride 0), but results are written to it; pass an array with a place for each");
}

void Columns::add(Array array, std::string const& name, bool writable) {
  expect_type(array, name, writable);
  auto const dimensions = array.shape.size();
  if (dimensions < 1 || dimensions > 3)
    value_error(name + " has shape " + text_of(array.shape) +
                ", but its rows are points: pass an array with one row "
                "for each");
  auto const rows = std::size_t(array.shape[0]);
  if (!arrays_.empty() && rows != rows_)
    value_error(name + " has " + std::to_string(rows) + " rows, but the arrays before it have " +
                std::to_string(rows_) + "; all need a row for each point");
  if (!arrays_.empty() && array.on_gpu != on_gpu_)
    value_error(name + " is in " + (array.on_gpu ? "GPU" : "host") +
                " memory, unlike the arrays before it; move it "
                "to theirs");
  rows_ = rows;
  on_gpu_ = array.on_gpu;
  if (array.stream) stream_ = array.stream;
  packed_ = packed_ && array.packed();
  std::int64_t const item = precision_ == NEARFAR_SINGLE ? 4 : 8;
  auto const inner = [&](std::size_t d) { return d < dimensions ? array.shape[d] : 1; };
  auto const stride = [&](std::size_t d) { return d < dimensions ? array.strides[d] : 0; };
  auto const address = reinterpret_cast<std::uintptr_t>(array.data);
  if (rows > 0 && address % std::uintptr_t(item) != 0) aligned_ = false;
  for (auto s : array.strides)
    if (s % item != 0) aligned_ = false;
  for (std::int64_t i = 0; i < inner(1); ++i)
    for (std::int64_t j = 0; j < inner(2); ++j)
      columns_.push_back({static_cast<char*>(array.data) + i * stride(1) + j * stride(2), array.strides[0]});
  arrays_.push_back(std::move(array));
}

/// Of several vectors, (N, K) or (N, K, columns) each, the columns of all arrays stand side by side in every vector.
void Columns::order_vectors(std::string const& name) {
  auto const several = std::ranges::find_if(arrays_, [](Array const& a) { return a.shape.size() == 3; });
  if (several == arrays_.end()) return;
  auto const vectors = several->shape[1];
  std::vector<nearfar_column> ordered;
  for (std::int64_t v = 0; v < vectors; ++v) {
    auto first = columns_.begin();
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      auto const& sizes = arrays_[i].shape;
      if (sizes.size() < 2 || sizes[1] != vectors)
        value_error(name + "[" + std::to_string(i) + "] has shape " + text_of(sizes) + ", but " + name + "[" +
                    std::to_string(several - arrays_.begin()) + "] has " + std::to_string(vectors) +
                    " vectors; all arrays need as many, in their second place");
      auto const width = sizes.size() == 3 ? sizes[2] : 1;
      ordered.insert(ordered.end(), first + v * width, first + (v + 1) * width);
      first += vectors * width;
    }
  }
  columns_ = std::move(ordered);
}

int Columns::dimensions() const noexcept {
  std::size_t most = 0;
  for (Array const& array : arrays_) most = std::max(most, array.shape.size());
  return int(most);
}

nb::tuple Columns::shape() const {
  nb::list sizes;
  for (auto size : arrays_.front().shape) sizes.append(size);
  return nb::tuple(sizes);
}

}  // namespace nearfar::python
