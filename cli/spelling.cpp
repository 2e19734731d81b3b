// SPDX-License-Identifier: BSD-3-Clause
#include "cli/spelling.hpp"

#include <algorithm>
#include <numeric>

namespace nearfar::cli {

namespace {

/// Number of letters to insert, remove or replace (Levenshtein distance).
std::size_t distance(std::string const& a, std::string const& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      auto const replaced = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string const& word, std::vector<std::string> const& known) {
  std::string const* best = nullptr;
  std::size_t nearest = std::max<std::size_t>(word.size() / 3, 2) + 1;
  for (auto const& candidate : known) {
    // A truncated word, like --tol, is near however much is missing.
    bool const cut = word.size() > 3 && candidate.starts_with(word);
    if (auto const steps = cut ? 1 : distance(word, candidate); steps < nearest) {
      nearest = steps;
      best = &candidate;
    }
  }
  return best == nullptr ? "" : ", did you mean " + *best + "?";
}

}  // namespace nearfar::cli
