// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

/// How a run of the program ended.
struct Outcome {
  int code = 0;  ///< exit code; 128 + signal when one ended it
  std::string out;
  std::string err;
};

/// Runs the built `nearfar` with these arguments and the environment of the test.
Outcome run_nearfar(std::vector<std::string> const& arguments);

/// The same after shell commands that limit it: "ulimit -f 8".
Outcome run_nearfar_after(std::string const& shell, std::vector<std::string> const& arguments);

/// The same with a terminal for both outputs, which come as `out`. Arguments are without blanks.
Outcome run_nearfar_on_terminal(std::vector<std::string> const& arguments);

inline bool contains(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }
