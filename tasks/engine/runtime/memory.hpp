// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/floating_point.hpp"
#include "tasks/engine/runtime/process.hpp"

#include <nearfar/error.hpp>

#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>

namespace nearfar::detail {

/// "1.2 GiB"
std::string gibibytes(std::size_t bytes);

/// Throws Error{no_resource} if this process cannot get this much more memory, by the machine's
/// memory and the free part of it, the control group's limit, or the process's own (ulimit -v, ulimit
/// -d). StarPU would wait for memory for ever. `what` needs it, and `cure` says how to need less.
void expect_memory(std::size_t bytes, std::string const& what, std::string const& cure);
void expect_memory(std::size_t bytes);

[[noreturn]] void throw_no_memory();

/// Host memory that GPUs copy from at full speed, from StarPU while it is up; kept for the next array of about
/// the same size (core/math/kept_arrays.hpp), since pinning pages takes longer than sorting their content.
void* pinned_allocate(std::size_t bytes);  ///< throws std::bad_alloc
void pinned_free(void* memory, std::size_t bytes) noexcept;
/// To be called before StarPU shuts down.
void pinned_trim() noexcept;

/// Runs call(), turning failed allocations into Error{no_resource}.
template <class Call>
decltype(auto) expect_allocations(Call const& call) {
  try {
    return call();
  } catch (std::bad_alloc const&) {
    throw_no_memory();
  } catch (std::length_error const&) {
    throw_no_memory();
  }
}

/// The same for entry points of the API; refuses to run in a forked child, and computes as the workers do.
template <class Call>
decltype(auto) guarded(Call const& call) {
  PlainArithmetic const plain;
  expect_own_process();
  return expect_allocations(call);
}

}  // namespace nearfar::detail
