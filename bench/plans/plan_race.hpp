// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nearfar::cli {

/// What one solve took: on the clock, and of all cores.
struct Timing {
  double seconds = 0, cpu_seconds = 0;
};

/// A plan with its points, ready to be timed.
struct Entrant {
  std::string parameters;         ///< as JSON; two entrants with the same ones are the same plan
  std::function<Timing()> solve;  ///< one solve
};

/// Makes an entrant when its turn comes, so that few of them are in memory at a time; none where the parameters do not
/// reach the tolerance.
using MakeEntrant = std::function<std::optional<Entrant>()>;

struct RaceRules {
  int most = 32;           ///< others that are timed
  int rounds = 9;          ///< of the last two heats; half of them where solves are long
  bool by_cpu = false;     ///< by CPU time, for a machine that does other work too
  double shortest = 0.05;  ///< seconds of solves in each comparison: short solves are repeated
};

/// One plan beside others.
struct RaceResult {
  std::string chosen, best;  ///< parameters
  int others = 0;            ///< that were timed, all different
  int dropped = 0;           ///< of these: so much slower in their first solve that they were not timed again
  Timing chosen_time, best_time;
  // Chosen / best, medians over rounds in which both took turns; that which judges is at least 1.
  double ratio = 1;      ///< on the clock
  double cpu_ratio = 1;  ///< of CPU time
  double predicted = 0;  ///< CPU seconds of the chosen one, by its plan
};

/// Times a plan beside others. Each of them first meets the chosen one alone; the fastest few then take turns with it.
/// A winner that was faster meets it alone once more in fresh rounds, from which the ratio is taken: being the fastest
/// of thirty is to some extent luck, which does not last. Whatever else the machine does slows both of a pair. Throws
/// what `chosen` and `others` throw.
RaceResult race(MakeEntrant const& chosen, std::vector<MakeEntrant> const& others, RaceRules const& rules);

}  // namespace nearfar::cli
