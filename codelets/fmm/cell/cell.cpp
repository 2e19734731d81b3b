// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/cell/cell.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/fmm/cell/cell_body.hpp"
#include "core/kernels/description/strength_unit.hpp"
#include "core/kernels/laplace.hpp"
#include "core/math/power_of_two.hpp"

#include <cmath>
#include <cstdlib>
#include <sstream>

namespace nearfar {

namespace {

/// Number of points of a block: where its last leaf ends.
int points_of(Buffers const& b, int leaves) {
  return b.get<std::int32_t const>(leaves)[b.size<std::int32_t>(leaves) - 1];
}

}  // namespace

template <class T>
void CellMoment<T>::portable(Buffers const& b, Args const& args) {
  int const points = points_of(b, 0);
  auto const* x = b.get<T const>(1);
  auto const* strength = b.get<T const>(2);
  std::int64_t const stride = b.size<T>(1) / 3;
  auto* out = b.get<double>(3);
  for (int v = 0; v < args.vectors; ++v) {
    double m[cell_moments] = {};
    T const* const of_vector = strength + v * (args.charges + args.dipoles) * stride;
    for (int i = 0; i < points; ++i) add_cell_moments(args, x, of_vector, stride, i, m);
    for (int k = 0; k < cell_moments; ++k) out[v * cell_moments + k] = m[k];
  }
}

void CellSum::portable(Buffers const& b, Args const& args) {
  auto* out = b.get<double>(2);
  int const size = cell_moments * args.vectors;
  for (int k = 0; k < size; ++k) {
    out[k] = 0;
    for (int i = 0; i < b.count(0); ++i) out[k] += b.get<double const>(0, i)[k];
  }
  for (int v = 0; args.neutral && v < args.vectors; ++v) {
    double const charge = out[v * cell_moments], size_of_all = out[v * cell_moments + 5];
    if (std::fabs(charge) <= args.rounding * size_of_all) continue;
    throw not_neutral(charge, -b.get<StrengthUnit const>(1)[v].strength[0]);
  }
}

Error not_neutral(double charge, int exponent) {
  std::ostringstream text;
  text << "the charges of the cell add up to " << PowerOfTwo<double>(exponent)(charge)
       << " (in vacuum, the sum over images of a charged cell is infinite); make them neutral, or take the boundary "
          "tin-foil, which adds a neutralising background";
  return Error(Fault::bad_input, text.str());
}

template <class T, int G>
char const* CellField<T, G>::symbol() {
  static std::string const s = std::string("nearfar_cell") +
                               (G == 0   ? ""
                                : G == 1 ? "_gradient"
                                         : "_hessian") +
                               precision_suffix<T>();
  return s.c_str();
}

template <class T, int G>
void CellField<T, G>::portable(Buffers const& b, Args const& args) {
  auto const* moments = b.get<double const>(0);
  int const points = points_of(b, 1);
  auto const* x = b.get<T const>(2);
  std::int64_t const stride = b.size<T>(2) / 3;
  auto* out = b.get<T>(3);
  constexpr int results = LaplaceSums::Evaluation<G>::results;
  for (int v = 0; v < args.vectors; ++v) {
    BoundaryTerms const terms = cell_terms(moments + v * cell_moments, args);
    portable_for(points, [&](int i) { put_cell_field<G>(terms, x, stride, i, out + v * results * stride); });
  }
}

template struct CellMoment<double>;
template struct CellMoment<float>;
template struct CellField<double, 0>;
template struct CellField<double, 1>;
template struct CellField<double, 2>;
template struct CellField<float, 0>;
template struct CellField<float, 1>;
template struct CellField<float, 2>;

}  // namespace nearfar
