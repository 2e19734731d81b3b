// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/nearfar.hpp>

#include <span>
#include <string>
#include <vector>

namespace nearfar::test {

/// Of the whole program: MPI cannot be started twice.
inline Runtime const& runtime() {
  static Runtime const one;
  return one;
}

/// Rank 0 gives its data, the others nothing.
template <class T>
std::span<T const> given(std::vector<T> const& data) {
  return runtime().rank() == 0 ? std::span<T const>(data) : std::span<T const>();
}
template <class T>
std::span<T> taken(std::vector<T>& data) {
  return runtime().rank() == 0 ? std::span<T>(data) : std::span<T>();
}

/// The message of the Error that `work` ends with.
template <class Work>
std::string message_of(Work work) {
  try {
    work();
  } catch (Error const& error) {
    return error.what();
  }
  return "";
}

}  // namespace nearfar::test
