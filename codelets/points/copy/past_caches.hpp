// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace nearfar {

/// Copies to memory that no core reads soon. Where the processor can, stores go past its
/// caches, so that what is overwritten need not be read first: a third of the traffic less.
void copy_past_caches(void const* from, void* to, std::size_t bytes);

}  // namespace nearfar
