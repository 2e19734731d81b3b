// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>
#include <nearfar/nearfar.h>
#include <nearfar/stream.hpp>

#include <optional>

namespace nearfar::c {

/// What options of a submit function say.
struct Submission {
  Part part = Part::whole;
  std::optional<Stream> after{};
};
Submission submission(nearfar_submit_options const* options);

}  // namespace nearfar::c
