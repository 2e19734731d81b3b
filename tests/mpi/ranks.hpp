// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/runtime/runtime_state.hpp"

#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nearfar::test {

/// What the whole program has: MPI cannot be started twice.
struct Started {
  Runtime runtime;
  int workers = [this] {
    auto const mine = runtime.workers();
    return int(runtime.shared()->ranks().sum(std::uint64_t(std::ranges::count(mine, "cpu", &Worker::kind))));
  }();
};
inline Started const& started() {
  static Started const one;
  return one;
}

inline Runtime const& runtime() { return started().runtime; }

/// CPU workers of all ranks, which need not have as many each.
inline int all_workers() { return started().workers; }

/// Rank 0 gives its data, the others nothing.
template <class T>
std::span<T const> given(std::vector<T> const& data) {
  return runtime().rank() == 0 ? std::span<T const>(data) : std::span<T const>();
}
template <class T>
std::span<T> taken(std::vector<T>& data) {
  return runtime().rank() == 0 ? std::span<T>(data) : std::span<T>();
}

/// Points dealt to the ranks one by one, but for rank 1, which gets none if there are others.
class Dealt {
 public:
  explicit Dealt(std::size_t points) {
    std::vector<int> takers;
    for (int r = 0; r < runtime().ranks(); ++r)
      if (r != 1 || runtime().ranks() == 2) takers.push_back(r);
    for (std::size_t t = 0; t < takers.size(); ++t) {
      if (takers[t] == runtime().rank()) first_ = order_.size();
      for (std::size_t i = t; i < points; i += takers.size()) order_.push_back(i);
      if (takers[t] == runtime().rank()) last_ = order_.size();
    }
  }

  /// Rows of all points, those of rank 0 first; and those of this rank.
  template <class T>
  std::vector<T> all(std::vector<T> const& rows) const {
    return some(rows, 0, order_.size());
  }
  template <class T>
  std::vector<T> mine(std::vector<T> const& rows) const {
    return some(rows, first_, last_);
  }
  std::size_t count() const { return last_ - first_; }
  std::size_t first() const { return first_; }

 private:
  template <class T>
  std::vector<T> some(std::vector<T> const& rows, std::size_t first, std::size_t last) const {
    std::size_t const row = order_.empty() ? 0 : rows.size() / order_.size();
    std::vector<T> found;
    for (std::size_t i = first; i < last; ++i)
      found.insert(found.end(), rows.begin() + std::ptrdiff_t(order_[i] * row),
                   rows.begin() + std::ptrdiff_t((order_[i] + 1) * row));
    return found;
  }

  std::vector<std::size_t> order_;
  std::size_t first_ = 0, last_ = 0;
};

/// All ranks have the same number.
inline bool agreed(double number) {
  auto const bits = std::bit_cast<std::uint64_t>(number);
  auto const& ranks = runtime().shared()->ranks();
  return ranks.largest(bits) == bits && ranks.largest(~bits) == ~bits;
}

/// Relative l2 error of columns [first, columns) of rows.
inline double relative_error(std::vector<double> const& found, std::vector<double> const& exact,
                             std::size_t columns = 1, std::size_t first = 0) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i % columns < first) continue;
    error += (found[i] - exact[i]) * (found[i] - exact[i]);
    size += exact[i] * exact[i];
  }
  return std::sqrt(error / size);
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
