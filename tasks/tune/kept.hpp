// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/throughput.hpp"

#include <functional>
#include <optional>
#include <string>

namespace nearfar::detail {

/// Name of the file, in the user's folder, for the current workers: one for each precision,
/// instruction set, number of CPU workers (which slow each other down) and device.
template <class T>
std::string throughput_file();

/// The content of such a file, read once per process; none if there is no file, or it
/// does not have the rows of this version. Files may be damaged: speeds that no machine
/// has are rejected, so that planners need not be prepared for them. Thread-safe.
template <class T>
std::optional<Throughputs> kept_throughputs(std::string const& file);

/// The kept table, if any; otherwise, and always if `again`, one that is measured now and
/// kept, limited to speeds that are possible (clocks may jump). One thread at a time
/// measures. If the folder cannot be written, the next process measures again. Thread-safe.
template <class T>
Throughputs keep_throughputs(std::string const& file, std::function<Throughputs()> const& measure, bool again);

}  // namespace nearfar::detail
