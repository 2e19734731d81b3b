// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <vector>

namespace nearfar {

/// A StarPU data handle as graph builders pass it around; not owned.
using Handle = starpu_data_handle_t;

/// One access of a stage: its mode, and one handle or any number of them. The list of these types in a stage is
/// the single definition of its modes; the compiler checks a builder's calls (`read(x)`, `write(y)`) against it.
template <starpu_data_access_mode Mode>
struct One {
  static constexpr auto mode = Mode;
  Handle handle;
};
template <starpu_data_access_mode Mode>
struct Many {
  static constexpr auto mode = Mode;
  std::vector<Handle> handles;
};

/// Any order of writers, one at a time.
inline constexpr auto commuting = static_cast<starpu_data_access_mode>(STARPU_RW | STARPU_COMMUTE);

using Read = One<STARPU_R>;
using ReadMany = Many<STARPU_R>;
using Write = One<STARPU_W>;
using WriteMany = Many<STARPU_W>;
using ReadWrite = One<STARPU_RW>;
using ReadWriteMany = Many<STARPU_RW>;
using Scratch = One<STARPU_SCRATCH>;

/// Writes some rows of an array, which no other task writes. If all tasks run in one memory, each has a handle of
/// its own for its rows, over the same array, and they run concurrently; else they share one handle and take turns.
struct WriteRows {
  Handle handle;
  bool shared = false;

  starpu_data_access_mode mode() const { return shared ? commuting : STARPU_W; }
};

template <class... Access>
struct AccessList {
  static constexpr int size = sizeof...(Access);
};

inline Read read(Handle h) { return {h}; }
inline ReadMany read(std::vector<Handle> h) { return {std::move(h)}; }
inline Write write(Handle h) { return {h}; }
inline WriteMany write(std::vector<Handle> h) { return {std::move(h)}; }
inline ReadWrite read_write(Handle h) { return {h}; }
inline ReadWriteMany read_write(std::vector<Handle> h) { return {std::move(h)}; }
inline WriteRows write(WriteRows rows) { return rows; }
inline Scratch scratch(Handle h) { return {h}; }

}  // namespace nearfar
