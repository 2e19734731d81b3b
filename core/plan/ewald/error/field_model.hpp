// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/split/split_shape.hpp"
#include "core/ewald/window/window.hpp"
#include "core/kernels/description/description.hpp"
#include "core/math/constants.hpp"
#include "core/plan/ewald/error/far_square.hpp"
#include "core/plan/ewald/error/plane_aliases.hpp"
#include "core/plan/ewald/plane_spacing.hpp"

#include <nearfar/ewald.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace nearfar {

/// What one multiplier makes of a kernel's strengths: its results with their derivatives, or its pressure.
struct FarField {
  Base base;
  int first, last;     ///< powers of k beside the multiplier, of the results that are judged
  int multiplied = 0;  ///< how many of them come with the multiplier, not by slopes of the window
  bool spreads_slopes = false, gathers_slopes = false;
  int derivatives = 0;                            ///< how often the window is differentiated in gathering
  double screening = 0;                           ///< of kernels that have one
  std::array<double, FarNoise::powers> passed{};  ///< of the square of a random strength, by one mode (Layer::passed)
};
FarField far_field(KernelDescription const& kernel, double screening);
FarField far_pressure(KernelDescription const& kernel);

/// The far part of a sum over random points, for one multiplier: how its energy lies over the modes of the grid, and
/// how much of it each approximation gets wrong. All results are squares of relative l2 errors, the worst of all powers
/// of k.
///
/// A double layer is to a single one what the gradient is to the potential: one more factor k. It is spread, where the
/// gradient is gathered, with the slope of the window. The pressure has its factor k from the multiplier.
///
/// For N random sources the field is a sum of independent terms, so energies of modes add up; what a source does to
/// itself adds up over the modes in phase, which matters for small N. N = 0 means many.
///
/// The last `free` directions do not repeat: `box` and `grid` are what the points fill there. `mean` is how large the
/// field of a unit source is over such a box (mean_field), however smooth.
///
/// Few points are worse: relative to the mean of that field, theirs is often weak. It is taken for as much weaker as it
/// was in nearly all of some thousand random sets of 1 to 20 points.
///
/// Lattices are worse: all their points see the same error, relative to a field that is no more than that of a few
/// neighbours. Each approximation is charged for that as well, roughly (measured on rock salt). Charges on `planes` may
/// alternate from one to the next.
class FieldModel {
 public:
  FieldModel(std::array<double, 3> const& box, std::array<int, 3> const& grid, double cutoff, FarField const& field,
             SplitShape const& shape, double sources, int free, double mean, PlaneSpacing const& planes);

  /// By modes beyond the band or the grid, and by cutting the near part.
  FarSquare truncation() const;
  /// By the images of a mode that the grid cannot tell from it, in spreading and in gathering.
  FarSquare aliasing(WindowShape const& window) const;
  /// By arithmetic with unit roundoff `epsilon`.
  FarSquare rounding(WindowShape const& window, double epsilon) const;

  /// Mean square of the gradient, or the second derivatives, that are gathered, with this window, from a potential that
  /// is 1 everywhere: by its images, and because the values of its slopes are off by `epsilon`.
  double slope_of_constant(WindowShape const& window, double epsilon, int derivative) const;

  /// How often the window is differentiated.
  int slopes() const noexcept { return field_.derivatives > 1 ? 2 : field_.last > field_.multiplied; }

  /// The last mode of the grid, along the direction where it is coarsest, over the last one of the band.
  double fineness() const noexcept {
    double const h = std::max({box_[0] / grid_[0], box_[1] / grid_[1], box_[2] / grid_[2]});
    return pi<double> / h / band_;
  }
  double volume() const noexcept { return box_[0] * box_[1] * box_[2]; }

 private:
  static constexpr int shells = 64;
  static constexpr std::size_t powers = FarNoise::powers;
  using Powers = std::array<double, powers>;  // by the power of k beside the multiplier

  struct Mode {  // modes +-n ... of one direction, represented by one
    double k;
    double weight;  // how many
    bool on_grid;
    Powers energy{};       // of all kept modes with this k_d
    double amplitude = 0;  // sum of their multipliers
    double diagonal = 0;   // ghat or w at (k, k, k)

    void add(Powers const& more, double amplitudes) {
      for (std::size_t q = 0; q < powers; ++q) energy[q] += more[q];
      amplitude += amplitudes;
    }
  };

  std::vector<Mode> modes_of(int d, bool free, SplitShape const& shape) const;
  void sum_modes(SplitShape const& shape);
  double worst(Powers const& energy, Powers const& self) const;
  double worst_of_few(Powers const& energy, Powers const& self) const;
  FarNoise noise(Powers const& energy, Powers const& self, double allowance) const;
  double wrong_slope(WindowShape const& window, double epsilon, int derivative) const;
  double mean_slope(WindowShape const& window, double mean, int derivative) const;
  double relative_to_neighbours(double potential) const;

  std::array<double, 3> box_;
  std::array<int, 3> grid_;
  double band_;
  FarField field_;
  bool laplace_;
  double sources_;
  Powers weaker_{1, 1, 1, 1};  // mean energy over that of the weak fields of few points
  std::array<std::vector<Mode>, 3> modes_;
  std::array<Powers, shells> shell_{};  // energy by |k|^2, evenly up to the band
  Powers energy_{};                     // that errors are relative to: of all modes, but see sum_modes
  Powers dropped_{};
  double mean_energy_ = 0;    // of the mean of the field, with free directions or of screened charges
  double gathered_mean_ = 0;  // the same, if it is counted for what is gathered of it alone
  Powers dropped_self_{};
  double shell_share_ = 1;  // of the points a cutoff away that there would be did the box not end
  double allowance_;        // what the model may be wrong by
  double edge_;             // multiplier of a mode just beyond the band
  double cut_;              // near part beyond the cutoff for points of unit strength and density
  double axial_ = 0;     // charges: wave number of the first modes of caesium chloride of this density, along the axes
  double at_axial_ = 0;  // ghat or w there
  std::array<PlaneAliases, 3> planes_;
};

/// With free directions, how large the potential or the velocity of a unit source is over the box: that of its charge
/// per length or area there, about half of what it is at the far end. Without them 0, but of screened charges the mode
/// k = 0, 4 pi / (screening^2 volume).
double mean_field(EwaldOptions const& options) noexcept;

}  // namespace nearfar
