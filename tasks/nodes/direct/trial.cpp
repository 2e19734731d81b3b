// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/direct/trial.hpp"

#include "tasks/nodes/messages/message_memory.hpp"

#if defined(NEARFAR_WITH_GPUS)
#include "codelets/common/gpu/gpu_pointer.hpp"
#include "codelets/common/ipc/gpu_ipc.hpp"
#endif

#include <cstdint>
#include <cstring>
#include <exception>
#include <starpu.h>
#include <thread>

namespace nearfar::detail {

namespace {

/// What rank r has in its memory for the trial.
std::vector<std::uint64_t> pattern(int rank) {
  std::vector<std::uint64_t> words(512);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = std::uint64_t(rank) * 0x9e3779b97f4a7c15u + i;
  return words;
}

void fill(unsigned node, void* to, std::vector<std::uint64_t> const& words) {
  std::size_t const bytes = words.size() * sizeof words[0];
#if defined(NEARFAR_WITH_GPUS)
  if (node != STARPU_MAIN_RAM) return copy_to_gpu(to, words.data(), bytes);
#endif
  static_cast<void>(node);
  std::memcpy(to, words.data(), bytes);
}

std::vector<std::uint64_t> content(unsigned node, void const* from, std::size_t count) {
  std::vector<std::uint64_t> words(count);
  std::size_t const bytes = count * sizeof words[0];
#if defined(NEARFAR_WITH_GPUS)
  if (node != STARPU_MAIN_RAM) {
    copy_from_gpu(words.data(), from, bytes);
    return words;
  }
#endif
  static_cast<void>(node);
  std::memcpy(words.data(), from, bytes);
  return words;
}

/// What the place makes the calling thread's current GPU is undone at the end.
class KeepGpu {
 public:
  KeepGpu() = default;
  KeepGpu(KeepGpu const&) = delete;
  KeepGpu& operator=(KeepGpu const&) = delete;
#if defined(NEARFAR_WITH_GPUS)
  ~KeepGpu() try {
    if (before_ >= 0) make_current(before_);
  } catch (std::exception const&) {  // whoever uses it next will get the error
  }

 private:
  int before_ = current_gpu();
#else
  ~KeepGpu() = default;
#endif
};

struct Named {
  RemoteMemory memory{};
  std::uint64_t there = 0;
};

bool comes_from(int peer, Named const& named, Place& place, unsigned node, void* in, std::vector<std::uint64_t> blank) {
  if (named.there == 0) return false;
  auto const expected = pattern(peer);
  try {
    fill(node, in, blank);
    auto const copy = place.copy(peer, in, named.memory, expected.size() * sizeof expected[0]);
    while (copy && !copy->ended()) std::this_thread::yield();
    return content(node, in, expected.size()) == expected;
  } catch (std::exception const&) {  // this system does not let it
    return false;
  }
}

}  // namespace

std::vector<char> reached_ranks(MPI_Comm local, Place& place, unsigned node, bool willing) {
  int rank = 0, count = 0;
  MPI_Comm_rank(local, &rank);
  MPI_Comm_size(local, &count);
  [[maybe_unused]] KeepGpu const keep;
  auto const mine = pattern(rank);
  std::size_t const bytes = mine.size() * sizeof mine[0];
  MessageMemory const out(node, bytes), in(node, bytes);
  Named named;
  try {
    place.enter();
    fill(node, out.data(), mine);
    named = {place.name(out.data()), willing ? 1u : 0u};
  } catch (std::exception const&) {  // this system does not let it
  }
  std::vector<Named> all(static_cast<std::size_t>(count));
  MPI_Allgather(&named, int(sizeof named), MPI_BYTE, all.data(), int(sizeof named), MPI_BYTE, local);
  std::vector<char> comes(all.size()), goes(all.size());
  for (int peer = 0; peer < count; ++peer)
    comes[std::size_t(peer)] =
        willing && peer != rank && comes_from(peer, all[std::size_t(peer)], place, node, in.data(), pattern(count));
  MPI_Alltoall(comes.data(), 1, MPI_CHAR, goes.data(), 1, MPI_CHAR, local);  // after which no rank reads `out`
  for (std::size_t peer = 0; peer < all.size(); ++peer) comes[peer] = comes[peer] != 0 && goes[peer] != 0;
  return comes;
}

}  // namespace nearfar::detail
