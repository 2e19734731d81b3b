// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/error/field_model.hpp"

#include "core/ewald/window/window_function.hpp"
#include "core/geometry/axes.hpp"
#include "core/geometry/given_cell.hpp"
#include "core/kernels/description/description.hpp"
#include "core/math/constants.hpp"
#include "core/math/expects.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearfar {

namespace {

constexpr double smallest_crystal = 8;  // points: fewer make no lattice of alternating neighbours

/// The sum of strengths without a pattern is one number, which may be so many times its root mean square; plans leave
/// room for another factor of two.
constexpr double several = 1.5;

double square(double x) { return x * x; }

void add(std::array<double, FarNoise::powers>& sums, std::array<double, FarNoise::powers> const& more) {
  for (std::size_t q = 0; q < sums.size(); ++q) sums[q] += more[q];
}

/// The fraction of a sphere of that radius around a point of the box that lies in the box, averaged over points and
/// directions n: the mean of the product of 1 - radius |n_d| / box_d over the last `free` directions, beyond which
/// there is nothing.
double share_of_sphere(std::array<double, 3> const& box, double radius, int free) {
  double a[3] = {};
  for (std::size_t d = 0; d < 3; ++d)
    if (int(d) >= 3 - free) a[d] = std::min(1.0, radius / box[d]);
  double const edges = a[0] + a[1] + a[2], faces = a[0] * a[1] + a[1] * a[2] + a[2] * a[0];
  return 1 - edges / 2 + 2 * faces / (3 * pi<double>)-a[0] * a[1] * a[2] / (4 * pi<double>);
}

}  // namespace

FarField far_field(KernelDescription const& kernel, double screening) {
  FarField field{.base = kernel.base,
                 .first = kernel.first_power(),
                 .last = kernel.last_decay() - 1 + kernel.slopes(),
                 .spreads_slopes = kernel.spreads_slopes,
                 .gathers_slopes = kernel.gathers_slopes,
                 .derivatives = kernel.slopes(),
                 .screening = screening};
  for (std::size_t q = 0; q < FarNoise::powers; ++q) {
    field.passed[q] = kernel.layers.front().passed;
    for (Layer const& layer : kernel.layers)
      if (layer.decay - 1 <= int(q)) field.passed[q] = layer.passed;
  }
  return field;
}

FarField far_pressure(KernelDescription const& kernel) {
  FarField pressure{.base = Base::laplace,
                    .first = kernel.first_power() + 1,
                    .last = kernel.last_decay(),
                    .multiplied = 1,
                    .spreads_slopes = kernel.spreads_slopes};
  for (std::size_t q = 0; q < FarNoise::powers; ++q) {
    pressure.passed[q] = kernel.layers.front().pressed;
    for (Layer const& layer : kernel.layers)
      if (layer.decay <= int(q)) pressure.passed[q] = layer.pressed;
  }
  return pressure;
}

FieldModel::FieldModel(std::array<double, 3> const& box, std::array<int, 3> const& grid, double cutoff,
                       FarField const& field, SplitShape const& shape, double sources, int free, double mean,
                       PlaneSpacing const& planes)
    : box_(box), grid_(grid), band_(shape.band / cutoff), field_(field), laplace_(field.base != Base::hasimoto),
      sources_(sources), edge_(shape.edge), cut_(shape.cut * cutoff * cutoff) {
  EXPECTS(field.last < (laplace_ ? int(powers) : SplitShape::hasimoto_powers), field.last);
  // Along free directions the model takes the box that the points fill instead of the padded grid: errors of up to 1.4
  // times its own were measured among grids that look the same to it, and 1.5 times for gradients in a corner of free
  // space. In free space it ignores the mean of the field, which potentials and velocities have unless all strengths
  // add up to zero: errors are then at most a third of the model's.
  allowance_ = free == 0 ? 1 : free < 3 ? 2 : field.last == 0 ? 0.5 : 2.5;
  for (int d = 0; d < 3; ++d) modes_[d] = modes_of(d, d >= 3 - free, shape);
  if (sources > 0) {
    // Parts of the field that are odd in r fall off faster, so few pairs may give a weak field, above all without
    // images.
    double const pairs = std::max(1.0, sources * (sources - 1) / 2);
    std::fill(weaker_.begin() + 1, weaker_.end(), 1 + (free == 3 ? 90 : 40) / pairs);
  }
  sum_modes(shape);
  // With free directions the field has a mean too, whose gathered slope is not exactly 0.
  if (free > 0) mean_energy_ = square(std::max((laplace_ ? 2 : 3) / std::cbrt(volume()), mean) * volume());
  for (auto& modes : modes_) modes.front().energy[0] += mean_energy_;
  // So has that of screened charges that repeat in all directions; their potential is not judged by it, as strengths
  // may add up to zero.
  if (free == 0) gathered_mean_ = mean_energy_ = square(several * mean * volume());
  // The truncation error of a split acts at the distance of the cutoff, where the near part ends. With few pairs, all
  // of them may lie just there.
  double const share = share_of_sphere(box, cutoff, free);
  double const few = sources > 0 ? std::min(1.0, 20 / std::max(1.0, sources * (sources - 1))) : 0;
  shell_share_ = share + (1 - share) * few;
  double unit = cutoff, self_unit = 1 / cutoff;
  for (std::size_t q = 0; q < powers; ++q) {
    dropped_[q] += shell_share_ * shape.dropped[q] * volume() * unit;
    dropped_self_[q] += shape.self[q] * self_unit;
    unit /= cutoff * cutoff;
    self_unit /= cutoff;
  }
  if (sources < smallest_crystal || !laplace_ || field.multiplied > 0) return;
  axial_ = 2 * pi<double> * std::cbrt(sources / (2 * volume()));
  if (axial_ <= band_) at_axial_ = shape.multiplier(square(axial_ / band_));
  for (std::size_t d = 0; d < 3; ++d)
    if (planes[d] > 0) planes_[d] = {pi<double> / planes[d], box[d], grid[d], band_, shape};
}

