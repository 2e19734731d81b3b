// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#if defined(__SANITIZE_THREAD__)
#define NEARFAR_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NEARFAR_THREAD_SANITIZER
#endif
#endif

#ifdef NEARFAR_THREAD_SANITIZER
extern "C" {
void __tsan_release(void*);
void __tsan_acquire(void*);
}
#endif

namespace nearfar {

// For libraries not built with the thread sanitizer, tells it of the order they guarantee: all that a thread
// did before happens_before(p) precedes what another does after happens_after(p). No-ops in other builds.

inline void happens_before([[maybe_unused]] void const* what) noexcept {
#ifdef NEARFAR_THREAD_SANITIZER
  __tsan_release(const_cast<void*>(what));
#endif
}

inline void happens_after([[maybe_unused]] void const* what) noexcept {
#ifdef NEARFAR_THREAD_SANITIZER
  __tsan_acquire(const_cast<void*>(what));
#endif
}

}  // namespace nearfar
