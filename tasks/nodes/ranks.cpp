// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/ranks.hpp"
#include "tasks/nodes/machine/slices.hpp"
#include "tasks/nodes/mpi.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <starpu_mpi.h>
#include <string>
#include <thread>

namespace nearfar::detail {

namespace {

using namespace std::chrono_literals;

/// How long a rank that leaves with an error unknown to the others waits for them, before it ends all of them, and how
/// long others wait for one that has left.
constexpr auto patience = 20s;

MPI_Comm current_data = MPI_COMM_NULL, current_end = MPI_COMM_NULL;
DirectMessages* current_direct = nullptr;

struct Message {
  Fault fault = Fault::bug;
  std::string text;
};

Message message_of(std::exception_ptr const& error) {
  try {
    std::rethrow_exception(error);
  } catch (Error const& e) {
    return {e.fault(), e.what()};
  } catch (std::bad_alloc const&) {
    return {Fault::no_resource, "there is not enough memory; use fewer particles, or more or larger machines"};
  } catch (std::exception const& e) {
    return {Fault::bug, e.what()};
  } catch (...) {
    return {Fault::bug, "an exception of unknown type"};
  }
}

void broadcast_from(int rank, void* bytes, std::size_t size, MPI_Comm communicator) {
  constexpr std::size_t most = std::size_t(1) << 30;  // MPI counts in 31 bits
  for (auto* at = static_cast<char*>(bytes); size > 0;) {
    std::size_t const part = std::min(size, most);
    MPI_Request request;
    MPI_Ibcast(at, int(part), MPI_BYTE, rank, communicator, &request);
    wait(request);
    at += part;
    size -= part;
  }
}

/// Whether a rank has taken leave (Ranks::stop_messages), and how long this one has known of it.
class Leavers {
 public:
  /// Ends all ranks if one has left long ago: whatever the caller waits for will not come.
  void end_all_if_missed() {
    if (current_end == MPI_COMM_NULL) return;
    int left = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, current_end, &left, &status);
    auto const now = std::chrono::steady_clock::now();
    if (left == 0 || now - (known_ ? *known_ : known_.emplace(now)) < patience) return;
    int rank = 0;
    MPI_Comm_rank(current_end, &rank);
    std::fprintf(stderr,
                 "nearfar: error: on rank %d: rank %d has left the program, but this one waits for it in a call that "
                 "all ranks make; all are ended\n",
                 rank, status.MPI_SOURCE);
    std::fflush(nullptr);
    MPI_Abort(current_end, int(Fault::bad_input));
  }

 private:
  std::optional<std::chrono::steady_clock::time_point> known_;
};

}  // namespace

MPI_Comm data_communicator() noexcept { return current_data; }
DirectMessages* direct_messages() noexcept { return current_direct; }

void wait(MPI_Request request, AllThere all_there) {
  // Usually the other ranks are only slightly late, and each step of a collective call would sleep, which takes longer
  // than that: so yield first. Long messages have many steps.
  int const soon = all_there == AllThere::yes ? 1'000'000 : 200, later = soon + 100;
  int done = 0;
  Leavers leavers;
  for (int look = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE), done == 0; ++look)
    if (look < soon) std::this_thread::yield();
    else {
      std::this_thread::sleep_for(look < later ? 20us : 200us);
      if (look > later) leavers.end_all_if_missed();
    }
}

Ranks::Ranks(RuntimeOptions const& options) : given_network_(options.network), message_delay_(options.message_delay) {
  MPI_Comm const common = common_communicator(options.communicator);
  if (common == MPI_COMM_NULL) return;
  MPI_Comm_rank(common, &rank_);
  MPI_Comm_size(common, &count_);
  if (count_ == 1) return;
  int level = 0;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE)
    throw Error(Fault::bad_input,
                "MPI was started for one thread at a time (StarPU has a thread of its own that sends and receives); "
                "start it by MPI_Init_thread with MPI_THREAD_MULTIPLE");
  mpi_ = std::make_unique<Mpi>();
  MPI_Comm_dup(common, &mpi_->control);
  MPI_Comm_dup(common, &mpi_->data);
  MPI_Comm_dup(common, &mpi_->end);
  MPI_Comm_split_type(common, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &mpi_->local);
  MPI_Comm_rank(mpi_->local, &local_rank_);
  MPI_Comm_size(mpi_->local, &local_count_);
}

Ranks::Ranks() = default;
Ranks::Ranks(int rank, int count) : rank_(rank), count_(count) {}

Ranks const& Ranks::one() noexcept {
  static Ranks const one;
  return one;
}

Ranks::~Ranks() {
  if (!mpi_) return;
  for (auto* communicator : {&mpi_->control, &mpi_->data, &mpi_->local, &mpi_->end}) MPI_Comm_free(communicator);
}

