// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/error.hpp>
#include <sstream>

namespace nearfar {

/// Refuses what a caller gave: throws Error{bad_input} with these parts as its message, which says what is wrong, with
/// the value; why; and what would be right. (EXPECTS is for what code of nearfar hands on.)
template <class... Parts>
[[noreturn]] void reject(Parts const&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  throw Error(Fault::bad_input, text.str());
}

}  // namespace nearfar
