// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/description.hpp"
#include "tasks/engine/given_arrays.hpp"
#include "tasks/engine/graph.hpp"

#include <nearfar/solve.hpp>
#include <nearfar/stream.hpp>

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace nearfar::detail {

class SolvedRows;

/// A solve as a caller submits it, or a review again. The arrays outlive it.
template <class T, class PointSet>
struct Submission {
  std::shared_ptr<PointSet> points;
  GivenArrays<T const> strengths;
  GivenArrays<T> result;
  Part part = Part::whole;          ///< of a method that has parts
  std::optional<Trial> trial{};     ///< then the solve is not reviewed
  std::function<void()> finally{};  ///< SubmitOptions::finally
  std::optional<Stream> after{};    ///< whose work the solve waits for
  bool again = false;               ///< it has missed the tolerance on a lower rung
  int vectors = 1;                  ///< of strengths, as the plan counts them
  /// What tasks of the solve sum up for its review, where a method checks results that way; else null.
  std::shared_ptr<std::vector<double>> checked{};
  /// The same of sums over the rows, where tasks find them; null where there is no review.
  std::shared_ptr<SolvedRows> rows{};
  std::shared_ptr<void> joined{};  ///< what strengths and result lie in, if not the caller's memory
  std::exception_ptr refused{};    ///< what is wrong with this rank's views, for all ranks to throw

  /// Whether the solve has an energy, by a kernel of such strengths and results.
  bool has_energy(KernelDescription const& kernel) const {
    return part == Part::whole && vectors == 1 && points->same() && kernel.has_energy;
  }

  /// The arrays of both.
  std::vector<void const*> memory() const {
    std::vector<void const*> memory;
    for (auto const& array : strengths.all()) memory.push_back(array.data());
    for (auto const& array : result.all()) memory.push_back(array.data());
    return memory;
  }
};

/// The same with one array of strengths and one of results, which go to the caller's when the solve has ended: what
/// ranks send each other is cut by rank.
template <class T, class PointSet>
Submission<T, PointSet> joined(Submission<T, PointSet> s) {
  struct Joined {
    std::vector<T> strengths, result;
  };
  auto const one = std::make_shared<Joined>();
  for (auto const& array : s.strengths.all()) one->strengths.insert(one->strengths.end(), array.begin(), array.end());
  one->result.resize(s.result.size());
  auto const result = std::exchange(s.result, GivenArrays<T>(one->result));
  s.strengths = GivenArrays<T const>(one->strengths);
  s.joined = one;
  s.finally = [one, result, then = std::move(s.finally)] {
    auto from = one->result.begin();
    for (auto const& array : result.all()) {
      std::copy_n(from, array.size(), array.begin());
      from += std::ptrdiff_t(array.size());
    }
    if (then) then();
  };
  return s;
}

}  // namespace nearfar::detail
