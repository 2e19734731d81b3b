// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/oracle/oracle.hpp"

#include <cstddef>

namespace nearfar::oracle {

/// Points are handled in blocks of this many: the inner loops run over them, and a sum over one block is short enough
/// for plain double.
inline constexpr std::size_t lanes = 128;

struct alignas(64) Lanes {
  double value[lanes];
  double& operator[](std::size_t i) { return value[i]; }
  double operator[](std::size_t i) const { return value[i]; }
};

/// e^{i n 2 pi x / L} of one block of points in one direction, n = 0 ... order. Products in long double, so that each
/// value is rounded only once.
class Phases {
 public:
  explicit Phases(int order) : cosine_(order + 1), sine_(order + 1) {}

  /// x is read at points[first], points[first + 3], ...; phases beyond the end are 0.
  void set(std::span<double const> points, std::size_t first, double edge);

  Lanes const& cosine(int n) const { return cosine_[n]; }  ///< n >= 0
  Lanes const& sine(int n) const { return sine_[n]; }      ///< n >= 0

 private:
  std::vector<Lanes> cosine_, sine_;
};

/// The modes of half of k-space with |k| <= band, in rows (nx, ny), nx > 0 or nx = 0 and ny >= 0, of all
/// -last <= nz <= last. Row (0, 0) is whole; the others stand for their conjugates too.
struct Row {
  int nx;
  int ny;
  int last;           ///< largest nz
  std::size_t first;  ///< place of nz = 0 among all modes with nz >= 0
};

struct Modes {
  std::array<long double, 3> step;  ///< 2 pi / L
  std::array<int, 3> order;         ///< largest |n|
  std::vector<Row> rows;
  std::size_t count = 0;  ///< modes with nz >= 0
};
Modes make_modes(Box const& box, double band);

/// One block of points: phases in three directions and their product in a row.
class PhaseBlock {
 public:
  explicit PhaseBlock(Modes const& modes) : x_(modes.order[0]), y_(modes.order[1]), z(modes.order[2]) {}
  void set(Box const& box, std::span<double const> points, std::size_t first_point);
  void start_row(Row const& row);  ///< sets row_cosine, row_sine: e^{i (kx x + ky y)}

 private:
  Phases x_, y_;

 public:
  Phases z;
  Lanes row_cosine, row_sine;
};

}  // namespace nearfar::oracle
