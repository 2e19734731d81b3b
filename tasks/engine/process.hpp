// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar::detail {

/// StarPU ends the process for a variable of its own that should be a number and is none, and where it may not make its
/// folder. Throws Error{bad_input} before it does.
void expect_usable_environment();

/// From here on, forked() tells whether this process is a child of one that had a runtime up when it forked. Such a
/// child has StarPU's memory and none of its threads: what waits for a worker there waits for ever.
void watch_forks();
void runtime_is_up(bool up) noexcept;
bool forked() noexcept;

/// Throws Error{bad_input} in such a child.
void expect_own_process();

}  // namespace nearfar::detail
