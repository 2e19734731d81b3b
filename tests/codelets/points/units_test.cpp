// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/units/units.hpp"
#include "core/kernels/description/strength_unit.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/codelets/row_shapes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace nearfar;
using test::unit_shape;

namespace {

/// The largest strengths of rows begin .. end - 1, for each vector those of each group.
template <class T>
std::vector<double> largest(std::vector<T> rows, LargestArgs const& args) {
  std::vector<double> out(std::size_t(args.vectors * args.strengths.groups), -1);
  test::LocalBuffers buffers;
  buffers.access().add(rows).access().add(out);
  Largest<T>::portable(buffers.view(), args);
  return out;
}

template <class T>
void check_every_place(int strengths, int vectors) {
  constexpr int count = 5;
  int const row = strengths * vectors;
  for (int place = 0; place < count * row; ++place) {
    std::vector<T> rows(std::size_t(count * row), T(1));
    rows[std::size_t(place)] = T(-1e30);
    auto const found =
        largest(rows, {.strengths = unit_shape(strengths).strengths, .vectors = vectors, .begin = 0, .end = count});
    int const vector = place % row / strengths, group = unit_shape(strengths).strengths.group[place % strengths];
    for (int v = 0; v < vectors; ++v)
      for (int g = 0; g < unit_shape(strengths).strengths.groups; ++g)
        CHECK(found[std::size_t(v * unit_shape(strengths).strengths.groups + g)] ==
              (v == vector && g == group ? double(T(1e30)) : 1.0));
  }
}

}  // namespace

TEST_CASE("units: the largest strength is found wherever it is, the last one too") {
  for (int strengths : {1, 3, 6, 9})
    for (int vectors : {1, 2}) {
      CAPTURE(strengths);
      CAPTURE(vectors);
      check_every_place<double>(strengths, vectors);
      check_every_place<float>(strengths, vectors);
    }
}

TEST_CASE("units: only the rows of the range count, and what is not finite does not") {
  double const nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  std::vector<double> const rows{7, 2, nan, 3, -infinite, 4, 9};
  CHECK(largest(rows, {.strengths = unit_shape(1).strengths, .begin = 1, .end = 6}) == std::vector{4.0});
  CHECK(largest(rows, {.strengths = unit_shape(1).strengths, .begin = 2, .end = 3}) == std::vector{0.0});
}