/// Modes are taken one by one where the multiplier is steep, then in groups represented by their middle: the sum over a
/// large grid costs no more than over a small one.
std::vector<FieldModel::Mode> FieldModel::modes_of(int d, bool free, SplitShape const& shape) const {
  double const unit = 2 * pi<double> / box_[d];
  int const last = static_cast<int>(band_ / unit * (1 + 1e-12)), last_on_grid = grid_[d] / 2 - 1;
  std::vector<Mode> modes{{0, 1, true}};
  // A free direction is padded with zeros, so its transform has modes between those of the box, and also right up to
  // the band, where the window aliases most.
  constexpr int discrete = 2;
  bool const dense = free && last > discrete && last_on_grid > discrete;
  for (int n = 1; n <= (dense ? discrete : last);) {
    int length = std::max(1, std::min(n / 7, last / 18));
    int const stop = n <= last_on_grid ? std::min(last, last_on_grid) : last;
    length = std::min(length, stop - n + 1);
    modes.push_back({unit * (n + 0.5 * (length - 1)), 2.0 * length, n <= last_on_grid});
    n += length;
  }
  auto const fill = [&](double low, double high, int most, bool on_grid) {
    int const parts = std::clamp(static_cast<int>(8 * (high - low) / unit), 1, most);
    for (int i = 0; i < parts && high > low; ++i)
      modes.push_back({low + (high - low) * (i + 0.5) / parts, 2 * (high - low) / (parts * unit), on_grid});
  };
  if (dense) {
    double const highest = pi<double> * grid_[d] / box_[d];
    fill((discrete + 0.5) * unit, std::min(band_, highest), 24, true);
    fill(highest, band_, 6, false);
  }
  for (Mode& mode : modes) {
    double const share = 3 * square(mode.k / band_);
    if (mode.k > 0 && share <= 1) mode.diagonal = shape.multiplier(share);
  }
  return modes;
}

void FieldModel::sum_modes(SplitShape const& shape) {
  double const scale = 1 / square(band_), prefactor = (laplace_ ? 4 : 8) * pi<double>;
  Powers left_out{};
  Powers largest{};  // energy of one mode and its conjugate
  for (Mode& x : modes_[0])
    for (Mode& y : modes_[1]) {
      double const in_plane = x.k * x.k + y.k * y.k;
      Powers row{};  // the sum over z, for this x and y
      double row_amplitude = 0;
      for (Mode& z : modes_[2]) {
        double const k2 = in_plane + z.k * z.k, share = k2 * scale;
        if (share > 1) break;
        if (k2 == 0) continue;
        double const multiplier = prefactor / (k2 + square(field_.screening)) * shape.multiplier(share);
        double const amplitude = x.weight * y.weight * z.weight * multiplier;
        double alone = 2 * square(multiplier);
        Powers here{amplitude * multiplier};
        for (std::size_t q = 0; q < powers; ++q) {
          if (q > 0) here[q] = here[q - 1] * k2;
          largest[q] = std::max(largest[q], alone);
          alone *= k2;
        }
        if (!(x.on_grid && y.on_grid && z.on_grid)) {
          add(dropped_, here);
          left_out[0] += amplitude;
          left_out[2] += amplitude * k2;
          continue;
        }
        add(row, here);
        row_amplitude += amplitude;
        z.add(here, amplitude);
        add(shell_[std::min(shells - 1, static_cast<int>(shells * share))], here);
      }
      add(energy_, row);
      x.add(row, row_amplitude);
      y.add(row, row_amplitude);
    }
  // In a long box one mode holds nearly all the energy, and a given set of points may happen to excite it weakly: count
  // on only a tenth of its energy.
  for (std::size_t q = 0; q < powers; ++q) energy_[q] += dropped_[q] - 0.9 * largest[q];
  for (std::size_t q = 0; q < powers; ++q) dropped_self_[q] += left_out[q] / volume() * (laplace_ ? 1 : 2.0 / 3);
}

