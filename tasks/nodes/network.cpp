// SPDX-License-Identifier: BSD-3-Clause
// How fast messages are between the ranks.
#include "tasks/nodes/messages/message_memory.hpp"
#include "tasks/nodes/mpi.hpp"
#include "tasks/nodes/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

namespace nearfar::detail {

namespace {

NetworkSpeed network_from(std::string const& text) {
  char const* at = text.c_str();
  char* end = nullptr;
  double const latency = std::strtod(at, &end);
  if (end != at && *end == ',' && latency >= 0 && std::isfinite(latency)) {
    double const bandwidth = std::strtod(at = end + 1, &end);
    if (end != at && *end == 0 && bandwidth > 0) return {latency, std::isfinite(bandwidth) ? bandwidth : 0};
  }
  throw Error(
      Fault::bad_input,
      "NEARFAR_NETWORK is '" + text +
          "', which is no network between ranks; give the seconds that a message takes and the bytes per second "
          "that a rank sends, such as 1e-5,1e10");
}

/// Seconds of the fastest of several all-to-all exchanges, with so many bytes for each pair of ranks. `direct`: without
/// MPI, if not null.
double seconds_of_exchange(MPI_Comm ranks, DirectMessages* direct, unsigned node, int count, int bytes, int times) {
  std::size_t const size = std::size_t(bytes) * std::size_t(count);
  MessageMemory const out(node, size), in(node, size);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < times; ++i) {
    MPI_Barrier(ranks);
    double const begin = MPI_Wtime();
    if (direct != nullptr) direct->exchange(in.data(), out.data(), std::size_t(bytes));
    else MPI_Alltoall(out.data(), bytes, MPI_BYTE, in.data(), bytes, MPI_BYTE, ranks);
    least = std::min(least, MPI_Wtime() - begin);
  }
  return least;
}

double to_power_of_two(double x) { return std::exp2(std::round(std::log2(x))); }

NetworkSpeed measured(MPI_Comm ranks, DirectMessages* direct, unsigned node, int count) {
  constexpr int short_times = 50, long_times = 5;
  int const bytes_of_rank = node == STARPU_MAIN_RAM ? 1 << 20 : 1 << 24;  // GPUs' slabs are larger
  int const bytes = std::max(1, bytes_of_rank / count);
  double const latency = seconds_of_exchange(ranks, direct, node, count, 8, short_times),
               all = seconds_of_exchange(ranks, direct, node, count, bytes, long_times);
  double const sent = double(bytes) * (count - 1);
  return {to_power_of_two(std::max(latency, 1e-9)), to_power_of_two(sent / std::max(all - latency, 1e-9))};
}

}  // namespace

bool Ranks::messages_between_gpus() const {
  if (!mpi_) return false;
  bool const by_mpi = message_node(*this) != STARPU_MAIN_RAM;
  return by_mpi || direct_messages()->between_gpus();
}

NetworkSpeed Ranks::network() const {
  if (!mpi_) return {};
  if (network_) return *network_;
  char const* const text = std::getenv("NEARFAR_NETWORK");
  char const* const rates = std::getenv("NEARFAR_RATES");
  bool const measure = decide(
      [&] { return !given_network_ && text == nullptr && (rates == nullptr || std::string_view(rates) != "default"); });
  DirectMessages* const direct = direct_messages()->reaches_all() ? direct_messages() : nullptr;
  unsigned const node = direct != nullptr ? direct->node() : message_node(*this);
  NetworkSpeed const mine = measure ? measured(mpi_->control, direct, node, count_) : NetworkSpeed{};
  network_ = decide([&] {
    if (given_network_) return *given_network_;
    return text != nullptr ? network_from(text) : mine;
  });
  return *network_;
}

}  // namespace nearfar::detail
