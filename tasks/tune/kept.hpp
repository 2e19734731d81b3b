// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/throughput.hpp"

#include <functional>
#include <optional>
#include <string>

namespace nearfar::detail {

/// The file of the user's folder for the workers that are up: one for each precision, instruction set, number of CPU
/// workers (which slow each other down) and device.
template <class T>
std::string throughput_file();

/// What is kept in a file of the user's folder, read once per process; none where there is none, or where it does not
/// hold the rows of this version. Files may be damaged: speeds that no machine has are not believed, so planners need
/// not be ready for them. Thread-safe.
template <class T>
std::optional<Throughputs> kept_throughputs(std::string const& file);

/// What is kept, or else, and always if `again`, what is measured now, which is then kept, as far as a machine can be
/// like that (clocks may jump); one thread at a time measures. A folder that cannot be written only means that the next
/// process measures again. Thread-safe.
template <class T>
Throughputs keep_throughputs(std::string const& file, std::function<Throughputs()> const& measure, bool again);

}  // namespace nearfar::detail
