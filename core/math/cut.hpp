// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// Items in a row, cut into pieces that are as even as can be. With a halo there are three for each owner, all owners
/// alike: its first and its last have so many items, which is what its neighbours want of it, and may themselves be cut
/// into even parts, as the one between them. Items times pieces are less than 2^31.
struct Cut {
  int items = 1, pieces = 1;
  int halo = 0;
  int parts = 1;  ///< of each of the three; pieces are three times the owners times these

  NEARFAR_FUNCTION int first(int piece) const {
    if (halo == 0) return share(piece, items, pieces);
    int const begin = whole(piece / parts);
    return begin + share(piece % parts, piece == pieces ? 0 : whole(piece / parts + 1) - begin, parts);
  }
  NEARFAR_FUNCTION int size(int piece) const { return first(piece + 1) - first(piece); }
  NEARFAR_FUNCTION int of(int item) const {
    if (halo == 0) return share_of(item, items, pieces);
    int const owner = share_of(item, items, owners()), begin = share(owner, items, owners()),
              end = share(owner + 1, items, owners());
    int const which = 3 * owner + (item - begin < halo ? 0 : end - item <= halo ? 2 : 1);
    return which * parts + share_of(item - whole(which), whole(which + 1) - whole(which), parts);
  }

 private:
  NEARFAR_FUNCTION int owners() const { return pieces / (3 * parts); }
  /// The first item of one of the three of an owner.
  NEARFAR_FUNCTION int whole(int which) const {
    int const owner = which / 3, begin = share(owner, items, owners());
    if (which % 3 == 0) return begin;
    return which % 3 == 1 ? begin + halo : share(owner + 1, items, owners()) - halo;
  }
  NEARFAR_FUNCTION static int share(int number, int all, int shares) { return number * all / shares; }
  NEARFAR_FUNCTION static int share_of(int item, int all, int shares) { return ((item + 1) * shares - 1) / all; }
};

}  // namespace nearfar
