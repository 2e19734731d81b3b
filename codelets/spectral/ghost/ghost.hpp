// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/spectral/fft/fft.hpp"

#include <cstdint>

namespace nearfar {

/// Some planes of a slab, those that windows of another GPU's targets reach: one or two runs of them.
struct GhostArgs {
  std::int64_t plane = 0;  ///< numbers of a plane
  int planes = 0;          ///< of the slab
  int components = 1;
  int first[2] = {0, 0}, count[2] = {0, 0};  ///< of each run, in the slab

  NEARFAR_FUNCTION int packed() const { return count[0] + count[1]; }
  NEARFAR_FUNCTION std::int64_t numbers() const { return plane * packed() * components; }
  /// Where number i of the packed planes, [component][plane], is in the slab.
  NEARFAR_FUNCTION std::int64_t in_slab(std::int64_t i) const {
    std::int64_t const number = i / plane;
    int const p = int(number % packed()), component = int(number / packed()),
              of_slab = p < count[0] ? first[0] + p : first[1] + p - count[0];
    return (std::int64_t(component) * planes + of_slab) * plane + i % plane;
  }
};

/// Packs planes, so that nothing else of the slab goes to another GPU. Ends the transposes there, and so is the same
/// stage in traces and tables.
template <class T>
struct PackPlanes {
  using Args = GhostArgs;
  using Accesses = AccessList<Read,    // slab
                              Write>;  // planes
  static constexpr char const* name = Ifft<T>::name;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// Puts them where G2P finds them. The rest of that slab stays undefined.
template <class T>
struct PutPlanes {
  using Args = GhostArgs;
  using Accesses = AccessList<Read,    // planes
                              Write>;  // a slab, of which nothing else is read
  static constexpr char const* name = Ifft<T>::name;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
