// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"

#include <array>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace nearfar {

/// Whether the bodies of CPU tasks are held to the access modes that their stages declare; by default where asserts are
/// on. Every task then takes longer by a pass over its data. Thread-safe.
bool checks_accesses() noexcept;
void check_accesses(bool on) noexcept;
/// Names of the stages whose bodies have kept to them so far. Thread-safe.
std::set<std::string> checked_stages();

/// The modes of a stage's accesses, in their order. Rows of an array that others write too count as commuting: what was
/// there before the task is theirs.
template <class Accesses>
inline constexpr int declared_modes = 0;
template <class... Access>
inline constexpr std::array<starpu_data_access_mode, sizeof...(Access)> declared_modes<AccessList<Access...>>{[] {
  if constexpr (std::is_same_v<Access, WriteRows>) return commuting;
  else return Access::mode;
}()...};

/// Around the body of one task: data that are only read must be the same afterwards, and what is written or is work
/// space holds NaNs before, so that a body which counts on its old content gives another result.
class AccessCheck {
 public:
  AccessCheck(void** buffers, TaskHeader const& header, std::span<starpu_data_access_mode const> modes);

  /// Throws Error{bug} with the first access that was declared as read and has changed.
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
