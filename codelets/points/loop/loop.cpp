// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/loop/loop.hpp"

namespace nearfar {

void LoopPart::portable(Buffers const&, Args const& args) {
  for (std::size_t i = args.first; i < args.last; ++i) (*args.body)(i);
}

}  // namespace nearfar
