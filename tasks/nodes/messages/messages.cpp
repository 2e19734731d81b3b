// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/messages/messages.hpp"

#include "tasks/nodes/messages/delay.hpp"
#include "tasks/nodes/messages/recording.hpp"
#include "tasks/nodes/mpi.hpp"
#include "tasks/nodes/owners.hpp"

#include <nearfar/error.hpp>

#include <starpu_mpi.h>
#include <string>

namespace nearfar::detail {

void register_owned(Handle handle, int owner, std::int64_t tag, bool lasts) {
  set_owner(handle, owner, lasts);
  if (data_communicator() != MPI_COMM_NULL) starpu_mpi_data_register_comm(handle, tag, owner, data_communicator());
}

int Messages::rank_of(Accesses const& accesses, int wanted) const {
  if (wanted != everywhere) return wanted;
  for (auto const& [handle, mode] : accesses)
    if (handle != nullptr && (mode & STARPU_W) != 0 && owner_of(handle) != everywhere) return owner_of(handle);
  return ranks_.rank();
}

void Messages::move(Handle handle, int from, int to, int priority) {
  if (from == to) return;
  if (recording_ != nullptr) return recording_->message(handle, from, to);
  if (!ranks_.connected()) return pretend(handle, from, to);
  auto const tag = starpu_mpi_data_get_tag(handle);
  auto* const direct = direct_messages();
  bool const sent = from == ranks_.rank();
  if (!sent && to != ranks_.rank()) return;
  bool const is_direct = direct->reaches(sent ? to : from);
  int failed = 0;
  if (sent) {
    void* const message = listener_.begins(listener_.who, {handle, to, true});
    sent_bytes_ += starpu_data_get_size(handle);
    if (is_direct) return direct->send(handle, to, tag, priority, {listener_.ends, message});
    failed = starpu_mpi_isend_detached_prio(handle, to, tag, priority, data_communicator(), listener_.ends, message);
  } else {
    void* const message = listener_.begins(listener_.who, {handle, from, false});
    bool const late = ranks_.message_delay() > 0;
    auto* const ends = late ? nullptr : listener_.ends;
    if (is_direct) direct->receive(handle, from, tag, priority, {ends, message});
    else failed = starpu_mpi_irecv_detached_prio(handle, from, tag, priority, data_communicator(), ends, message);
    if (late && failed == 0) hold_back(handle, ranks_.message_delay(), listener_.ends, message);
  }
  if (failed != 0)
    throw Error(Fault::bug, "StarPU-MPI refused a message between ranks " + std::to_string(from) + " and " +
                                std::to_string(to) + " (it returned " + std::to_string(failed) + "); please report it");
}

void Messages::pretend(Handle handle, int from, int to) {
  bool const sent = from == ranks_.rank();
  if (!sent && to != ranks_.rank()) return;
  if (sent) sent_bytes_ += starpu_data_get_size(handle);
  auto const release = [](void* data) { starpu_data_release(static_cast<Handle>(data)); };
  starpu_data_acquire_cb(handle, sent ? STARPU_R : STARPU_W, release, handle);
}

Messages::Held& Messages::held(Handle handle, int owner) {
  Held& held = held_[handle];
  if (held.owner == everywhere) held = {{owner}, owner, outlives_solves(handle)};
  return held;
}

void Messages::before(Accesses const& accesses, int rank, int priority) {
  for (auto const& [handle, mode] : accesses) {
    if (handle == nullptr) continue;
    int const owner = owner_of(handle);
    if ((mode & STARPU_R) == 0 || owner == everywhere) continue;
    Held& now = held(handle, owner);
    if (now.by(rank)) continue;
    move(handle, owner, rank, priority);
    now.ranks.push_back(rank);
  }
}

void Messages::after(Accesses const& accesses, int rank, int priority) {
  for (auto const& [handle, mode] : accesses) {
    if (handle == nullptr) continue;
    int const owner = owner_of(handle);
    if ((mode & STARPU_W) == 0 || owner == everywhere) continue;
    move(handle, rank, owner, priority);
    held(handle, owner).ranks = rank == owner ? std::vector<int>{owner} : std::vector<int>{owner, rank};
  }
}

void Messages::flush() {
  // Only data that outlive solves: the handles of others may be gone.
  for (auto const& [handle, held] : held_)
    if (held.lasts && held.owner != ranks_.rank() && held.by(ranks_.rank())) starpu_data_invalidate_submit(handle);
  held_.clear();
}

}  // namespace nearfar::detail
