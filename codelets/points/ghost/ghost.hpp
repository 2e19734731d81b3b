// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/points/bin/bin.hpp"
#include "codelets/spectral/fft/fft.hpp"

#include <cstdint>

namespace nearfar {

/// Some rows of an array [component][row][number], one or two runs of them: what another GPU reads of planes of a slab,
/// or of the points of a block.
struct GhostArgs {
  std::int64_t row = 0;  ///< numbers of a row
  int rows = 0;          ///< of the array
  int components = 1;
  int first[2] = {0, 0}, count[2] = {0, 0};  ///< of each run, in rows

  NEARFAR_FUNCTION int packed() const { return count[0] + count[1]; }
  NEARFAR_FUNCTION std::int64_t numbers() const { return row * packed() * components; }
  NEARFAR_FUNCTION std::int64_t whole() const { return row * rows * components; }
  /// Where number i of the packed rows, [component][row][number], is in the array.
  NEARFAR_FUNCTION std::int64_t in_array(std::int64_t i) const {
    std::int64_t const number = i / row;
    int const r = int(number % packed()), component = int(number / packed()),
              of_array = r < count[0] ? first[0] + r : first[1] + r - count[0];
    return (std::int64_t(component) * rows + of_array) * row + i % row;
  }
};

/// Packs rows of what stage S made, so that nothing else of it goes to another GPU. The end of S there, and so the same
/// stage in traces and tables.
template <class T, class S>
struct PackRows {
  using Args = GhostArgs;
  using Accesses = AccessList<Read,    // array
                              Write>;  // rows
  static constexpr char const* name = S::name;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// Puts them where they are read. The rest of that array stays undefined.
template <class T, class S>
struct PutRows {
  using Args = GhostArgs;
  using Accesses = AccessList<Read,    // rows
                              Write>;  // an array, of which nothing else is read
  static constexpr char const* name = S::name;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// The stages of which rows are packed.
#define NEARFAR_EACH_GHOST(INSTANTIATE) \
  INSTANTIATE(double, Ifft<double>)     \
  INSTANTIATE(float, Ifft<float>)       \
  INSTANTIATE(double, Bin<double>)      \
  INSTANTIATE(float, Bin<float>)

}  // namespace nearfar
