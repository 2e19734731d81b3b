// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// A row of items cut into pieces as even as possible. With a halo, each owner has three pieces, the same
/// for all owners: the first and the last have `halo` items each, which are those that its neighbours
/// read, and all three may be cut into further even parts. Items times pieces must be below 2^31.
struct Cut {
  int items = 1, pieces = 1;
  int halo = 0;
  int parts = 1;  ///< that each of the three pieces is cut into; there are 3 x owners x parts pieces

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
  /// The first item of one of an owner's three pieces.
  NEARFAR_FUNCTION int whole(int which) const {
    int const owner = which / 3, begin = share(owner, items, owners());
    if (which % 3 == 0) return begin;
    return which % 3 == 1 ? begin + halo : share(owner + 1, items, owners()) - halo;
  }
  // GPUs take some thirty instructions for a division, and most directions are in one piece.
  NEARFAR_FUNCTION static int share(int number, int all, int shares) {
    return shares == 1 ? number * all : number * all / shares;
  }
  NEARFAR_FUNCTION static int share_of(int item, int all, int shares) {
    return shares == 1 ? 0 : ((item + 1) * shares - 1) / all;
  }
};

}  // namespace nearfar
