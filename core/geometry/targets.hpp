// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// Which points the sums are wanted at.
enum class Targets {
  own,     ///< points of their own
  sources  ///< the sources themselves, so that no targets are given
};

}  // namespace nearfar
