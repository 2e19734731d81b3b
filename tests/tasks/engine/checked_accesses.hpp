// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access_check/access_check.hpp"

namespace nearfar::test {

/// Bodies are held to their accesses, or not, while this is there. Made and destroyed while no solve is in flight.
class CheckedAccesses {
 public:
  explicit CheckedAccesses(bool on) : before_(checks_accesses()) { check_accesses(on); }
  ~CheckedAccesses() { check_accesses(before_); }
  CheckedAccesses(CheckedAccesses const&) = delete;
  CheckedAccesses& operator=(CheckedAccesses const&) = delete;

 private:
  bool before_;
};

}  // namespace nearfar::test
