// SPDX-License-Identifier: BSD-3-Clause
// Rows longer than the arrays of a body end the program, where they would overflow its stack.
#include "codelets/near/reduce/reduce.hpp"
#include "codelets/points/bin/bin.hpp"
#include "codelets/points/units/units.hpp"
#include "core/kernels/description/strength_unit.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/core/math/ending.hpp"

#include <vector>

using namespace nearfar;

namespace {

/// A block without points, whose sources have so many strengths.
Ending bin_of(int strengths) {
  return ending_of([=] {
    std::vector<double> rows, positions(8), out(8 * std::size_t(strengths));
    std::vector<StrengthUnit> units(1);
    std::vector<std::uint32_t> index;
    std::vector<std::int32_t> offset{0, 0};
    test::LocalBuffers buffers;
    buffers.access().add(rows).add(units).access().add(index).access().add(offset).access().add(positions);
    buffers.access().add(out).access();
    BinArgs args;
    args.components = args.strengths.numbers = strengths;
    Bin<double>::portable(buffers.view(), args);
  });
}

}  // namespace

TEST_CASE("doors: more strengths than any kernel has") {
  CHECK(bin_of(max_strengths).signal == 0);
  expect_refused(bin_of(max_strengths + 1), "strengths <= max_strengths");
  expect_refused(ending_of([] {
                   std::vector<double> rows(2 * (max_strengths + 1)), out(1);
                   LargestArgs args;
                   args.strengths.numbers = max_strengths + 1;
                   args.end = 2;
                   test::LocalBuffers buffers;
                   buffers.access().add(rows).access().add(out);
                   Largest<double>::portable(buffers.view(), args);
                 }),
                 "found");
}

TEST_CASE("doors: more mutual contributions than a task's arguments have room for") {
  auto const reduce = [](int contributions) {
    return ending_of([=] {
      std::vector<std::int32_t> offset{0, 0};
      std::vector<double> near(1), found(1);
      test::LocalBuffers buffers;
      buffers.access().add(offset).access();
      for (int i = 0; i < contributions; ++i) buffers.add(found);
      buffers.access().add(near);
      Reduce<double>::portable(buffers.view(), {});
    });
  };
  CHECK(reduce(0).signal == 0);
  expect_refused(reduce(max_contributions + 1), "b.count(1) <= max_contributions");
}
