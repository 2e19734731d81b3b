// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/runtime.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace nearfar {

/// How fast the workers of this machine are in one kind of work, in cores of a reference machine: what plans are chosen
/// by. Only the ratios of these numbers matter to a plan, their size to predicted times.
struct Throughput {
  std::string work;  ///< "points", "p2p", ...: stages that are limited alike share a row
  double cpu = 0;    ///< of one CPU worker while all are busy
  double gpu = 0;    ///< of one GPU; 0 where that has no body for it
};

/// The table that plans of a runtime go by: as measured on this machine, else defaults. Thread-safe.
template <class T>
std::vector<Throughput> throughputs(Runtime const& runtime);

/// Measures the table on the workers of a runtime, all of which it keeps busy for some seconds, and keeps it in the
/// user's folder (NEARFAR_CACHE, else XDG_CACHE_HOME/nearfar, else ~/.cache/nearfar) for this and later processes.
/// Plans that are already made stay as they are. T is double or float: each has a table. Solves in
/// flight disturb what is measured. Throws Error{no_resource} when the folder cannot be written, or when there are more
/// CPU workers than processors. Thread-safe.
template <class T>
std::vector<Throughput> tune(Runtime const& runtime);

/// The same for half a second at most, where nothing is kept yet and solves of so many points take long (20,000 for
/// each CPU worker). Plans do so themselves when they are made with a `count`; setting points never does. For programs
/// that make plans before they know where points are, but not before they know how many. Thread-safe.
template <class T>
void tune_once(Runtime const& runtime, std::size_t points);

extern template std::vector<Throughput> throughputs<double>(Runtime const&);
extern template std::vector<Throughput> throughputs<float>(Runtime const&);
extern template std::vector<Throughput> tune<double>(Runtime const&);
extern template std::vector<Throughput> tune<float>(Runtime const&);
extern template void tune_once<double>(Runtime const&, std::size_t);
extern template void tune_once<float>(Runtime const&, std::size_t);

}  // namespace nearfar
