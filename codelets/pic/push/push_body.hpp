// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/push/push.hpp"

#include <nearfar/error.hpp>

namespace nearfar {

/// A particle of a block, read from its arrays.
template <class T>
struct Particle {
  T x[3], v[3], field[3];

  NEARFAR_FUNCTION Particle(T const* phase, T const* fields, std::int64_t count, std::int64_t i) {
    for (int d = 0; d < 3; ++d) {
      x[d] = phase[d * count + i];
      v[d] = phase[(3 + d) * count + i];
      field[d] = fields[d * count + i];
    }
  }
};

/// Where a particle would have gone that moves too far.
struct LostParticle {
  std::int64_t particle;  ///< of the block
  int axis;
  double x, v;
};

/// The particles of a block, one at a time, in any order.
template <class T>
struct PushBody {
  Mover<T> mover;
  T const* field;
  T* phase;
  std::int64_t count;

  /// False for one that moves too far. It stays where it was, so
  /// that tasks already submitted find all particles in the box.
  NEARFAR_FUNCTION bool push(std::int64_t i) const {
    Particle<T> p(phase, field, count, i);
    bool const inside = mover.push(p.field, p.x, p.v);
    for (int d = 0; d < 3; ++d) {
      phase[d * count + i] = inside ? p.x[d] : phase[d * count + i];
      phase[(3 + d) * count + i] = inside ? p.v[d] : phase[(3 + d) * count + i];
    }
    return inside;
  }

  NEARFAR_FUNCTION void kick(std::int64_t i) const {
    Particle<T> p(phase, field, count, i);
    mover.kick(p.field, p.x, p.v);
    for (int d = 0; d < 3; ++d) phase[(3 + d) * count + i] = p.v[d];
  }

  NEARFAR_FUNCTION LostParticle lost(Motion const& motion, std::int64_t i) const {
    Particle<T> p(phase, field, count, i);
    mover.accelerate(p.x, p.field, p.v);
    mover.rotate(p.v);
    mover.drift(p.x, p.v);
    int d = 2;
    for (int e = 1; e >= 0; --e)
      if (double const edge = motion.edge[e]; !(p.x[e] > -edge && p.x[e] < 2 * edge)) d = e;
    return {i, d, double(p.x[d]), double(p.v[d])};
  }
};

/// The error of Push for a particle that moves too far.
Error too_far(PushArgs const& args, LostParticle const& lost);

/// The error of steps that follow a failed one.
Error not_at_step(std::int64_t step);

}  // namespace nearfar
