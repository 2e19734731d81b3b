// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/direct/mailboxes.hpp"

#include <array>
#include <atomic>
#include <new>
#include <semaphore.h>
#include <utility>

namespace nearfar::detail {

namespace {

constexpr std::uint32_t most_words = 64;
constexpr std::size_t line = 64, page = 4096;

/// Words from one rank to another. Counts go around in 32 bits.
struct Ring {
  alignas(line) std::atomic<std::uint32_t> written{0};
  alignas(line) std::atomic<std::uint32_t> read{0};
  std::array<Word, most_words> words{};
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "processes share them");

struct alignas(line) Bell {
  sem_t rung;
};

Bell& bell_of(void* part) noexcept { return *static_cast<Bell*>(part); }

/// From this rank to the owner of the part.
Ring& ring_of(void* part, int from) noexcept {
  return reinterpret_cast<Ring*>(static_cast<char*>(part) + sizeof(Bell))[from];
}

}  // namespace

std::size_t Mailboxes::bytes(int ranks) noexcept {
  return (sizeof(Bell) + std::size_t(ranks) * sizeof(Ring) + page - 1) / page * page;
}

void Mailboxes::make(void* part, int ranks) {
  sem_init(&(new (part) Bell)->rung, 1, 0);
  for (int from = 0; from < ranks; ++from) new (&ring_of(part, from)) Ring;
}

Mailboxes::Mailboxes(std::vector<void*> parts, int rank) : parts_(std::move(parts)), rank_(rank) {}

bool Mailboxes::put(int to, Word const& word) noexcept {
  Ring& ring = ring_of(parts_[std::size_t(to)], rank_);
  auto const written = ring.written.load(std::memory_order_relaxed);
  if (written - ring.read.load(std::memory_order_acquire) == most_words) return false;
  ring.words[written % most_words] = word;
  ring.written.store(written + 1, std::memory_order_release);
  this->ring(to);
  return true;
}

bool Mailboxes::get(int from, Word& word) noexcept {
  Ring& ring = ring_of(parts_[std::size_t(rank_)], from);
  auto const read = ring.read.load(std::memory_order_relaxed);
  if (ring.written.load(std::memory_order_acquire) == read) return false;
  word = ring.words[read % most_words];
  ring.read.store(read + 1, std::memory_order_release);
  return true;
}

void Mailboxes::ring(int rank) noexcept { sem_post(&bell_of(parts_[std::size_t(rank)]).rung); }

void Mailboxes::wait() noexcept {
  sem_t* const rung = &bell_of(parts_[std::size_t(rank_)]).rung;
  while (sem_wait(rung) != 0) {  // a signal came
  }
  while (sem_trywait(rung) == 0) {
  }
}

}  // namespace nearfar::detail
