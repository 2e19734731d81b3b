// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar::detail {

/// StarPU ends the process if a variable of its own is not a number where it should
/// be, or if it cannot make its folder. Throws Error{bad_input} before that happens.
void expect_usable_environment();

/// From now on, forked() tells whether this process was forked from one that had a runtime up. Such a child
/// has StarPU's memory but none of its threads: anything that waits for a worker would wait for ever.
void watch_forks();
void runtime_is_up(bool up) noexcept;
bool forked() noexcept;

/// Throws Error{bad_input} in such a child.
void expect_own_process();

}  // namespace nearfar::detail
