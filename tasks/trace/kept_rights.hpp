// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// Who may do what with the files of a folder, for those that replace them.
class KeptRights {
 public:
  KeptRights() = default;
  /// Notes owner, group and mode of each file.
  explicit KeptRights(std::string const& folder);

  /// Gives them to the files of these names, as far as this user may. What the old group could do and others could not,
  /// another group cannot.
  void give() const noexcept;

 private:
  std::vector<std::pair<std::string, struct stat>> files_;
};

}  // namespace nearfar::detail
