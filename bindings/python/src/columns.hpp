// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bindings/python/src/array.hpp"

#include <nearfar/nearfar.h>

namespace nearfar::python {

/// Rows of numbers in one array of the caller's, or in a tuple of arrays whose columns stand side by side.
class Columns {
 public:
  /// Raises TypeError or ValueError, naming the argument, what it is, and what it should be.
  Columns(nanobind::handle value, std::string const& name, int precision, bool writable);
  /// All numbers of one array of that shape, as one column. Raises ValueError also where they are not packed.
  static Columns block(nanobind::handle value, std::string const& name, int precision, bool writable,
                       nanobind::tuple const& shape);

  std::size_t rows() const noexcept { return rows_; }
  int count() const noexcept { return int(columns_.size()); }
  int dimensions() const noexcept;                    ///< the most that an array has
  nanobind::tuple shape() const;                      ///< of the first array
  bool packed() const noexcept { return packed_; }    ///< one block of rows: what spans of C++ are
  bool aligned() const noexcept { return aligned_; }  ///< numbers are at multiples of their size
  bool on_gpu() const noexcept { return on_gpu_; }
  std::optional<std::uintptr_t> stream() const noexcept { return stream_; }

  void* data() const noexcept { return rows_ > 0 ? arrays_.front().data : const_cast<Columns*>(this); }
  std::size_t length() const noexcept { return rows_ * columns_.size(); }
  nearfar_rows view() const noexcept { return {rows_, columns_.data(), count(), precision_}; }

 private:
  explicit Columns(int precision) : precision_(precision) {}
  void expect_type(Array const& array, std::string const& name, bool writable) const;
  void add(Array array, std::string const& name, bool writable);
  void order_vectors(std::string const& name);

  int precision_;
  std::vector<Array> arrays_;
  std::vector<nearfar_column> columns_;
  std::size_t rows_ = 0;
  bool packed_ = true, aligned_ = true, on_gpu_ = false;
  std::optional<std::uintptr_t> stream_;
};

}  // namespace nearfar::python
