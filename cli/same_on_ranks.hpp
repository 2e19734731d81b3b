// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/commands/command.hpp"

#include <nearfar/error.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace nearfar::cli {

/// A command line as it was understood: the command, and its options with what was given for them, in that order.
struct Given {
  std::string command;
  bool on_ranks = false;
  std::vector<std::pair<Option const*, std::string>> options;
};

/// A command line, or why there is none.
struct Understood {
  Given given;
  Fault fault = Fault::bug;
  std::string error;  ///< empty: none
};

/// Before several processes do anything together: throws on all of them the error of the first that has one, and
/// Error{bad_input} if they have not the same command, the same options, and files of the same contents. Then they
/// would solve half of each problem. Collective; one process alone throws its own error.
void expect_same_on_ranks(Understood const& mine);

/// All processes call it, and throw what the first of them throws that does.
void together(std::function<void()> const& work);

/// A number for the contents of a file: of all of a small one, of many pieces of a large one, those at its begin and
/// end among them; empty if it cannot be read.
std::string contents_of(std::string const& path);

}  // namespace nearfar::cli
