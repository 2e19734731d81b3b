// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/trace/kept_rights.hpp"

#include <filesystem>
#include <unistd.h>

namespace nearfar::detail {

KeptRights::KeptRights(std::string const& folder) {
  std::error_code none;
  for (auto const& entry : std::filesystem::directory_iterator(folder, none))
    if (struct stat found{}; lstat(entry.path().c_str(), &found) == 0 && S_ISREG(found.st_mode))
      files_.emplace_back(entry.path().string(), found);
}

void KeptRights::give() const noexcept {
  for (auto const& [path, old] : files_) {
    struct stat now {};
    if (lstat(path.c_str(), &now) != 0 || !S_ISREG(now.st_mode)) continue;
    bool const same_group = chown(path.c_str(), old.st_uid, old.st_gid) == 0 ||
                            chown(path.c_str(), static_cast<uid_t>(-1), old.st_gid) == 0;
    mode_t const mode = old.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO), as_others = (old.st_mode & S_IRWXO) << 3;
    chmod(path.c_str(), same_group ? mode : mode & (~mode_t(S_IRWXG) | as_others));
  }
}

}  // namespace nearfar::detail
