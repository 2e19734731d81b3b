// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <array>
#include <istream>

namespace nearfar::cluster {

/// An Ewald sum, periodic in all directions, in double precision, over evenly spread points that are also the targets,
/// as far as its graph depends on it. Each rank gives the points of its part of
/// the box along x.
struct Description {
  Kernel kernel = Kernel::stokes;
  int ranks = 1;
  double points = 0;  ///< of all ranks
  std::array<double, 3> box{};
  double cutoff = 0;
  double split = 0;  ///< parameter of the prolate split: the band of modes is this by the cutoff
  int window = 0;    ///< grid points
  std::array<int, 3> grid{}, cells{}, blocks{};
  int slabs = 0, columns = 0;   ///< of all ranks
  bool near_in_single = false;  ///< pairs are summed in single precision
  bool mutual = false;          ///< pairs of points in two blocks are summed once for both, as CPUs do
  bool on_gpus = false;         ///< each rank is a GPU that runs all stages, in one process or in several

  double neighbours() const;  ///< points within the cutoff of each
};

/// Reads lines of a name and its numbers; blank ones and what follows a # do not count. Throws Error{bad_input} with
/// the line for what is unknown, missing, said twice, or no number.
Description read_description(std::istream& in);

}  // namespace nearfar::cluster
