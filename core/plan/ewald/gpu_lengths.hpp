// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

namespace nearfar {

/// How long a GPU takes for real transforms of planes with sides of so many points.
struct PlaneLength {
  int length;
  double picoseconds;  ///< per grid point, forth and back
};

/// One H200, double precision, cubic grids (`nearfar_gpu_tables --only lengths`). Times in single precision have the
/// same minima.
inline constexpr PlaneLength plane_lengths[] = {
    {96, 66.5},  {98, 91.7},  {100, 54.6}, {108, 49.7}, {112, 45.2}, {120, 46.1}, {126, 45.2}, {128, 40.6}, {140, 43.8},
    {144, 27.4}, {150, 38.6}, {160, 33.3}, {162, 47.0}, {168, 40.3}, {180, 39.5}, {192, 27.0}, {196, 43.0}, {200, 36.6},
    {210, 32.8}, {216, 24.7}, {224, 36.3}, {240, 35.5}, {250, 31.4}, {252, 29.7}, {256, 24.1}, {270, 27.6}, {280, 37.3},
    {288, 28.1}, {294, 52.7}, {300, 35.2}, {320, 30.3}, {324, 27.9}, {336, 36.5}, {350, 34.3}, {360, 28.5}, {378, 26.9},
    {384, 30.3}, {392, 30.9}, {400, 40.4}, {420, 34.3}, {432, 31.0}, {448, 31.5}, {450, 27.1}, {480, 35.4}, {486, 43.9},
    {490, 30.4}, {500, 41.9}, {504, 24.1}, {512, 21.1}};

/// Time of transforms of this length on a GPU by what a smooth law would say, which cuFFT does not obey: 0.5 for 512
/// points, 1.5 for 294. 1 for lengths that were not measured.
inline double gpu_length_cost(int length) {
  constexpr double per_octave = 4.3;  // picoseconds: the law at 210 to 240 points
  for (PlaneLength const& measured : plane_lengths)
    if (measured.length == length) return measured.picoseconds / (per_octave * std::log2(length));
  return 1;
}

}  // namespace nearfar
