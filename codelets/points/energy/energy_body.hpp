// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/images/images_body.hpp"
#include "codelets/points/either_precision.hpp"
#include "codelets/points/energy/energy.hpp"
#include "core/ewald/far/far_virial_operator.hpp"

#include <cmath>

namespace nearfar {

/// The buffers of an Energy task by name.
template <class T>
struct EnergyView {
  EnergyArgs args;
  PartViews<T> parts;
  EitherPrecision strength;  ///< of the chunk, as x
  T const *x, *near_x;
  std::int64_t stride;
  double* out;

  EnergyView(Buffers const& b, EnergyArgs const& a)
      : args(a), parts(b, 0, a.components, a.first_row, a.single_last), x(b.get<T const>(2) + a.chunk.first),
        near_x(b.get<T const>(3) + a.chunk.first), stride(b.size<T>(2) / 3), out(b.get<double>(4)) {
    strength = a.single_strengths ? EitherPrecision(b.get<float const>(1)) : EitherPrecision(b.get<T const>(1));
    strength = strength + a.chunk.first;
  }

  /// Adds what point i of the chunk adds.
  NEARFAR_FUNCTION void add(int i, double* sum) const {
    EnergyStrengths const& at = args.at;
    bool const moments = at.moment >= 0;
    double of_point[most_strengths] = {}, result[most_results] = {};  // each number is read once
    for (int c = 0; c < most_strengths; ++c)
      if (c == at.charge || (moments && c >= at.moment && c < at.moment + 3)) of_point[c] = strength[c * stride + i];
    auto const read = [&](bool forces, auto const& value) {
      int const count = forces ? (moments ? most_results : second_slopes_at) : moments ? second_slopes_at : slopes_at;
      for (int m = 0; m < most_results; ++m)
        if (m < count) result[m] = double(value(m));
    };
    read(args.shifted, [&](int m) { return parts.sum(i, m); });
    if (args.shifted) return add_shifted(result, of_point, sum);
    if (at.charge >= 0) sum[EnergyTerms::energy] += of_point[at.charge] * result[0];
    for (int b = 0; b < 3 && moments; ++b) sum[EnergyTerms::energy] += of_point[at.moment + b] * result[slopes_at + b];
    if (!args.virial) return;
    if (args.near) {
      read(true, [&](int m) { return parts.part[0].at(i, m); });
      add_part(result, of_point, near_x + i, sum + EnergyTerms::near_forces, sum + EnergyTerms::near_torques);
    }
    read(true, [&](int m) { return parts.sum(i, m, args.near ? 1 : 0); });
    add_part(result, of_point, x + i, sum + EnergyTerms::far_forces, sum + EnergyTerms::far_torques);
  }

 private:
  static constexpr int most_strengths = 4, most_results = 10;  ///< of charges with dipoles, with the Hessian

  NEARFAR_FUNCTION double force(int a, double const* result, double const* of_point) const {
    return force_along<double>(
        args.at, a, [&](int c) { return of_point[c]; }, [&](int m) { return result[m]; });
  }
  NEARFAR_FUNCTION void add_shifted(double const* result, double const* of_point, double* sum) const {
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        sum[EnergyTerms::far_forces + 3 * a + b] += force(a, result, of_point) * args.shift[b];
  }
  NEARFAR_FUNCTION void add_part(double const* result, double const* of_point, T const* at, double* forces,
                                 double* torques) const {
    double place[3];
    for (int b = 0; b < 3; ++b) place[b] = double(at[b * stride]) - args.centre[b];
    for (int a = 0; a < 3; ++a) {
      double const along = force(a, result, of_point);
      for (int b = 0; b < 3; ++b) {
        forces[3 * a + b] += along * place[b];
        if (args.at.moment >= 0) torques[3 * a + b] += result[slopes_at + a] * of_point[args.at.moment + b];
      }
    }
  }
};

/// The sums of all chunks, of their images, and of all groups of columns.
struct EnergySums {
  double of_points[energy_sums] = {}, of_images[image_sums] = {}, of_modes[far_virial_size] = {};

  /// Writes energy and virial.
  NEARFAR_FUNCTION void write(EnergySumArgs const& args, StrengthUnit const& unit, double* out) const {
    int const exponent = unit.result[args.moments ? 1 : 0] - unit.strength[0];
    out[0] = ldexp(of_points[EnergyTerms::energy] / 2, exponent);
    double virial[3][3];  // by the caller's axes
    for (int m = 0; m < virial_size; ++m) {
      int const a = virial_axes(m).a, b = virial_axes(m).b, x = args.axes[a], y = args.axes[b];
      virial[x][y] = virial[y][x] = args.virial ? ldexp(component(m, args.free), exponent) : 0;
    }
    for (int m = 0; m < virial_size; ++m) out[1 + m] = virial[virial_axes(m).a][virial_axes(m).b];
  }

 private:
  /// Number m of the virial, by our axes, of which the first `free` do not repeat: by symmetric strains, of dipoles
  /// that keep their directions.
  NEARFAR_FUNCTION double component(int m, int free) const {
    int const a = virial_axes(m).a, b = virial_axes(m).b;
    if (b < free) return (free_component(a, b) + free_component(b, a)) / 2;
    // A rotation of points, cell and dipoles changes nothing, and so the torques make the difference of ab and ba.
    if (a < free) return free_component(b, a) + (torque(a, b) - torque(b, a)) / 2;
    double const modes = ((a == b ? of_modes[0] : 0) + of_modes[1 + m]) / 2;
    return (periodic_component(a, b) + periodic_component(b, a)) / 2 + modes;
  }
  /// The sum of F_a x_b.
  NEARFAR_FUNCTION double free_component(int a, int b) const {
    return of_points[EnergyTerms::near_forces + 3 * a + b] + of_points[EnergyTerms::far_forces + 3 * a + b];
  }
  /// The sum of F_a r_b over pairs within the cutoff, and what of the modes depends on the direction of dipoles.
  NEARFAR_FUNCTION double periodic_component(int a, int b) const {
    return of_points[EnergyTerms::near_forces + 3 * a + b] - of_images[3 * a + b] +
           of_points[EnergyTerms::far_torques + 3 * a + b];
  }
  NEARFAR_FUNCTION double torque(int a, int b) const {
    return of_points[EnergyTerms::near_torques + 3 * a + b] + of_points[EnergyTerms::far_torques + 3 * a + b];
  }
};

}  // namespace nearfar
