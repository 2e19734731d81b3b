// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/split/near_kernel.hpp"

#include "core/ewald/split/profile.hpp"
#include "core/math/expects.hpp"
#include "core/math/interpolant.hpp"
#include "core/math/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace nearfar {

namespace {

/// p / rc = Phi / r.
long double phi_over_r(Profile const& profile, long double r) {
  return r > 0 ? profile.value(r) / r : profile.first(0);
}

/// (Phi / r - Phi') / r^2 = -int_0^1 u^2 (Phi''(y) / y) du at y = u r: the difference itself cancels near r = 0.
long double second_layer(Profile const& profile, long double r) {
  constexpr double hardly_cancels = 0.1;  // of the cutoff: two of 19 digits are lost there
  if (r > hardly_cancels * profile.cutoff()) return (phi_over_r(profile, r) - profile.first(r)) / (r * r);
  static GaussLegendre const rule(48);
  return -rule.integrate([&](long double u) { return u * u * profile.second_over_r(u * r); });
}

long double value_of(Profile const& profile, Radial function, long double r) {
  switch (function) {
    case Radial::potential: return phi_over_r(profile, r);
    case Radial::stokes: return phi_over_r(profile, r) + profile.first(r);
    case Radial::slope: return second_layer(profile, r);
    case Radial::curvature: return -profile.second_over_r(r);
    case Radial::bend: return -profile.third_over_r(r);
  }
  unreachable("radial function", int(function));
}

/// The same for the far part of e^(-lam r) / r.
long double value_of(Screened const& screened, Radial function, long double r) {
  switch (function) {
    case Radial::potential: return screened.far(r);
    case Radial::slope: return screened.slope(r);
    case Radial::curvature: return screened.curvature(r);
    default: unreachable("radial function of a screened kernel", int(function));
  }
}

using Function = std::function<long double(long double)>;

template <class T>
Polynomial<T> fit_layer(Function const& layer, double cutoff, double error, bool is_integral) {
  long double const largest = std::abs(layer(0));  // all layers are largest at r = 0
  Function const of_square = [&](long double t) { return layer(cutoff * std::sqrt((1 + t) / 2)); };
  return fit_polynomial<T>(is_integral ? chebyshev_interpolant(of_square) : of_square,
                           static_cast<double>(error * largest));
}

}  // namespace

template <class T>
NearKernel<T> make_near_kernel(Profile const& profile, std::span<Radial const> layers, double error) {
  EXPECTS(!layers.empty() && layers.size() <= max_near_layers, layers.size());
  NearKernel<T> near;
  double const cutoff = profile.cutoff();
  near.cutoff_squared = static_cast<T>(cutoff * cutoff);
  near.scale = static_cast<T>(2 / (cutoff * cutoff));
  near.screening = static_cast<T>(profile.screening());
  std::optional<Screened> screened;
  if (profile.screening() > 0) screened.emplace(profile, profile.screening());
  for (std::size_t l = 0; l < layers.size(); ++l) {
    auto const layer = [&](long double r) {
      return screened ? value_of(*screened, layers[l], r) : value_of(profile, layers[l], r);
    };
    near.layer[l] = fit_layer<T>(layer, cutoff, error, screened.has_value());
    near.degree = std::max(near.degree, near.layer[l].degree | 1);
  }
  return near;
}

template NearKernel<float> make_near_kernel(Profile const&, std::span<Radial const>, double);
template NearKernel<double> make_near_kernel(Profile const&, std::span<Radial const>, double);

}  // namespace nearfar
