// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/error.hpp>

#include <string>

/// The text of the Error{bad_input} that `call` throws; something that no test looks for when it throws none.
template <class Call>
std::string message(Call const& call) {
  try {
    call();
  } catch (nearfar::Error const& error) {
    return error.fault() == nearfar::Fault::bad_input ? error.what() : "(another fault)";
  }
  return "(no error)";
}
