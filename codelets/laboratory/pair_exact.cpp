// SPDX-License-Identifier: BSD-3-Clause
// The pair functions there are, and the reference sums by which all implementations are judged: free of Kokkos.
#include "codelets/laboratory/pair_set.hpp"
#include "codelets/laboratory/visit_function.hpp"

#include <nearfar/laboratory.hpp>

namespace nearfar {

std::vector<std::string> pair_functions(int dimensions) {
  std::vector<std::string> names{InverseDistance<2>::name, InverseSquare<2>::name, Logarithm<2>::name,
                                 Exponential<2>::name,     RankOne<2>::name,       OseenTensor<2>::name};
  if (dimensions == 3)
    names.insert(names.end(),
                 {"erfc", "erfc-rational-6", "erfc-rational-13", "erfc-polynomial-6", "erfc-polynomial-13"});
  return names;
}

Error unknown_pair_function(std::string_view name, int dimensions) {
  std::string known;
  for (auto const& function : pair_functions(dimensions)) known += (known.empty() ? "" : ", ") + function;
  return Error(Fault::bad_input, "the pair function '" + std::string(name) + "' in " + std::to_string(dimensions) +
                                     " dimensions is not there; take one of " + known + ", and 2 or 3 dimensions");
}

PairShape pair_shape(std::string_view function, int dimensions) {
  return visit_function(function, dimensions, []<class F>(F const&) {
    return PairShape{F::strengths, F::results, 3.0 * F::dimensions - 1 + 8 + F::flops};
  });
}

std::vector<double> exact_pairs(std::string_view function, int dimensions, std::span<double const> positions,
                                std::span<double const> strengths, std::size_t number) {
  return visit_function(function, dimensions, [&]<class F>(F const& f) {
    auto const count = std::int64_t(positions.size()) / dimensions;
    if (std::int64_t(strengths.size()) != count * F::strengths || std::int64_t(number) >= count)
      throw Error(Fault::bad_input, "point " + std::to_string(number) + " of " + std::to_string(count) + " with " +
                                        std::to_string(strengths.size()) +
                                        " strengths was asked for; numbers and lengths must agree");
    long double x[F::dimensions];
    load_row<F::dimensions>(positions.data(), count, std::int64_t(number), x);
    PairSums<F, long double> sums;
    for (std::int64_t j = 0; j < count; ++j) {
      long double y[F::dimensions], q[F::strengths];
      load_row<F::dimensions>(positions.data(), count, j, y);
      load_row<F::strengths>(strengths.data(), count, j, q);
      if constexpr (requires { typename F::Exact; }) sums.add(typename F::Exact{}, x, y, q);
      else sums.add(f, x, y, q);
    }
    std::vector<double> result;
    for (auto const sum : sums.at) result.push_back(double(sum));
    return result;
  });
}

}  // namespace nearfar
