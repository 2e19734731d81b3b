// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/transform/transform_shape.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

/// \file
/// Transforms on CPUs, of the shapes that GPUs transform, too. They are FFTW's, which only cpu_transform.cpp calls;
/// another library needs another such source.

namespace nearfar {

/// The library's planner is not thread-safe, in any precision: one lock for all of it.
std::recursive_mutex& transform_planner() noexcept;

/// While it lives, this thread makes plans, starting from what was learned on this machine before; what it learns is
/// stored in the user's folder.
template <class T>
class TransformPlanning {
 public:
  TransformPlanning();
  ~TransformPlanning();
  TransformPlanning(TransformPlanning const&) = delete;
  TransformPlanning& operator=(TransformPlanning const&) = delete;

  std::string learned() const;
  void learn(std::string const& text) const;

 private:
  std::lock_guard<std::recursive_mutex> lock_{transform_planner()};
};

/// What a plan is made for beside its shape.
struct PlanUse {
  bool in_place = false;
  bool aligned = true;   ///< its arrays are (is_aligned_for_transforms)
  bool measured = true;  ///< the fastest of several ways; else one by rule
};

/// A planned transform by one thread. Runs are thread-safe; copies share the plan.
template <class T>
class CpuTransform {
 public:
  CpuTransform() = default;
  /// Throws Error{bug} where the library makes no plan.
  CpuTransform(TransformPlanning<T> const& planning, TransformShape const& shape, Direction direction,
               PlanUse const& use = {});

  /// From modes to real numbers, the input is overwritten.
  void operator()(void* in, void* out) const { run_(plan_.get(), in, out); }
  void operator()(void* both) const { run_(plan_.get(), both, both); }

 private:
  std::shared_ptr<void> plan_;
  void (*run_)(void* plan, void* in, void* out) = nullptr;
};

/// Cosine transforms (DCT-I) of `count` adjacent columns in place: even sequences of 2 (half - 1) points, given by the
/// first `half` of them.
class CosineTransform {
 public:
  CosineTransform() = default;
  CosineTransform(TransformPlanning<double> const& planning, int half, int count, bool measured);

  void operator()(double* columns) const;

 private:
  std::shared_ptr<void> plan_;
};

template <class T>
bool is_aligned_for_transforms(void const* array) noexcept;

}  // namespace nearfar
