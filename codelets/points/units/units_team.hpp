// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu_team.hpp"
#include "codelets/common/launch_list.hpp"
#include "codelets/points/units/units.hpp"
#include "core/math/power_of_two.hpp"

namespace nearfar {

/// What the only GPU block of Units does (codelets/common/gpu_team.hpp): one thread for each vector.
struct UnitsTeam {
  static constexpr int threads = 32;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, UnitsArgs const& args, LaunchList<double const*> const& largest,
                                   StrengthUnit* out) {
    team.step([&](int t, NoState&) {
      for (int v = t; v < args.vectors; v += threads)
        out[v] = unit_of_vector(args, v, largest.count, [&](int i) { return largest.item[i]; });
    });
  }
};

}  // namespace nearfar
