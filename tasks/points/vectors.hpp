// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description.hpp"
#include "tasks/points/planned_points.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace nearfar::detail {

/// The number of vectors in rows of so many strengths and results: that of the rank that gives most. All throw
/// Error{bad_input} for wrong lengths, and for several if a virial is wanted, which is of one. Collective.
template <class T>
int vectors_of(Ranks const& ranks, PlannedPoints<T> const& points, KernelDescription const& kernel, Outputs outputs,
               bool virial, std::size_t strengths, std::size_t results) {
  std::size_t const sources = points.source_parts().of(ranks.rank()), targets = points.target_parts().of(ranks.rank());
  int const mine = sources > 0 ? std::max(1, int(strengths / (sources * std::size_t(kernel.strengths)))) : 0;
  int const vectors = std::max(1, int(ranks.largest(std::uint64_t(mine))));
  ranks.together([&] {
    expect_rows("strengths", strengths, sources, vectors * kernel.strengths);
    expect_rows("result", results, targets, vectors * asked_results(kernel, outputs).numbers);
    if (virial && vectors > 1)
      throw Error(Fault::bad_input, "there are " + std::to_string(vectors) +
                                        " vectors of strengths, and the plan is to find a virial (which is of one). "
                                        "Submit one vector, or make the plan without virial");
  });
  return vectors;
}

/// One of several vectors in rows of `numbers` for each.
template <class T>
std::vector<T> one_vector(std::span<T const> rows, int numbers, int vector, int vectors) {
  std::size_t const each = std::size_t(numbers), row = each * std::size_t(vectors);
  std::vector<T> one;
  one.reserve(rows.size() / std::size_t(vectors));
  for (std::size_t i = std::size_t(vector) * each; i < rows.size(); i += row)
    one.insert(one.end(), rows.begin() + std::ptrdiff_t(i), rows.begin() + std::ptrdiff_t(i + each));
  return one;
}

}  // namespace nearfar::detail
