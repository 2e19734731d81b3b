// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>

namespace nearfar {

/// Which part of the sum a stage belongs to; `shared` serves both. The overlap of a solve is near work beside far work.
enum class Branch { shared, near, far };

/// How a stage looks in every picture, and where it stands.
struct StageLook {
  std::string_view name;
  unsigned color = 0xffffff;  ///< 0xRRGGBB
  Branch branch = Branch::shared;
};

/// All stages: a new one needs a row here, or it does not compile.
constexpr std::array stage_looks{
    StageLook{"bin", 0xbbbbbb, Branch::shared},    StageLook{"merge", 0x555555, Branch::shared},
    StageLook{"p2p", 0x4477aa, Branch::near},      StageLook{"collect", 0x77aadd, Branch::shared},
    StageLook{"direct", 0x4477aa, Branch::near},   StageLook{"p2g", 0xee6677, Branch::far},
    StageLook{"fft", 0xccbb44, Branch::far},       StageLook{"scale", 0x66ccee, Branch::far},
    StageLook{"ifft", 0x228833, Branch::far},      StageLook{"g2p", 0xaa3377, Branch::far},
    StageLook{"moment", 0xeeaabb, Branch::shared}, StageLook{"moments", 0xbb7788, Branch::shared},
    StageLook{"p2m", 0xee8866, Branch::far},       StageLook{"m2m", 0xddaa33, Branch::far},
    StageLook{"lattice", 0x44aa99, Branch::far},   StageLook{"m2l", 0x117733, Branch::far},
    StageLook{"l2l", 0x88ccaa, Branch::far},       StageLook{"l2p", 0xcc66aa, Branch::far},
    StageLook{"m2p", 0x996633, Branch::far},       StageLook{"p2l", 0x663399, Branch::far},
    StageLook{"dipole", 0xddddaa, Branch::shared}, StageLook{"dipoles", 0x999933, Branch::shared},
    StageLook{"cell", 0xaabbdd, Branch::shared}};

/// The row of a stage, or none.
constexpr StageLook const* find_look(std::string_view stage) {
  for (auto const& look : stage_looks)
    if (look.name == stage) return &look;
  return nullptr;
}

/// Whether text on this color had better be white.
constexpr bool is_dark(unsigned color) {
  unsigned const red = color >> 16, green = color >> 8 & 255, blue = color & 255;
  return 299 * red + 587 * green + 114 * blue < 140000;
}

constexpr std::string_view name(Branch branch) {
  switch (branch) {
    case Branch::shared: return "shared";
    case Branch::near: return "near";
    case Branch::far: return "far";
  }
  return "";
}

}  // namespace nearfar
