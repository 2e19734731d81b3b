// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/direct/place.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearfar::detail {

/// What ranks of one machine tell each other about a message.
struct Word {
  enum class Kind : std::uint32_t {
    offer,  ///< these data are ready to be copied, and stay as they are
    taken   ///< they have been copied
  };
  Kind kind = Kind::offer;
  std::uint64_t number = 0;  ///< that the sender has given to the message
  std::int64_t tag = 0;
  std::uint64_t bytes = 0;
  RemoteMemory memory{};
};

/// Words between all ranks of one machine, in memory that they share: a ring from each rank to each, and a bell that
/// wakes the one who reads. One thread of each rank puts and gets words; any thread may ring.
class Mailboxes {
 public:
  /// Bytes of the part of that memory which belongs to a rank; a multiple of the page.
  static std::size_t bytes(int ranks) noexcept;
  /// Makes the part of one rank, before others use it.
  static void make(void* part, int ranks);

  /// `parts`: those of all ranks; they outlive this.
  Mailboxes(std::vector<void*> parts, int rank);

  int rank() const noexcept { return rank_; }
  int ranks() const noexcept { return int(parts_.size()); }
  /// False: the other rank has too many words to read. Wakes it if not.
  bool put(int to, Word const& word) noexcept;
  /// False: there is none.
  bool get(int from, Word& word) noexcept;
  void ring(int rank) noexcept;
  /// Sleeps until the bell of this rank has been rung since the last wait.
  void wait() noexcept;

 private:
  std::vector<void*> parts_;
  int rank_;
};

}  // namespace nearfar::detail
