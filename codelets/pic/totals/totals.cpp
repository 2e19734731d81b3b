// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/totals/totals.hpp"

#include "codelets/pic/totals/totals_team.hpp"
#include "core/math/reject.hpp"

#include <nearfar/error.hpp>
#include <nearfar/pic.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace nearfar {

namespace {

/// Pairwise summation: rounding errors grow only with the logarithm of the count.
template <class T>
double pairwise_sum(T const* values, std::int64_t count) {
  if (count <= 64) {
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += double(values[i]);
    return sum;
  }
  return pairwise_sum(values, count / 2) + pairwise_sum(values + count / 2, count - count / 2);
}

}  // namespace

Error bad_total(TallyArgs const& args, int number, double value) {
  constexpr char const* names[] = {"charge on the grid", "kinetic energy", "energy in their own field",
                                   "energy in the external field", "momentum"};
  return Error(Fault::bad_input,
               in_words("the ", names[std::min(number, 4)], " of the particles is ", value, " at time ", args.time,
                        " (products in it are beyond double precision, which ends at 1.8e308); take "
                        "other units"));
}

template <class T>
void Measure<T>::portable(Buffers const& b, Args const& args) {
  PicGrid const& grid = args.grid;
  T const* const phase = b.get<T const>(0);
  T const* const charge = b.get<T const>(1);
  std::int64_t const count = b.size<T>(1);
  double* const sums = b.get<double>(3);
  int const axis = grid.axes[0];
  std::fill(sums, sums + pic_sums, 0.0);
  for (std::int64_t i = 0; i < count; ++i) {
    auto const x = cloud_at(grid.cells, axis, phase[axis * count + i]);
    measure_particle(grid, args.motion, phase, count, double(charge[i]), i, FieldPlane<T>(b, 2, grid.layout, x.low),
                     FieldPlane<T>(b, 2, grid.layout, x.high), sums);
  }
}

template <class T>
void Tally<T>::portable(Buffers const& b, Args const& args) {
  double sums[pic_sums] = {}, charge = 0;
  for (int block = 0; block < b.count(0); ++block)
    for (int i = 0; i < pic_sums; ++i) sums[i] += b.get<double const>(0, block)[i];
  for (int slab = 0; slab < b.count(1); ++slab) charge += pairwise_sum(b.get<T const>(1, slab), b.size<T>(1, slab));
  PicTotals& totals = *b.get<PicTotals>(2);
  totals = {.time = args.time,
            .charge = charge * args.cell_volume,
            .kinetic = sums[int(PicSum::kinetic)],
            .field = sums[int(PicSum::field)],
            .external = sums[int(PicSum::external)]};
  for (int d = 0; d < 3; ++d) totals.momentum[std::size_t(d)] = sums[int(PicSum::momentum) + d];
  if (!std::isfinite(totals.charge)) throw bad_total(args, 0, totals.charge);
  for (int m = 0; m < pic_sums; ++m)
    if (!std::isfinite(sums[m])) throw bad_total(args, 1 + m, sums[m]);
}

template struct Measure<double>;
template struct Measure<float>;
template struct Tally<double>;
template struct Tally<float>;

}  // namespace nearfar
