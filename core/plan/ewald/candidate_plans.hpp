// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/ewald/clustering.hpp"
#include "core/plan/ewald/error/far_model.hpp"
#include "core/plan/ewald/error/split_level.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/ewald/work.hpp"
#include "core/plan/machine.hpp"

#include <array>
#include <vector>

namespace nearfar {

using GridSize = std::array<int, 3>;

/// Grid points along periodic directions, the spacing along free ones: how many points those need follows from the
/// window.
struct GridChoice {
  GridSize size{};
  double spacing = 0;
};

/// A grid; with the accuracy of the split and the window that were found to do for grids like it, that is a plan.
struct Candidate {
  GridChoice grid;
  double finer;
  int level;
  int window_points;
  double cost = 0;
};

/// What candidates are as plans, and what these would cost. Parameters set by hand are those of all of them.
class CandidatePlans {
 public:
  CandidatePlans(EwaldOptions const& options, std::size_t sources, std::size_t targets, Clustering const& clustering,
                 Machine const& machine);

  double sources() const noexcept { return sources_; }
  std::vector<GridChoice> const& grids() const noexcept { return grids_; }
  /// Grids that are wide enough for any window: short edges may have too few points for the one that is needed.
  void widen_grids();
  int min_window() const noexcept { return min_window_; }
  SplitLevels& levels() noexcept { return levels_; }

  /// The highest wave number that the grid holds in every direction.
  double highest(Candidate const& c) const;
  /// The window must fit into the grid, which grows with it along free directions unless it is set by hand.
  int widest_window(Candidate const& c) const;
  double cutoff(Candidate const& c) const;
  EwaldPlanning plan(Candidate const& c) const;
  FarModel model(Candidate const& c);

  /// All grids that one found candidate speaks for, with cutoffs up to `longest`.
  std::vector<Candidate> like(Candidate const& found, double longest) const;
  /// The cheapest first.
  void rank(std::vector<Candidate>& candidates) const;

  Work work(EwaldPlanning const& p) const;
  /// Of each vector of strengths, where several are summed at once.
  double cost(EwaldPlanning const& p) const;

 private:
  GridSize grid_of(Candidate const& c) const;

  EwaldOptions options_;
  double sources_, targets_;
  Clustering clustering_;
  Machine machine_;
  SplitLevels levels_;
  int min_window_;
  std::vector<GridChoice> grids_;
};

}  // namespace nearfar
