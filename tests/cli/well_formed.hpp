// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <regex>
#include <string>
#include <vector>

/// What keeps `text` from being well-formed XML with one root, or nothing: tags that nest, quoted attributes, named
/// entities. Enough for files without comments and declarations.
inline std::string xml_fault(std::string const& text) {
  static std::regex const opening{R"(([A-Za-z][\w:-]*)(\s+[\w:-]+="[^"<&]*(&(amp|lt|gt|quot);[^"<&]*)*")*\s*/?)"};
  static std::regex const stray{"&(?!(amp|lt|gt|quot);)"};
  std::vector<std::string> open;
  bool ended = false;
  std::size_t at = 0;
  while (at < text.size()) {
    auto const tag = text.find('<', at), words_end = tag == text.npos ? text.size() : tag;
    auto const words = text.substr(at, words_end - at);
    if (std::regex_search(words, stray) || words.find('>') != words.npos) return "stray character in '" + words + "'";
    if (open.empty() && words.find_first_not_of(" \n") != words.npos) return "text outside the root: " + words;
    if (tag == text.npos) break;
    auto const end = text.find('>', tag);
    if (end == text.npos) return "a tag does not end";
    auto const inside = text.substr(tag + 1, end - tag - 1);
    at = end + 1;
    if (ended) return "a second root";
    if (inside[0] == '/') {
      if (open.empty() || open.back() != inside.substr(1)) return "</" + inside.substr(1) + "> closes nothing";
      open.pop_back();
    } else {
      std::smatch match;
      if (!std::regex_match(inside, match, opening)) return "bad tag <" + inside + ">";
      if (inside.back() != '/') open.push_back(match[1]);
    }
    ended = open.empty();
  }
  return open.empty() && ended ? "" : "a tag is open at the end";
}
