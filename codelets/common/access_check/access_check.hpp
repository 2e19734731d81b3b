// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"

#include <array>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace nearfar {

/// Whether bodies of CPU tasks are checked against the access modes that their stages declare; by
/// default if asserts are on. Each task then takes an additional pass over its data. Thread-safe.
bool checks_accesses() noexcept;
void check_accesses(bool on) noexcept;
/// Names of the stages whose bodies passed the check so far. Thread-safe.
std::set<std::string> checked_stages();

/// The modes of a stage's accesses, in order. Rows of an array that others write too
/// count as commuting: the rest of the array keeps the content it had before the task.
template <class Accesses>
inline constexpr int declared_modes = 0;
template <class... Access>
inline constexpr std::array<starpu_data_access_mode, sizeof...(Access)> declared_modes<AccessList<Access...>>{[] {
  if constexpr (std::is_same_v<Access, WriteRows>) return commuting;
  else return Access::mode;
}()...};

/// Surrounds the body of one task: data that are only read must be unchanged afterwards; data to be written, and
/// work space, are filled with NaNs before, so that a body which relies on their old content gives another result.
class AccessCheck {
 public:
  AccessCheck(void** buffers, TaskHeader const& header, std::span<starpu_data_access_mode const> modes);

  /// Throws Error{bug} for the first access that was declared as read but changed.
  void expect_kept(char const* stage) const;

 private:
  struct Kept {
    int access, place;
    std::span<std::byte const> bytes;
    std::uint64_t checksum;
  };
  std::vector<Kept> kept_;
};

}  // namespace nearfar
