// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/pairs/pair_functions.hpp"
#include "core/kernels/pairs/screened_functions.hpp"

#include <nearfar/error.hpp>

#include <string>
#include <string_view>

namespace nearfar {

/// The error for an unknown name of a pair function.
Error unknown_pair_function(std::string_view name, int dimensions);

namespace detail {

template <class First, class... Rest, class Visit>
auto visit_named(std::string_view name, int dimensions, Visit const& visit) {
  if (name == First::name && dimensions == First::dimensions) return visit(First{});
  if constexpr (sizeof...(Rest) > 0) return visit_named<Rest...>(name, dimensions, visit);
  else throw unknown_pair_function(name, dimensions);
}

}  // namespace detail

/// Calls visit(function) with the function of this name; throws Error{bad_input}
/// if there is none. The name of a fit ends with its error, as a power of ten.
template <class Visit>
auto visit_function(std::string_view name, int dimensions, Visit const& visit) {
  if (dimensions == 3) {
    if (name == "erfc") return visit(ErfcLibrary<3>{});
    if (name == "erfc-rational-6") return visit(ErfcRational<3>{1e-6});
    if (name == "erfc-rational-13") return visit(ErfcRational<3>{1e-13});
    if (name == "erfc-polynomial-6") return visit(ErfcPolynomial<3>{1e-6});
    if (name == "erfc-polynomial-13") return visit(ErfcPolynomial<3>{1e-13});
  }
  return detail::visit_named<InverseDistance<2>, InverseDistance<3>, InverseSquare<2>, InverseSquare<3>, Logarithm<2>,
                             Logarithm<3>, Exponential<2>, Exponential<3>, RankOne<2>, RankOne<3>, OseenTensor<2>,
                             OseenTensor<3>>(name, dimensions, visit);
}

}  // namespace nearfar
