// SPDX-License-Identifier: BSD-3-Clause
#include "tests/core/ewald/reference_ewald.hpp"

#include "core/ewald/far/far_multiplier.hpp"
#include "core/ewald/split/near_kernel.hpp"
#include "core/ewald/split/profile.hpp"
#include "core/ewald/window/window_weights.hpp"
#include "core/kernels/description/description.hpp"
#include "core/math/constants.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "tests/core/ewald/near_sum.hpp"

#include <array>
#include <cmath>
#include <complex>

namespace nearfar::reference {

namespace {

using Complex = std::complex<double>;
using GridField = std::vector<Complex>;  // [x][y][z]

template <class T>
class Mesh {
 public:
  Mesh(EwaldOptions const& options, EwaldPlanning const& p)
      : box_(options.box), size_(p.grid), window_(window_shape(options, p)),
        table_(make_window_table<T>(window_, fit_error(options.tolerance))) {}

  std::size_t points() const { return std::size_t(size_[0]) * size_[1] * size_[2]; }

  /// Calls visit(index, value, slope x, slope y, slope z) for the grid points of the window; slopes by the point's
  /// position.
  template <class Visit>
  void window(double const* point, Visit&& visit) const {
    int first[3];
    std::array<std::array<T, window_row>, 3> value, slope;
    for (int d = 0; d < 3; ++d) {
      double const scale = size_[d] / box_[d], start = point[d] * scale - 0.5 * table_.points;
      first[d] = static_cast<int>(std::ceil(start));
      T const s = static_cast<T>(2 * (first[d] - start) - 1);
      window_values(table_, s, value[d].data());
      window_slopes(table_, s, slope[d].data());
      for (int i = 0; i < table_.points; ++i) slope[d][i] *= -static_cast<T>(scale);
    }
    auto const wrap = [&](int d, int i) { return ((first[d] + i) % size_[d] + size_[d]) % size_[d]; };
    for (int i = 0; i < table_.points; ++i)
      for (int j = 0; j < table_.points; ++j)
        for (int k = 0; k < table_.points; ++k)
          visit((std::size_t(wrap(0, i)) * size_[1] + wrap(1, j)) * size_[2] + wrap(2, k),
                value[0][i] * value[1][j] * value[2][k], slope[0][i] * value[1][j] * value[2][k],
                value[0][i] * slope[1][j] * value[2][k], value[0][i] * value[1][j] * slope[2][k]);
  }

  /// By the definition, one direction after the other; rounded to T after each.
  void transform(GridField& field, double sign) const {
    std::size_t stride = points();
    for (int d = 0; d < 3; ++d) {
      int const n = size_[d];
      stride /= n;
      std::vector<Complex> root(n), line(n);
      for (int i = 0; i < n; ++i) root[i] = std::polar(1.0, sign * 2 * pi<double> * i / n);
      for (std::size_t at = 0; at < field.size(); ++at) {
        if (at / stride % n != 0) continue;
        for (int i = 0; i < n; ++i) line[i] = field[at + i * stride];
        for (int k = 0; k < n; ++k) {
          Complex sum = 0;
          for (int i = 0; i < n; ++i) sum += line[i] * root[std::size_t(i) * k % n];
          field[at + k * stride] = {static_cast<T>(sum.real()), static_cast<T>(sum.imag())};
        }
      }
    }
  }

  /// fields *= multiplier / window transform^2, with the projector for three fields and more, and i k times the fourth;
  /// k = 0 and the Nyquist planes are 0.
  void scale(std::vector<GridField>& fields, FarMultiplier<T> const& multiplier) const {
    std::array<std::vector<double>, 3> inverse;
    for (int d = 0; d < 3; ++d)
      for (int i = 0; i < size_[d]; ++i) {
        double const half_width = window_.points * box_[d] / size_[d] / 2;
        inverse[d].push_back(1 / (half_width * window_transform(window_, wave(d, i) * half_width)));
      }
    std::size_t at = 0;
    for (int i = 0; i < size_[0]; ++i)
      for (int j = 0; j < size_[1]; ++j)
        for (int l = 0; l < size_[2]; ++l, ++at) {
          double const k[3] = {wave(0, i), wave(1, j), wave(2, l)}, k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
          bool const dropped = k2 == 0 || 2 * i == size_[0] || 2 * j == size_[1] || 2 * l == size_[2];
          double const factor =
              dropped ? 0 : multiplier(static_cast<T>(k2)) * std::pow(inverse[0][i] * inverse[1][j] * inverse[2][l], 2);
          Complex along = 0;
          if (fields.size() >= 3 && !dropped)
            for (int d = 0; d < 3; ++d) along += k[d] * fields[d][at] / k2;
          if (fields.size() == 4) along -= Complex(0, 1) * fields[3][at];
          for (std::size_t d = 0; d < fields.size() && d < 3; ++d)
            fields[d][at] = factor * (fields[d][at] - k[d] * along);
        }
  }

  double cell_volume() const { return box_[0] * box_[1] * box_[2] / double(points()); }

 private:
  double wave(int d, int i) const { return 2 * pi<double> / box_[d] * (2 * i > size_[d] ? i - size_[d] : i); }

