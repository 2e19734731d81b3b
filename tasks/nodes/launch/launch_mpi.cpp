// SPDX-License-Identifier: BSD-3-Clause
// Which of how many processes this is. MPI knows, and is asked wherever there may be others.
#include "tasks/nodes/launch/launch.hpp"
#include "tasks/nodes/mpi.hpp"

#include <nearfar/gather.hpp>

#include <algorithm>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stop_token>
#include <thread>

namespace nearfar {

namespace detail {

namespace {

bool is_up() {
  int up = 0, down = 0;
  MPI_Initialized(&up);
  MPI_Finalized(&down);
  return up != 0 && down == 0;
}

void end_mpi() {
  if (is_up()) MPI_Finalize();
}

/// Says on stderr, once, why MPI does not start, while it lasts long: a process that never starts it cannot be told
/// from one that is late.
class WaitingForOthers {
  static constexpr std::chrono::seconds patience{20};

  std::mutex mutex_;
  std::condition_variable_any never_;
  std::jthread thread_{[this](std::stop_token const& started) {
    std::unique_lock lock(mutex_);
    never_.wait_for(lock, started, patience, [] { return false; });
    if (started.stop_requested()) return;
    std::fprintf(stderr,
                 "nearfar: this process has waited %lld s for others of the same launcher: MPI starts when all of them "
                 "start it, and one with NEARFAR_MPI=off or --independent never does; give these to all or to none\n",
                 static_cast<long long>(patience.count()));
  }};
};

void start_mpi() {
  WaitingForOthers const notice;
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);  // threads waiting for messages then yield to workers
  int level = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS)
    throw Error(Fault::no_resource, "MPI could not be started (MPI_Init_thread failed); see what it says above");
  std::atexit(end_mpi);  // not earlier: MPI cannot be started again for the next runtime
}

/// "Open MPI v4.1.4"
std::string mpi_name() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string const all(text, std::size_t(length));
  return all.substr(0, all.find_first_of(",\n\t"));
}

/// Whether there may be other processes, which only MPI knows.
bool may_be_several(std::vector<Announcement> const& announced) {
  if (std::ranges::any_of(announced, &Announcement::says_several)) return true;
  auto const tells = [](Announcement const& one) { return one.ranks.has_value(); };
  return !announced.empty() && std::ranges::none_of(announced, tells);
}

/// Whether this MPI is known to find no other process, and would end this one where it is asked.
bool finds_none([[maybe_unused]] std::vector<Announcement> const& announced) {
#ifdef OPEN_MPI
  return announced.size() == 1 && announced.front().needs_pmi;
#else
  return false;
#endif
}

/// By MPI_COMM_WORLD, while MPI is up.
Launch in_world() {
  Launch world;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
  return world;
}

}  // namespace

MPI_Comm common_communicator(void const* given) {
  if (given != nullptr) return *static_cast<MPI_Comm const*>(given);
  return launch().ranks > 1 ? MPI_COMM_WORLD : MPI_COMM_NULL;
}

}  // namespace detail

Launch launch() {
  using namespace detail;
  static std::mutex mutex;
  std::lock_guard const lock(mutex);
  static Launch last;  // what MPI said, for when it has ended
  if (mpi_is_off()) return {};
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended != 0) return last;
  auto const announced = announcements();
  if (!is_up()) {
    if (!may_be_several(announced)) return {};
    if (finds_none(announced)) {
      expect_agreement({}, announced, mpi_name());
      return {};
    }
    start_mpi();
  }
  auto const world = in_world();
  expect_agreement(world, announced, mpi_name());
  return last = world;
}

std::vector<std::string> allgather(std::string const& mine) {
  auto const ranks = std::size_t(launch().ranks);
  if (ranks == 1) return {mine};
  if (mine.size() > INT_MAX / ranks)
    throw Error(Fault::bad_input,
                "a text for all ranks has " + std::to_string(mine.size()) + " bytes, more than MPI counts; send less");
  int const own = int(mine.size());
  std::vector<int> sizes(ranks), begins(ranks, 0);
  MPI_Allgather(&own, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (std::size_t i = 1; i < ranks; ++i) begins[i] = begins[i - 1] + sizes[i - 1];
  std::string together(std::size_t(begins.back() + sizes.back()), ' ');
  MPI_Allgatherv(mine.data(), own, MPI_CHAR, together.data(), sizes.data(), begins.data(), MPI_CHAR, MPI_COMM_WORLD);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < ranks; ++i) all.push_back(together.substr(std::size_t(begins[i]), std::size_t(sizes[i])));
  return all;
}

}  // namespace nearfar
