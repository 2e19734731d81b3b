// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace nearfar {

/// Kinds of errors on which a caller can act; the value is the exit code of the program.
enum class Fault {
  bug = 1,         ///< a defect of nearfar
  bad_input = 2,   ///< invalid input of the caller
  no_resource = 3  ///< not enough memory, or no worker that can run a task
};

/// The only exception nearfar throws on purpose.
/// Messages say what is wrong, with the value; why that is a problem; what would be right.
class Error : public std::runtime_error {
 public:
  Error(Fault fault, std::string const& message) : std::runtime_error(message), fault_(fault) {}
  Fault fault() const noexcept { return fault_; }

 private:
  Fault fault_;
};

}  // namespace nearfar
