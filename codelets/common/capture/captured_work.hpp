// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/capture/deferred_checks.hpp"

#include <functional>
#include <span>
#include <vector>

namespace nearfar {

/// The streams of work that is recorded: what is put on one runs beside what is on the others.
class RecordedStreams {
 public:
  /// `first`: the stream that records, number 0; of others there are so many as are asked for.
  explicit RecordedStreams(void* first);
  ~RecordedStreams();
  RecordedStreams(RecordedStreams const&) = delete;
  RecordedStreams& operator=(RecordedStreams const&) = delete;

  /// Before anything is put there, when recording has begun.
  void begin();
  /// Puts a piece of work on a stream (as worker_stream() says meanwhile), to begin after these pieces, numbered from 0
  /// as they were put. Throws std::runtime_error if the device refuses.
  void put(int stream, std::span<int const> after, std::function<void()> const& work);
  /// The first stream waits for these pieces: of all streams, the last ones.
  void join(std::span<int const> pieces);

 private:
  void make_stream();
  void* mark(void* stream);
  void wait(void* stream, void* mark);

  std::vector<void*> streams_, marks_;  ///< marks: after each piece
  void* begun_ = nullptr;               ///< the mark at the beginning
};

/// Kernels, fills and transforms that bodies put on a stream, recorded instead of run (a CUDA or HIP graph), and then
/// launched together as often as is wanted, on the memory that they were recorded with. Where that takes less time: a
/// launch costs the host some microseconds, which is more than a kernel for a few thousand points takes.
class CapturedWork {
 public:
  /// `put` puts the work on streams, and joins them: not the first time, since it may not make plans or copy tables
  /// meanwhile. Throws std::runtime_error where the device cannot record what it does; what `put` throws goes on.
  CapturedWork(void* stream, std::function<void(RecordedStreams&)> const& put);
  ~CapturedWork();
  CapturedWork(CapturedWork const&) = delete;
  CapturedWork& operator=(CapturedWork const&) = delete;

  /// On any stream of its device, but not while it runs. Throws std::runtime_error if the device refuses.
  void launch(void* stream) const;
  /// Reports what the checks have found, once what was launched has ended.
  void tell() const { checks_.tell(); }

 private:
  DeferredChecks checks_;
  void* work_ = nullptr;
};

}  // namespace nearfar
