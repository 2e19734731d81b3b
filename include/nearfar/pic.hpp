// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/poisson.hpp>
#include <nearfar/runtime.hpp>
#include <nearfar/solve.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace nearfar {

/// What acts on particles beside their own field, constant in time: along axis d the electric field
/// electric[d] + gradient[d] (x[d] - centre[d]), whose gradients add up to 0 where there are no charges, and a magnetic
/// field that is the same everywhere.
struct ExternalFields {
  std::array<double, 3> electric{};
  std::array<double, 3> gradient{};
  std::array<double, 3> centre{};
  std::array<double, 3> magnetic{};
};

/// A particle-in-cell loop. Grid and time step have no default. Units are the caller's, those of Poisson: a charge q
/// far away has the potential q / (4 pi r).
struct PicOptions {
  PoissonMethod method = PoissonMethod::vico_dct;
  std::array<int, 3> grid{};           ///< cells per direction, as in PoissonOptions
  std::array<double, 3> box{1, 1, 1};  ///< edges; it begins at 0
  std::array<bool, 3> periodic{};      ///< directions that repeat: particles that leave come in on the other side. The
                                       ///< field of the others goes on outside, and their faces reflect particles
  double time_step = 0;                ///< above 0
  double charge_per_mass = 1;          ///< of every particle, not 0; so masses are charges over this
  ExternalFields external{};
};

/// Sums over all particles at one moment, velocities and positions at the same time. Energies add up to a constant, but
/// for errors of second order in the time step, and noise of the grid.
struct PicTotals {
  double time = 0;
  double charge = 0;                 ///< on the grid: density times volume, over all cells
  double kinetic = 0;                ///< m v^2 / 2
  double field = 0;                  ///< of the particles' own field, q phi / 2
  double external = 0;               ///< in the external electric field, 0 at its centre
  std::array<double, 3> momentum{};  ///< m v

  double energy() const { return kinetic + field + external; }
};

/// What to read of a loop. Spans that are empty, and totals that are null, are left out. Of several ranks each gets
/// what it asks for; of particles, those that it gave.
template <class T>
struct PicRead {
  PicTotals* totals = nullptr;
  std::span<T> density{};     ///< a number per cell, [x][y][z]
  std::span<T> potential{};   ///< a number per cell
  std::span<T> positions{};   ///< x, y, z per particle, in the order in which they were given
  std::span<T> velocities{};  ///< x, y, z per particle
};

namespace detail {
template <class T>
class PicPlan;
}  // namespace detail

/// Charged particles that move in their own electric field and in external ones. A step is: the first half of the
/// acceleration, the motion, scattering the charges onto the grid (cloud in cell), Poisson's equation, gathering the
/// field at the particles, the second half of the acceleration. Accelerations are halves of E and of Boris's rotation
/// by B (Birdsall and Langdon, 1991, Sec. 4-3) in an order that reads the same backwards: second order in the time
/// step. Density is scattered, and the field gathered, by the same weights, so that a particle exerts no force on
/// itself.
///
/// Clouds that reach beyond an open face stay in the outermost cells: no charge is lost. With CPU workers only, results
/// have the same bits under every scheduler. T is double or float. Copies share one loop. Members are thread-safe. Of
/// several ranks all make the loop, advance and read, in the same order and from one thread; rank 0's options and
/// numbers of steps count. Each gives particles of its own, wherever they are, or none.
template <class T>
class BasicPic {
 public:
  /// `positions` and `velocities` have three numbers per particle, `charges` one; they are copied. The loop begins
  /// after `step` steps, as one goes on that was saved: from positions and velocities alone the next steps have the
  /// bits that they would have had, on as many workers and ranks. Throws Error{bad_input} for options that make no
  /// sense, and for particles that are outside the box or not finite; Error{no_resource} where there is too little
  /// memory.
  BasicPic(Runtime const& runtime, PicOptions const& options, std::span<T const> positions,
           std::span<T const> velocities, std::span<T const> charges, std::int64_t step = 0);

  /// Submits so many steps, and returns at once; more may be submitted while they run. Throws Error{bad_input} for a
  /// negative number. Solve::wait() throws Error{bad_input} if a particle moves farther than the box in one step; all
  /// that is submitted afterwards then fails too.
  Solve advance(int steps = 1);

  /// Submits copying what the state is after all steps submitted so far. What `into` points to belongs to the solve
  /// until it has ended. Throws Error{bad_input} for wrong lengths.
  Solve read(PicRead<T> const& into);

  std::int64_t step() const;               ///< after all that is submitted
  std::size_t particles() const noexcept;  ///< that this rank gave
  PicOptions const& options() const noexcept;

 private:
  std::shared_ptr<detail::PicPlan<T>> plan_;
};

using Pic = BasicPic<double>;
using PicSingle = BasicPic<float>;

extern template class BasicPic<double>;
extern template class BasicPic<float>;

}  // namespace nearfar
