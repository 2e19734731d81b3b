// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/translate/translate_crew.hpp"

namespace nearfar {

/// All shifts of a task, on a stream (cudaStream_t or hipStream_t); returns at once. `links` is how many the table may
/// hold. Takes its work space from the device's own pool, in the order of the stream: it is needed on GPUs only, and a
/// scratch handle would have StarPU allocate it for every worker. Throws std::runtime_error when a launch is refused.
/// No StarPU in here.
template <class T>
class TranslateQueue {
 public:
  TranslateQueue(TranslateLaunch<T> const& launch, std::int64_t links, void* stream);
  ~TranslateQueue();
  TranslateQueue(TranslateQueue const&) = delete;
  TranslateQueue& operator=(TranslateQueue const&) = delete;

  int links_at_once() const { return at_once_; }
  /// Links first .. last, those from these sources.
  void shift(int first, int last, bool add, LaunchList<T const*> const& sources);

 private:
  TranslateLaunch<T> launch_;
  void* stream_;
  int at_once_;
};

}  // namespace nearfar