/// `self` is the mean square error that a unit source causes at itself.
double FieldModel::worst(Powers const& energy, Powers const& self) const {
  double const per_source = sources_ > 0 ? square(volume()) / sources_ : 0;
  double most = 0;
  for (auto q = std::size_t(field_.first); q <= std::size_t(field_.last); ++q)
    most = std::max(most, (energy[q] + per_source / field_.passed[q] * self[q]) / energy_[q]);
  return most;
}

double FieldModel::worst_of_few(Powers const& energy, Powers const& self) const {
  Powers weak_energy, weak_self;
  for (std::size_t q = 0; q < powers; ++q) {
    weak_energy[q] = weaker_[q] * energy[q];
    weak_self[q] = weaker_[q] * self[q];
  }
  return allowance_ * worst(weak_energy, weak_self);
}

/// Averaged over directions, a mode passes on 2/3 of a force and 7/9 of a dipole.
FarNoise FieldModel::noise(Powers const& energy, Powers const& self, double allowance) const {
  double const per_source = sources_ > 0 ? 1 / sources_ : 0;
  Powers all{};
  for (std::size_t q = 0; q < powers; ++q)
    all[q] = allowance * (field_.passed[q] * energy[q] / square(volume()) + per_source * self[q]);
  return field_.multiplied > 0 ? FarNoise{{}, all} : FarNoise{all, {}};
}

/// An error felt alike at every point of a lattice of unit strengths, relative to the field of the nearest neighbours.
/// Zero for a double layer, which is odd: on a lattice neighbours cancel, and so do errors.
double FieldModel::relative_to_neighbours(double potential) const {
  return sources_ >= smallest_crystal && field_.first == 0 ? potential / (1.5 * std::cbrt(sources_ / volume())) : 0;
}

FarSquare FieldModel::truncation() const {
  // A lattice may have a strong mode just beyond the band, and three times the mean number of points just
  // beyond the cutoff.
  double const shell = relative_to_neighbours(3 * shell_share_ * cut_ * sources_ / volume());
  // Of a symmetric matrix of second derivatives, whose trace is the sum over modes, the diagonal is a third of that.
  Powers const self{square(dropped_self_[0]), 0, square(dropped_self_[2]) / 3 * field_.passed[2]};
  return {worst_of_few(dropped_, self), square(shell_share_ * edge_ / 2) + square(shell),
          noise(dropped_, self, allowance_)};
}

