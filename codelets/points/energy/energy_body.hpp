// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/either_precision.hpp"
#include "codelets/points/energy/energy.hpp"
#include "core/ewald/far_virial_operator.hpp"

#include <cmath>

namespace nearfar {

/// The buffers of an Energy task by name.
template <class T>
struct EnergyView {
  EnergyArgs args;
  PartViews<T> parts;
  EitherPrecision strength;  ///< of the chunk, as x
  T const* x;
  std::int64_t stride;
  double* out;

  EnergyView(Buffers const& b, EnergyArgs const& a)
      : args(a), parts(b, 0, a.components, a.first_row, a.single_last), x(b.get<T const>(2) + a.chunk.first),
        stride(b.size<T>(2) / 3), out(b.get<double>(3)) {
    strength = a.single_strengths ? EitherPrecision(b.get<float const>(1)) : EitherPrecision(b.get<T const>(1));
    strength = strength + a.chunk.first;
  }

  /// Adds what point i of the chunk adds.
  NEARFAR_FUNCTION void add(int i, double* sum) const {
    double const q = strength[i];
    sum[0] += q * double(parts.sum(i, 0));
    if (args.pairs)
      for (int m = 0; m < virial_size; ++m) sum[1 + m] += q * double(parts.part[0].at(i, args.components + m));
    for (int b = 0; b < args.free; ++b) {
      double const from_centre = double(x[b * stride + i]) - args.centre[b];
      for (int a = 0; a < 3; ++a)
        sum[1 + virial_size + 3 * a + b] += q * double(parts.sum(i, 1 + a, args.pairs ? 1 : 0)) * from_centre;
    }
  }
};

/// The sums of all chunks and of all groups of columns.
struct EnergySums {
  double of_points[energy_sums] = {}, of_modes[far_virial_size] = {};

  /// Writes energy and virial.
  NEARFAR_FUNCTION void write(EnergySumArgs const& args, StrengthUnit const& unit, double* out) const {
    int const exponent = unit.result[0] - unit.strength[0];
    out[0] = ldexp(of_points[0] / 2, exponent);
    double virial[3][3];  // by the caller's axes
    for (int m = 0; m < virial_size; ++m) {
      int const a = virial_axes(m).a, b = virial_axes(m).b, x = args.axes[a], y = args.axes[b];
      virial[x][y] = virial[y][x] = args.virial ? ldexp(component(m, args.free), exponent) : 0;
    }
    for (int m = 0; m < virial_size; ++m) out[1 + m] = virial[virial_axes(m).a][virial_axes(m).b];
  }

 private:
  /// Number m of the virial, by our axes, of which the first `free` do not repeat.
  NEARFAR_FUNCTION double component(int m, int free) const {
    int const a = virial_axes(m).a, b = virial_axes(m).b;
    double const pairs = of_points[1 + m] / 2;
    if (b < free) return pairs + (along(a, b) + along(b, a)) / 2;
    if (a < free) return pairs + along(b, a);
    return pairs + ((a == b ? of_modes[0] : 0) + of_modes[1 + m]) / 2;
  }
  /// The sum of F_a x_b.
  NEARFAR_FUNCTION double along(int a, int b) const { return -of_points[1 + virial_size + 3 * a + b]; }
};

}  // namespace nearfar
