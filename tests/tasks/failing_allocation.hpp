// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar::test {

/// Of the allocations of C++ code in this process, and of libnearfar's own by malloc (not under sanitizers, which have
/// another), the n-th from now on fails, whatever its thread; 0: none does.
void fail_allocation(long n) noexcept;

/// Whether the one to fail has come, and the number of those since fail_allocation.
bool allocation_failed() noexcept;
long allocations() noexcept;

/// What C++ code has allocated and not given back.
long live_allocations() noexcept;

}  // namespace nearfar::test
