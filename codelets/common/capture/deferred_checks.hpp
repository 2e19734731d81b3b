// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_check.hpp"

#include <utility>
#include <vector>

namespace nearfar {

/// The checks of work that is captured and launched again and again (captured_work.hpp): what they find is not told by
/// a function on the stream but read when the work has ended. Used by one thread at a time.
class DeferredChecks {
 public:
  DeferredChecks() = default;
  ~DeferredChecks();
  DeferredChecks(DeferredChecks const&) = delete;
  DeferredChecks& operator=(DeferredChecks const&) = delete;

  /// While it lives, checks that end on this thread go there.
  class Collecting {
   public:
    explicit Collecting(DeferredChecks& to) noexcept;
    ~Collecting();
    Collecting(Collecting const&) = delete;
    Collecting& operator=(Collecting const&) = delete;
  };
  /// Those to which checks of this thread go, or null.
  static DeferredChecks* of_this_thread() noexcept;

  void add(BadNumber* place, GpuCheck::Report report) { checks_.emplace_back(place, std::move(report)); }
  /// Reports what was found since the last call.
  void tell() const;

 private:
  std::vector<std::pair<BadNumber*, GpuCheck::Report>> checks_;
};

}  // namespace nearfar
