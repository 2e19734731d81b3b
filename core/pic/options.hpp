// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/pic/cloud.hpp"
#include "core/pic/motion.hpp"

#include <nearfar/pic.hpp>

#include <cstddef>
#include <span>

namespace nearfar {

/// Throws Error{bad_input} for invalid options, saying what would be right; those of the grid as for Poisson.
void check_options(PicOptions const& options);

/// Throws Error{bad_input} unless there are as many velocities and charges as positions,
/// all finite and in the box. `first`: index of the first particle among all.
template <class T>
void check_particles(PicOptions const& options, std::span<T const> positions, std::span<T const> velocities,
                     std::span<T const> charges, std::size_t first = 0);

/// Throws Error{bad_input} if there are no particles.
void check_particle_count(std::size_t particles);

/// The options of the Poisson solver.
PoissonOptions poisson_options(PicOptions const& options);

Motion make_motion(PicOptions const& options);
CloudGrid make_cloud_grid(PicOptions const& options);

}  // namespace nearfar
