// SPDX-License-Identifier: BSD-3-Clause
// Errors of the C API: the exception in flight becomes a code and a text of the thread.
#include "bindings/c/errors.hpp"

#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string_view>

namespace nearfar::c {

namespace {

// Set even where there is no memory for the text itself.
thread_local char const* last_error = "";
thread_local std::string last_text;

/// Without the names of the structs of C++, whose members have the same names here.
std::string in_c(std::string text) {
  for (std::string_view const name : {"EwaldOptions::", "FmmOptions::"})
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at)) text.erase(at, name.size());
  return text;
}

int keep(Fault fault, char const* text) noexcept {
  try {
    last_text = in_c(text);
    last_error = last_text.c_str();
  } catch (...) {
    last_error = "there is not enough memory, not even for the text of the error";
  }
  return static_cast<int>(fault);
}

}  // namespace

int keep_current_exception() noexcept {
  try {
    throw;
  } catch (Error const& error) {
    return keep(error.fault(), error.what());
  } catch (std::bad_alloc const&) {
    return keep(Fault::no_resource,
                "there is not enough memory for a problem of this size; use fewer points or cells, "
                "a coarser tolerance, single precision, or a larger machine");
  } catch (std::length_error const&) {
    return keep(Fault::no_resource, "a problem of this size fits in no memory; use fewer points or cells");
  } catch (std::exception const& error) {
    return keep(Fault::bug, error.what());
  } catch (...) {
    return keep(Fault::bug, "something that is no std::exception was thrown");
  }
}

char const* kept_text(std::string const& text) {
  static std::mutex mutex;
  static auto& texts = *new std::set<std::string>;  // never destroyed: callers may look at its texts to the end
  std::lock_guard const lock(mutex);
  return texts.insert(text).first->c_str();
}

}  // namespace nearfar::c

extern "C" {

char const* nearfar_last_error(void) { return nearfar::c::last_error; }
}
