// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// How particles move, by the caller's axes. Plain data that travels inside task arguments.
struct Motion {
  double step = 0;  ///< of time
  double charge_per_mass = 1;
  double electric[3] = {}, gradient[3] = {}, centre[3] = {}, magnetic[3] = {};
  double edge[3] = {1, 1, 1};
  bool periodic[3] = {};
};

/// Acceleration of a unit charge in the external electric field; 0 at its centre.
NEARFAR_FUNCTION double external_potential(Motion const& m, double const* x) {
  double sum = 0;
  for (int d = 0; d < 3; ++d) {
    double const from = x[d] - m.centre[d];
    sum -= from * (m.electric[d] + m.gradient[d] * from / 2);
  }
  return sum;
}

/// Moves particles one at a time; what they have in common is computed
/// once. Without branches, so that compilers vectorise over particles.
template <class T>
class Mover {
 public:
  NEARFAR_FUNCTION explicit Mover(Motion const& m) : step_(T(m.step)), half_(T(m.step * m.charge_per_mass / 2)) {
    double squared = 0;
    for (int d = 0; d < 3; ++d) {
      offset_[d] = T(m.electric[d] - m.gradient[d] * m.centre[d]);
      gradient_[d] = T(m.gradient[d]);
      double const t = m.step * m.charge_per_mass / 4 * m.magnetic[d];
      turn_[d] = T(t);
      squared += t * t;
      edge_[d] = T(m.edge[d]);
      way_[d] = m.periodic[d] ? T(1) : T(-1);
      from_below_[d] = m.periodic[d] ? edge_[d] : T(0);
      from_above_[d] = m.periodic[d] ? -edge_[d] : 2 * edge_[d];
    }
    twice_ = T(2 / (1 + squared));
  }

  /// Half a step in the electric fields, that of the particles and the external one.
  NEARFAR_FUNCTION void accelerate(T const* x, T const* own, T* v) const {
    for (int d = 0; d < 3; ++d) v[d] += half_ * (own[d] + (offset_[d] + gradient_[d] * x[d]));
  }

  /// Half a step in the magnetic field: a Boris rotation, which keeps |v|.
  NEARFAR_FUNCTION void rotate(T* v) const {
    T const once[3] = {v[0] + v[1] * turn_[2] - v[2] * turn_[1], v[1] + v[2] * turn_[0] - v[0] * turn_[2],
                       v[2] + v[0] * turn_[1] - v[1] * turn_[0]};
    v[0] += twice_ * (once[1] * turn_[2] - once[2] * turn_[1]);
    v[1] += twice_ * (once[2] * turn_[0] - once[0] * turn_[2]);
    v[2] += twice_ * (once[0] * turn_[1] - once[1] * turn_[0]);
  }

  NEARFAR_FUNCTION void drift(T* x, T const* v) const {
    for (int d = 0; d < 3; ++d) x[d] += step_ * v[d];
  }

  /// Returns a particle that left the box: on the opposite side, or reflected. False
  /// if it went farther than the box is wide, or its position is not a number.
  NEARFAR_FUNCTION bool keep_inside(T* x, T* v) const {
    bool inside = true;
    for (int d = 0; d < 3; ++d) {
      bool const below = x[d]<0, above = x[d]> edge_[d];
      T const way = (below | above) ? way_[d] : T(1);
      x[d] = way * x[d] + (below ? from_below_[d] : above ? from_above_[d] : T(0));
      v[d] *= way;
      inside = inside & (x[d] >= 0) & (x[d] <= edge_[d]);  // false for NaN too
    }
    return inside;
  }

  /// From velocities and field at one time to velocities half a step later and positions a whole step later.
  NEARFAR_FUNCTION bool push(T const* own, T* x, T* v) const {
    accelerate(x, own, v);
    rotate(v);
    drift(x, v);
    return keep_inside(x, v);
  }

  /// The other half of the acceleration, with the field at the new positions.
  NEARFAR_FUNCTION void kick(T const* own, T const* x, T* v) const {
    rotate(v);
    accelerate(x, own, v);
  }

 private:
  T step_, half_, twice_;
  T offset_[3], gradient_[3], turn_[3], edge_[3];
  T way_[3];                         ///< of velocities at a face: 1 to go on, -1 to turn back
  T from_below_[3], from_above_[3];  ///< added to the position
};

}  // namespace nearfar
