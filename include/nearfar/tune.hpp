// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/runtime.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace nearfar {

/// Throughput of the workers of this machine in one kind of work, in cores of a reference machine. Plans are chosen by
/// it: the ratios between kinds of work decide the plan, their size the predicted times.
struct Throughput {
  std::string work;  ///< "points", "p2p", ...: stages with the same limits share a row
  double cpu = 0;    ///< one CPU worker while all are busy
  double gpu = 0;    ///< one GPU; 0 if it has no body for it
};

/// The table for the plans of a runtime: measured on this machine, else defaults. Thread-safe.
template <class T>
std::vector<Throughput> throughputs(Runtime const& runtime);

/// Measures the table, keeping all workers of a runtime busy for some seconds, and saves it in the user's folder
/// (NEARFAR_CACHE, else XDG_CACHE_HOME/nearfar, else ~/.cache/nearfar) for this and later processes. Existing plans
/// do not change. Solves in flight disturb the measurement. T is double or float: each has a table. Throws
/// Error{no_resource} if the folder cannot be written, or if there are more CPU workers than processors. Thread-
/// safe.
template <class T>
std::vector<Throughput> tune(Runtime const& runtime);

/// The same for at most half a second, if nothing is saved yet and solves of `points` points take long (20,000 per CPU
/// worker). Plans made with a `count` do so themselves; setting points never does. For programs that know how many
/// points they will have before they know where these are. Thread-safe.
template <class T>
void tune_once(Runtime const& runtime, std::size_t points);

extern template std::vector<Throughput> throughputs<double>(Runtime const&);
extern template std::vector<Throughput> throughputs<float>(Runtime const&);
extern template std::vector<Throughput> tune<double>(Runtime const&);
extern template std::vector<Throughput> tune<float>(Runtime const&);
extern template void tune_once<double>(Runtime const&, std::size_t);
extern template void tune_once<float>(Runtime const&, std::size_t);

}  // namespace nearfar
