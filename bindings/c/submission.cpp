// SPDX-License-Identifier: BSD-3-Clause
#include "bindings/c/submission.hpp"

#include "bindings/c/values.hpp"

namespace nearfar::c {

namespace {

static_assert(int(Part::near) == NEARFAR_PART_NEAR && int(Part::far) == NEARFAR_PART_FAR);

constexpr nearfar_submit_options defaults{sizeof(nearfar_submit_options), NEARFAR_PART_WHOLE, 0, nullptr};

}  // namespace

Submission submission(nearfar_submit_options const* options) {
  auto const o = read(options, defaults, "nearfar_submit_options_init");
  return {enumerator<Part>(o.part, 3, "part"), o.after_stream != 0 ? std::optional(Stream{o.stream}) : std::nullopt};
}

}  // namespace nearfar::c

using namespace nearfar;

extern "C" {

void nearfar_submit_options_init(nearfar_submit_options* options, size_t size) {
  c::initialise(c::defaults, options, size);
}
}