  std::array<double, 3> box_;
  std::array<int, 3> size_;
  WindowShape window_;
  WindowTable<T> table_;
};

/// What a source spreads as field `c` where its window has this value and these slopes (by the point's own position).
template <class T>
T spread(Kernel kernel, double const* strength, int c, T value, T const (&slope)[3]) {
  if (!describe(kernel).has_double_layer()) return static_cast<T>(strength[c]) * value;
  double const* q = strength + (kernel == Kernel::stokes ? 3 : 0);
  double const* n = q + 3;
  if (c == 3) return static_cast<T>(q[0] * n[0] + q[1] * n[1] + q[2] * n[2]) * value;
  T sum = kernel == Kernel::stokes ? static_cast<T>(strength[c]) * value : 0;
  for (int d = 0; d < 3; ++d) sum -= static_cast<T>(q[c] * n[d] + n[c] * q[d]) * slope[d];
  return sum;
}

}  // namespace

template <class T>
std::vector<double> far_part(EwaldOptions const& options, EwaldPlanning const& p, std::span<double const> sources,
                             std::span<double const> targets, std::span<double const> strengths) {
  int const in = strength_components(options.kernel), out = result_components(options.kernel, options.outputs);
  Profile const profile(options.split, p.split_parameter, p.cutoff);
  Mesh<T> const mesh(options, p);
  std::vector<GridField> fields(std::size_t(describe(options.kernel).forward));
  std::vector<T> grid(mesh.points());
  for (int c = 0; c < int(fields.size()); ++c) {
    grid.assign(mesh.points(), 0);
    for (std::size_t n = 0; n < sources.size() / 3; ++n)
      mesh.window(&sources[3 * n], [&](std::size_t at, T value, T x, T y, T z) {
        grid[at] += spread<T>(options.kernel, &strengths[n * in], c, value, {x, y, z});
      });
    fields[c].assign(grid.begin(), grid.end());
    mesh.transform(fields[c], -1);
  }
  mesh.scale(fields, make_far_multiplier<T>(profile, describe(options.kernel).base, fit_error(options.tolerance)));
  fields.resize(std::size_t(describe(options.kernel).inverse));
  for (GridField& field : fields) mesh.transform(field, 1);

  double const h3 = mesh.cell_volume(), factor = h3 / double(mesh.points());  // quadrature, inverse DFT
  std::vector<double> result(targets.size() / 3 * out);
  double total = 0;
  if (options.kernel == Kernel::laplace)
    for (double q : strengths) total += q;
  double const volume = h3 * double(mesh.points());
  for (std::size_t n = 0; n < targets.size() / 3; ++n) {
    std::array<T, 4> sum{};
    mesh.window(&targets[3 * n], [&](std::size_t at, T value, T x, T y, T z) {
      for (std::size_t c = 0; c < fields.size(); ++c) sum[c] += value * static_cast<T>(fields[c][at].real());
      if (out == 4) {
        T const here = static_cast<T>(fields[0][at].real());
        sum[1] += x * here;
        sum[2] += y * here;
        sum[3] += z * here;
      }
    });
    for (int c = 0; c < out; ++c) result[n * out + c] = factor * sum[c];
    if (options.kernel == Kernel::laplace)
      result[n * out] -= double(2 * pi<long double> * profile.second_moment() * total / volume);
  }
  return result;
}

template <class T>
std::vector<double> near_part(EwaldOptions const& options, EwaldPlanning const& p, std::span<double const> sources,
                              std::span<double const> targets, std::span<double const> strengths) {
  int const in = strength_components(options.kernel), out = result_components(options.kernel, options.outputs);
  Profile const profile(options.split, p.split_parameter, p.cutoff);
  auto const near = make_near_kernel<T>(profile, describe(options.kernel).near_layers, fit_error(options.tolerance));
  std::vector<double> result(targets.size() / 3 * out);
  int reach[3];
  for (int d = 0; d < 3; ++d) reach[d] = static_cast<int>(std::ceil(p.cutoff / options.box[d]));
  for (std::size_t t = 0; t < targets.size() / 3; ++t)
    for (std::size_t s = 0; s < sources.size() / 3; ++s)
      for (int i = -reach[0]; i <= reach[0]; ++i)
        for (int j = -reach[1]; j <= reach[1]; ++j)
          for (int l = -reach[2]; l <= reach[2]; ++l) {
            int const image[3] = {i, j, l};
            T r[3];
            for (int d = 0; d < 3; ++d)
              r[d] = static_cast<T>(targets[3 * t + d] - sources[3 * s + d] - image[d] * options.box[d]);
            add_near(options.kernel, options.outputs.has(Output::gradient), near, r, &strengths[s * in],
                     &result[t * out]);
          }
  return result;
}

template std::vector<double> far_part<float>(EwaldOptions const&, EwaldPlanning const&, std::span<double const>,
                                             std::span<double const>, std::span<double const>);
template std::vector<double> far_part<double>(EwaldOptions const&, EwaldPlanning const&, std::span<double const>,
                                              std::span<double const>, std::span<double const>);
template std::vector<double> near_part<float>(EwaldOptions const&, EwaldPlanning const&, std::span<double const>,
                                              std::span<double const>, std::span<double const>);
template std::vector<double> near_part<double>(EwaldOptions const&, EwaldPlanning const&, std::span<double const>,
                                               std::span<double const>, std::span<double const>);

}  // namespace nearfar::reference
