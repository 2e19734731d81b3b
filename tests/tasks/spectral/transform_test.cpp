// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tasks/spectral/even_grid.hpp"
#include "tests/tasks/spectral/solve_field.hpp"

#include <doctest/doctest.h>
#include <random>

using namespace nearfar;
using namespace nearfar::test;

namespace {

using Sizes = std::array<int, 3>;

/// Free axes are padded to what a kernel of any reach needs, or to one more.
SpectralLayout layout_of(Sizes const& size, int free, bool more) {
  Sizes transform = size;
  for (int d = 0; d < free; ++d) transform[std::size_t(d)] = 2 * size[std::size_t(d)] - (more ? 0 : 1);
  return plain_layout({1, 1.3, 0.7}, size, free, transform);
}

struct Convolution {
  SpectralLayout layout;
  EvenGrid kernel;
  std::vector<double> field, exact;

  Convolution(Sizes const& size, int free, bool more)
      : layout(layout_of(size, free, more)),
        kernel({layout.transform(0, 0), layout.transform(1, 0), layout.transform(2, 0)}) {
    std::mt19937 random(7);
    auto uniform = [&] { return double(random()) / 4294967296.0 - 0.5; };
    kernel.fill([&](int, int, int) { return uniform(); });
    int const points = size[0] * size[1] * size[2];
    auto at = [&](int i) { return Sizes{i / size[2] / size[1], i / size[2] % size[1], i % size[2]}; };
    for (int i = 0; i < points; ++i) field.push_back(uniform());
    for (int i = 0; i < points; ++i) {
      double sum = 0;
      for (int j = 0; j < points; ++j) {
        Sizes const a = at(i), b = at(j);
        sum += kernel.around(a[0] - b[0], a[1] - b[1], a[2] - b[2]) * field[std::size_t(j)];
      }
      exact.push_back(sum);
    }
  }

  template <class T>
  std::vector<T> solve(Runtime const& runtime, FieldCut const& cut) const {
    EvenGrid modes = kernel;
    modes.transform();
    auto const table = modes.table<T>(layout, 1.0 / (modes.size[0] * modes.size[1] * modes.size[2]));
    return solve_field(runtime, layout, cut, PotentialOperator<T>{}, table, std::vector<T>(field.begin(), field.end()));
  }
};

constexpr Sizes sizes[] = {{8, 6, 10}, {7, 5, 9}, {9, 4, 3}, {1, 3, 2}, {2, 1, 1}, {3, 18, 17}};

}  // namespace

TEST_CASE("a convolution with an even kernel is the direct sum, for every number of free directions and every cut") {
  Runtime const runtime;
  for (Sizes const& size : sizes)
    for (int free = 0; free <= 3; ++free)
      for (bool more : {false, true}) {
        if (more && free == 0) continue;
        CAPTURE(size[0]);
        CAPTURE(free);
        CAPTURE(more);
        Convolution const problem(size, free, more);
        for (FieldCut const& cut : cuts) CHECK(error_of(problem.solve<double>(runtime, cut), problem.exact) < 1e-14);
        CHECK(error_of(problem.solve<float>(runtime, cuts[1]), problem.exact) < 1e-6);
      }
}

TEST_CASE("room behind rows and columns does not matter, and ghosts are what the plane repeats") {
  Runtime const runtime;
  for (int free = 0; free <= 3; ++free) {
    Convolution problem({5, 6, 7}, free, true);
    auto const plain = problem.solve<double>(runtime, cuts[1]);
    problem.layout.rows += 4;
    problem.layout.row_length += 9;
    problem.layout.ghosts = 3;
    CHECK(error_of(problem.solve<double>(runtime, cuts[1]), problem.exact) < 1e-14);
    CHECK(error_of(plain, problem.exact) < 1e-14);
  }
}

TEST_CASE("the same bits for any number of workers and any cut") {
  std::vector<double> first;
  for (int workers : {1, 2}) {
    Runtime const runtime{{.cpus = workers}};
    Convolution const problem({9, 10, 11}, 1, true);
    for (FieldCut const& cut : cuts) {
      auto const result = problem.solve<double>(runtime, cut);
      if (first.empty()) first = result;
      CHECK(result == first);
    }
  }
}
