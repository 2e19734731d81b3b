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

/// External fields, constant in time: along axis d the electric field electric[d] + gradient[d]
/// (x[d] - centre[d]), and a uniform magnetic field. The gradients add up to the density of the charge that makes the
/// field: to 0, unless it is in the box.
struct ExternalFields {
  std::array<double, 3> electric{};
  std::array<double, 3> gradient{};
  std::array<double, 3> centre{};
  std::array<double, 3> magnetic{};
};

/// Options of a particle-in-cell loop. Grid and time step have no default. Units are the caller's, as for Poisson: a
/// charge q far away has the potential q / (4 pi r).
struct PicOptions {
  PoissonMethod method = PoissonMethod::vico_dct;
  std::array<int, 3> grid{};           ///< cells per direction, as in PoissonOptions
  std::array<double, 3> box{1, 1, 1};  ///< edges; the box begins at 0
  std::array<bool, 3> periodic{};  ///< periodic directions, which particles leave on one side and enter on the other.
                                   ///< The other directions are open for the field and reflect particles
  double time_step = 0;            ///< above 0
  double charge_per_mass = 1;      ///< of every particle, not 0; it determines the masses
  ExternalFields external{};
};

/// Sums over all particles, with positions and velocities at the same time. The sum of the energies is constant except
/// for errors of second order in the time step, and grid noise.
struct PicTotals {
  double time = 0;
  double charge = 0;                 ///< on the grid: density times volume, over all cells
  double kinetic = 0;                ///< m v^2 / 2
  double field = 0;                  ///< of the particles' own field, q phi / 2
  double external = 0;               ///< potential energy in the external electric field, 0 at its centre
  std::array<double, 3> momentum{};  ///< m v

  double energy() const { return kinetic + field + external; }
};

/// What to read of a loop. Empty spans and null totals are skipped. With several ranks, each gets what it asks for, and
/// of particles those that it gave.
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

/// Charged particles that move in their own electric field and in external fields. A step is: the first half of the
/// acceleration, the motion, scattering the charges onto the grid (cloud in cell), Poisson's equation, gathering the
/// field at the particles, the second half of the acceleration. Each half is half of E and half of Boris's rotation by
/// B (Birdsall and Langdon, 1991, Sec. 4-3), in an order that makes a step reversible: second order in the time step.
/// Scattering and gathering use the same weights, so that a particle exerts no force on itself.
///
/// Clouds that reach beyond an open face stay in the outermost cells: no charge is lost. With CPU workers
/// only, results have the same bits under every scheduler. T is double or float. Copies share one loop.
/// Members are thread-safe. With several ranks, all make the loop, advance and read in the same order, from
/// one thread; the options and numbers of steps of rank 0 count. Each gives its own particles, anywhere in the
/// box, or none.
template <class T>
class BasicPic {
 public:
  /// `positions` and `velocities` have three numbers per particle, `charges` one; they are copied. To resume a saved
  /// loop, give its number of steps as `step`: positions, velocities and charges suffice for the next steps to have
  /// the bits of a loop that did not stop, on as many workers and ranks. Throws Error{bad_input} for invalid
  /// options, and for particles that are outside the box or not finite; Error{no_resource} if there is too little
  /// memory.
  BasicPic(Runtime const& runtime, PicOptions const& options, std::span<T const> positions,
           std::span<T const> velocities, std::span<T const> charges, std::int64_t step = 0);

  /// Submits `steps` steps and returns at once; more may be submitted while they run. Throws Error{bad_input} for a
  /// negative number. Solve::wait() throws Error{bad_input} if a particle moves farther than the box in one step;
  /// everything submitted afterwards then fails too.
  Solve advance(int steps = 1);

  /// Submits copying the state after all steps submitted so far. The memory of `into` belongs to the solve until it has
  /// ended. Throws Error{bad_input} for wrong lengths, and for arrays that share memory.
  Solve read(PicRead<T> const& into);

  std::int64_t step() const;               ///< number of submitted steps
  std::size_t particles() const noexcept;  ///< given by this rank
  PicOptions const& options() const noexcept;

 private:
  std::shared_ptr<detail::PicPlan<T>> plan_;
};

using Pic = BasicPic<double>;
using PicSingle = BasicPic<float>;

extern template class BasicPic<double>;
extern template class BasicPic<float>;

}  // namespace nearfar
