// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bindings/c/errors.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>

namespace nearfar::c {

/// Whether so many bytes are too few for any struct of any version: sizeof of a pointer, most likely.
inline bool is_of_pointer(std::size_t size) { return size <= sizeof(void*); }

/// Copies a struct into the caller's, which may be of an earlier version, and so shorter, or of a later one.
template <class Struct>
void give(Struct const& value, Struct* place, std::size_t size, char const* argument) {
  expect_place(place, argument);
  if (is_of_pointer(size))
    throw Error(Fault::bad_input, "the size of " + std::string(argument) + " is " + std::to_string(size) +
                                      " bytes, which is that of a pointer; pass sizeof of the struct");
  std::memcpy(static_cast<void*>(place), &value, std::min(size, sizeof(Struct)));
  if (size > sizeof(Struct)) std::memset(reinterpret_cast<char*>(place) + sizeof(Struct), 0, size - sizeof(Struct));
}

/// Fills options with defaults; their first member says how large the caller's struct is.
template <class Options>
void initialise(Options defaults, Options* options, std::size_t size) noexcept {
  if (options == nullptr || size < sizeof options->size) return;
  defaults.size = size;  // if that is the size of a pointer, those who read it refuse it
  std::memcpy(static_cast<void*>(options), &defaults, std::min(size, sizeof(Options)));
  if (size > sizeof(Options))
    std::memset(reinterpret_cast<char*>(options) + sizeof(Options), 0, size - sizeof(Options));
}

/// Options of a caller whose struct may be shorter than ours: the rest has its defaults. A longer one must be 0 in all
/// that we do not know.
template <class Options>
Options read(Options const* given, Options defaults, char const* init) {
  if (given == nullptr) return defaults;
  auto const size = given->size;
  if (size < sizeof given->size || size > 65536)
    throw Error(Fault::bad_input, "options say that they have " + std::to_string(size) +
                                      " bytes, so they were not initialised; call " + init +
                                      "(&options, sizeof options) before setting members");
  if (is_of_pointer(size))
    throw Error(Fault::bad_input, "options say that they have " + std::to_string(size) +
                                      " bytes, the size of a pointer, so no member of them counts; call " + init +
                                      " with sizeof of the struct");
  auto const* bytes = reinterpret_cast<char const*>(given);
  for (std::size_t i = sizeof(Options); i < size; ++i)
    if (bytes[i] != 0)
      throw Error(Fault::bad_input,
                  "options have a member that this version of the library, " + std::string(nearfar_version()) +
                      ", does not know; leave it 0, or use the library that the program was made for");
  std::memcpy(static_cast<void*>(&defaults), bytes, std::min(size, sizeof(Options)));
  defaults.size = sizeof(Options);
  return defaults;
}

/// An enumerator from its number, 0 to count - 1.
template <class Enum>
Enum enumerator(int value, int count, char const* member) {
  if (value < 0 || value >= count)
    throw Error(Fault::bad_input, std::string(member) + " is " + std::to_string(value) +
                                      ", which stands for nothing; use one of the constants 0 to " +
                                      std::to_string(count - 1) + " of nearfar.h");
  return static_cast<Enum>(value);
}

template <class Enum>
std::optional<Enum> enumerator_or_unset(int value, int count, char const* member) {
  if (value == NEARFAR_UNSET) return {};
  if (value < 0 || value >= count)
    throw Error(Fault::bad_input, std::string(member) + " is " + std::to_string(value) +
                                      ", which stands for nothing; use one of the constants 0 to " +
                                      std::to_string(count - 1) + " of nearfar.h, or NEARFAR_UNSET");
  return enumerator<Enum>(value, count, member);
}

/// Numbers that the plan chooses if they are 0.
inline std::optional<double> unless_zero(double value) { return value == 0 ? std::nullopt : std::optional(value); }
inline std::optional<int> unless_zero(int value) { return value == 0 ? std::nullopt : std::optional(value); }
inline std::optional<int> unless_unset(int value) {
  return value == NEARFAR_UNSET ? std::nullopt : std::optional(value);
}

template <class T, std::size_t N>
std::array<T, N> array(T const (&values)[N]) {
  return std::to_array(values);
}
template <class T, std::size_t N>
void copy(std::array<T, N> const& from, T (&to)[N]) {
  std::ranges::copy(from, to);
}

/// Whether plans for this precision are of doubles. Throws for what is neither.
inline bool is_double(int precision) {
  enum class Precision {};
  return enumerator<Precision>(precision, 2, "precision") == Precision{NEARFAR_DOUBLE};
}

}  // namespace nearfar::c
