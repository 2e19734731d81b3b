// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/runtime.hpp>

#include <string>

namespace nearfar {

/// The profile to start with: `wanted`, else the environment's STARPU_SCHED, else "lws".
/// Throws Error{bad_input} with the list for a name that StarPU does not have.
std::string choose_scheduler(std::string const& wanted);

}  // namespace nearfar