FarSquare FieldModel::aliasing(WindowShape const& window) const {
  WindowFunction const function(window);
  Powers wrong{}, self{};
  // On a lattice, aliases made by spreading are picked up again by gathering. Where its points lie alike between grid
  // points, the aliases of its own first modes add up too; these hold twice the field of neighbours: in rock salt along
  // the diagonals, from six sides; in caesium chloride a third of them along each axis, from two.
  double const first =
      sources_ >= smallest_crystal ? pi<double> * std::cbrt(sources_ / volume()) : std::numeric_limits<double>::max();
  double lattice = 0, first_mode = 0, planes = 0;
  int const spreading = field_.spreads_slopes ? 1 : 0;
  for (int d = 0, same = 1; d < 3; d += same) {
    same = 1;  // directions that are alike are worked out once
    while (d + same < 3 && box_[d + same] == box_[d] && grid_[d + same] == grid_[d]) ++same;
    double const h = box_[d] / grid_[d], half_width = window.points * h / 2, period = 2 * pi<double> / h;
    Powers in_phase{}, of_period{};
    for (Mode const& mode : modes_[d]) {
      if (!mode.on_grid) continue;
      double const k = mode.k, scale = 1 / function.transform(k * half_width);
      double ratios = 0, slopes = 0, bends = 0;
      for (int image : {-3, -2, -1, 1, 2, 3}) {
        double const tail = image * image == 9 ? 3.55 : 1;  // for all beyond: energies fall like 1 / image^2
        double const k_image = k + image * period, ratio = scale * function.transform(k_image * half_width);
        ratios += tail * square(ratio);
        slopes += tail * (square(k_image * ratio) - square(k * ratio));
        bends += tail * square((square(k_image) - square(k)) * ratio);
        if (image * image > 1) continue;
        // The image has as many factors of its own wave number as its stage takes slopes of the window; in odd powers
        // those of opposite images, which are sines, have opposite signs. Windows are chosen where the errors are
        // least, so one of these sums alone would be met where it happens to cancel: the period's own is the other.
        double spread = 1, gathered = 1, sign = 1, alone = 1;
        for (std::size_t q = 0; q < powers; ++q, sign *= image) {
          double const felt = ratio * mode.amplitude / 2;
          in_phase[q] += sign * (spread + gathered) * felt;
          of_period[q] += alone * felt;
          spread *= int(q) < spreading ? k_image : k;
          gathered *= int(q) < field_.derivatives ? k_image : k;
          alone *= q < 2 ? period : k;
        }
      }
      double const both = 2 * ratios + ratios * ratios;  // spreading, gathering, and both at once
      lattice += same * ratios * mode.amplitude / volume();
      if (mode.k >= 0.9 * first)
        first_mode = std::max(first_mode, 12 * mode.diagonal * square(first / mode.k) * std::sqrt(ratios));
      wrong[0] += same * both * mode.energy[0];
      for (std::size_t q = 1; q < powers; ++q) {
        int const by_slopes = int(q) - field_.multiplied;
        wrong[q] += same * (both * mode.energy[q] + by_slopes * slopes * mode.energy[q - 1]);
        // Second derivatives of a window, in gathering.
        if (q > 1 && field_.derivatives > 1) wrong[q] += same * bends * mode.energy[q - 2];
      }
    }
    if (axial_ > 0 && 2 * axial_ < period) {
      double const image = function.transform((axial_ - period) * half_width),
                   own = function.transform(axial_ * half_width);
      first_mode = std::max(first_mode, 4 * at_axial_ * std::abs(image / own));
    }
    planes = std::max(planes, planes_[std::size_t(d)].error(function, half_width));
    for (std::size_t q = 0; q < powers; ++q)
      self[q] += same * 2 * std::max(square(in_phase[q]), square(of_period[q])) *
                 square((laplace_ || q > 0 ? 1 : 2.0 / 3) / volume());
  }
  if (gathered_mean_ > 0)
    for (int d = 1; d <= slopes(); ++d) wrong[std::size_t(d)] += gathered_mean_ * slope_of_constant(window, 0, d);
  return {worst_of_few(wrong, self), square(relative_to_neighbours(lattice)) + square(first_mode) + square(planes),
          noise(wrong, self, allowance_)};
}

/// What a derivative of a potential that is 1 everywhere has from wrong values of the window's slope, or second slope:
/// they add up at random, over a sum of the window's values.
double FieldModel::wrong_slope(WindowShape const& window, double epsilon, int derivative) const {
  double const centre = WindowFunction(window).transform(0);
  double sum = 0;
  for (int d = 0; d < 3; ++d) {
    double const h = box_[d] / grid_[d], half_width = window.points * h / 2;
    sum += 0.5 * window.points * square(epsilon / (half_width * centre) / (derivative > 1 ? h : 1));
  }
  return sum;
}

double FieldModel::slope_of_constant(WindowShape const& window, double epsilon, int derivative) const {
  WindowFunction const function(window);
  double sum = wrong_slope(window, epsilon, derivative);
  for (int d = 0; d < 3; ++d) {
    double const h = box_[d] / grid_[d], half_width = window.points * h / 2, period = 2 * pi<double> / h;
    for (int image : {1, 2, 3}) {
      double const k = image * period;
      sum += 2 * square((derivative > 1 ? k : 1) * k * function.transform(k * half_width) / function.transform(0));
    }
  }
  return sum;
}

double mean_field(EwaldOptions const& o) noexcept {
  KernelDescription const& kernel = describe(o.kernel, o.outputs);
  if (kernel.first_power() > 0) return 0;
  double const stokes = kernel.base == Base::hasimoto ? 1.5 : 1;
  auto const box = inside(periodic_first(o.periodicity), o.box);
  int const periods = periodic_directions(o.periodicity);
  // Screened charges reach as far as this, and over it their potential is that of charges.
  double const reach = o.screening ? 1 / *o.screening : 0;
  if (periods == 3) return 4 * pi<double> * reach * reach / (box[0] * box[1] * box[2] * fullness_of(o));
  if (periods == 2) return stokes * std::max(2 * box[2], 2 * pi<double> * reach) / (box[0] * box[1] * fullness_of(o));
  if (periods != 1) return 0;
  double const across = std::hypot(box[1], box[2]), gauge = o.gauge_length.value_or(1),
               growth = o.screening ? std::log(reach / across) : std::abs(std::log(across / gauge));
  return stokes * 2 / box[0] * std::max(1.0, growth);
}

}  // namespace nearfar
