// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/graph.hpp"

#include <nearfar/solve.hpp>
#include <nearfar/stream.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace nearfar::detail {

/// A solve as a caller submits it, or a review again. The arrays outlive it.
template <class T, class PointSet>
struct Submission {
  std::shared_ptr<PointSet> points;
  std::span<T const> strengths;
  std::span<T> result;
  Part part = Part::whole;          ///< of a method that has parts
  std::optional<Trial> trial{};     ///< then the solve is not reviewed
  std::function<void()> finally{};  ///< SubmitOptions::finally
  std::optional<Stream> after{};    ///< whose work the solve waits for
  bool again = false;               ///< it has missed the tolerance on a lower rung
  int vectors = 1;                  ///< of strengths, as the plan counts them
  /// What tasks of the solve sum up for its review, where a method checks results that way; else null.
  std::shared_ptr<std::vector<double>> checked{};
};

}  // namespace nearfar::detail
