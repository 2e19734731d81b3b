// SPDX-License-Identifier: BSD-3-Clause
#include "cli/parameters.hpp"

#include <nlohmann/json.hpp>

namespace nearfar::cli {

namespace {

/// The precision in which a part is computed.
char const* precision_of(Precision solve, bool in_single) { return name_of(in_single ? Precision::single : solve); }

}  // namespace

nlohmann::ordered_json shown(EwaldPlanning const& p, Precision precision) {
  return {{"cutoff", p.cutoff},
          {"split_parameter", p.split_parameter},
          {"grid", p.grid},
          {"window_points", p.window_points},
          {"window_shape", p.window_shape},
          {"near_precision", precision_of(precision, p.near_in_single)},
          {"far_precision", precision_of(precision, p.far_in_single)},
          {"influence", p.influence_table ? "table" : "direct"},
          {"cells", p.cells},
          {"blocks", p.blocks},
          {"slabs", p.slabs},
          {"columns", p.columns},
          {"bytes", p.bytes},
          {"estimated_error", p.estimated_error}};
}

nlohmann::ordered_json shown(FmmPlanning const& p, Precision precision) {
  return {{"order", p.order},
          {"depth", p.depth},
          {"capacity", p.capacity},
          {"well_separation", p.well_separation},
          {"near_precision", precision_of(precision, p.near_in_single)},
          {"boxes", p.boxes},
          {"blocks", p.blocks},
          {"translations", p.translations},
          {"evaluations", p.evaluations},
          {"expansions", p.expansions},
          {"pairs", p.pairs},
          {"bytes", p.bytes},
          {"estimated_error", p.estimated_error}};
}

}  // namespace nearfar::cli