void Ranks::start_messages() {
  if (!mpi_) return;
  // StarPU would otherwise bind its MPI thread to the core of a worker if each core has one, even while others are
  // idle.
  if (std::getenv("STARPU_MPI_THREAD_CPUID") == nullptr && std::getenv("STARPU_MPI_THREAD_COREID") == nullptr)
    setenv("STARPU_MPI_NOBIND", "1", 0);
  if (starpu_mpi_init_comm(nullptr, nullptr, 0, mpi_->data) != 0)
    throw Error(Fault::no_resource, "StarPU-MPI could not be started; see what it says above");
  // Where its thread shares a core with a busy worker, messages would wait for milliseconds, one after the other.
  shorten_slices("MPI");
  current_data = mpi_->data;
  current_end = mpi_->end;
  current_direct = &mpi_->direct.emplace(mpi_->control, mpi_->local, [this](auto const& error) { abort(error); });
  bool const beside_gpus = starpu_worker_get_count() > starpu_cpu_worker_get_count();
  mpi_->resting.emplace(beside_gpus ? rest_of_ranks_beside_gpus : rest_of_ranks);
}

void Ranks::stop_messages() {
  if (!mpi_) return;
  // A rank that leaves with an error may be the only one that knows of it: do not wait for the others forever.
  bool const failed = std::uncaught_exceptions() > 0;
  auto const end = std::chrono::steady_clock::now() + patience;
  std::vector<MPI_Request> leave(std::size_t(2 * count_),
                                 MPI_REQUEST_NULL);  // empty messages, for those still in wait()
  for (int other = 0; other < count_; ++other) {
    if (other == rank_) continue;
    MPI_Isend(nullptr, 0, MPI_BYTE, other, 0, mpi_->end, &leave[std::size_t(2 * other)]);
    MPI_Irecv(nullptr, 0, MPI_BYTE, other, 0, mpi_->end, &leave[std::size_t(2 * other + 1)]);
  }
  MPI_Request all;
  MPI_Ibarrier(mpi_->end, &all);
  for (int done = 0; MPI_Test(&all, &done, MPI_STATUS_IGNORE), done == 0; std::this_thread::sleep_for(1ms))
    if (failed && std::chrono::steady_clock::now() > end) abort(nullptr);
  MPI_Waitall(int(leave.size()), leave.data(), MPI_STATUSES_IGNORE);
  current_end = MPI_COMM_NULL;
  current_direct = nullptr;
  mpi_->direct.reset();
  starpu_mpi_shutdown_comm(mpi_->data);
  mpi_->resting.reset();
  current_data = MPI_COMM_NULL;
}

void Ranks::agree(std::exception_ptr mine) const {
  if (!mpi_) {
    if (mine) std::rethrow_exception(mine);
    return;
  }
  int const own = mine ? rank_ : count_;
  int first = count_;
  MPI_Request request;
  MPI_Iallreduce(&own, &first, 1, MPI_INT, MPI_MIN, mpi_->control, &request);
  wait(request);
  if (first == count_) return;
  Message message;
  if (first == rank_) message = message_of(mine);
  struct {
    Fault fault;
    std::size_t length;
  } head{message.fault, message.text.size()};
  broadcast_from(first, &head, sizeof head, mpi_->control);
  message.text.resize(head.length);
  broadcast_from(first, message.text.data(), head.length, mpi_->control);
  throw AgreedError(head.fault, (first > 0 ? "on rank " + std::to_string(first) + ": " : std::string()) + message.text);
}

void Ranks::abort(std::exception_ptr why) const noexcept {
  Message const message =
      why ? message_of(why) : Message{Fault::bug, "it ended with an error while the others went on, so all are ended"};
  std::fprintf(stderr, "nearfar: error: on rank %d: %s\n", rank_, message.text.c_str());
  std::fflush(nullptr);
  if (mpi_) MPI_Abort(mpi_->control, int(message.fault));
  std::abort();
}

void Ranks::broadcast(void* bytes, std::size_t size, int from) const {
  if (mpi_) broadcast_from(from, bytes, size, mpi_->control);
}

Parts Ranks::parts(std::size_t mine) const {
  if (!mpi_) return {{0, mine}};
  std::vector<std::uint64_t> counts(std::size_t(count_), 0);
  std::uint64_t const own = mine;
  MPI_Request request;
  MPI_Iallgather(&own, 1, MPI_UINT64_T, counts.data(), 1, MPI_UINT64_T, mpi_->control, &request);
  wait(request);
  Parts parts{{0}};
  for (auto const count : counts) parts.first.push_back(parts.all() + count);
  return parts;
}

namespace {

std::uint64_t reduced(std::uint64_t mine, MPI_Op how, MPI_Comm communicator) {
  std::uint64_t all = 0;
  MPI_Request request;
  MPI_Iallreduce(&mine, &all, 1, MPI_UINT64_T, how, communicator, &request);
  wait(request);
  return all;
}

}  // namespace

std::uint64_t Ranks::sum(std::uint64_t mine) const { return mpi_ ? reduced(mine, MPI_SUM, mpi_->control) : mine; }
std::uint64_t Ranks::largest(std::uint64_t mine) const { return mpi_ ? reduced(mine, MPI_MAX, mpi_->control) : mine; }

std::vector<unsigned char> Ranks::gather_local(void const* bytes, std::size_t size) const {
  std::vector<unsigned char> all(size * std::size_t(local_count_));
  if (mpi_) MPI_Allgather(bytes, int(size), MPI_BYTE, all.data(), int(size), MPI_BYTE, mpi_->local);
  else std::memcpy(all.data(), bytes, size);
  return all;
}

}  // namespace nearfar::detail
