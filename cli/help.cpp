// SPDX-License-Identifier: BSD-3-Clause
#include "cli/help.hpp"

#include <algorithm>

namespace nearfar::cli {

namespace {

constexpr std::size_t left_column = 25;

std::string call_of(Option const& option) {
  return option.value.empty() ? option.flag : option.flag + " " + option.value;
}

/// "  left    right", with the further lines of `right` below its first.
std::string entry(std::string const& left, std::string const& right) {
  std::string text(2, ' ');
  text += left;
  text.resize(std::max(text.size() + 1, left_column), ' ');
  for (char const c : right) {
    text += c;
    if (c == '\n') text.append(left_column, ' ');
  }
  return text += '\n';
}

std::vector<std::string> groups_of(Options const& options) {
  std::vector<std::string> groups;
  for (auto const& option : options)
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  return groups;
}

}  // namespace

std::string help_text(Program const& program) {
  std::string text = program.purpose + "\n\nUsage: " + program.name + " COMMAND [OPTIONS]\n\nCommands:\n";
  for (auto const& command : program.commands) text += entry(command.name, command.purpose);
  text += "\nOptions:\n";
  text += entry("--help", "This text; '" + program.name + " COMMAND --help' lists the options of a command");
  text += entry("--version", "The version");
  return text + "\nFirst steps:\n" + program.first_steps +
         "\n"
         "Exit codes: 0 done, 2 wrong usage or input, 3 not enough memory or no worker, 1 a bug.\n";
}

std::string help_text(Command const& command) {
  std::string text = command.purpose + ".\n";
  if (!command.details.empty()) text += command.details + "\n";
  text += "\nUsage: " + program_name() + " " + command.name;
  for (auto const& option : command.options)
    if (option.required) text.append(" ").append(call_of(option));
  text += std::ranges::all_of(command.options, &Option::required) ? "\n" : " [OPTIONS]\n";
  for (auto const& group : groups_of(command.options)) {
    text.append("\n").append(group).append(":\n");
    for (auto const& option : command.options)
      if (option.group == group) text += entry(call_of(option), option.meaning);
  }
  return text + "\nExample:\n  " + command.example + "\n";
}

}  // namespace nearfar::cli
