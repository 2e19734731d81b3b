// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/copy/past_caches.hpp"

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace nearfar {

#if defined(__SSE2__)

void copy_past_caches(void const* from, void* to, std::size_t bytes) {
  constexpr std::size_t width = sizeof(__m128i);
  auto const* in = static_cast<char const*>(from);
  auto* out = static_cast<char*>(to);
  std::size_t const unaligned = -reinterpret_cast<std::uintptr_t>(out) % width,
                    head = unaligned < bytes ? unaligned : bytes;
  std::memcpy(out, in, head);
  std::size_t i = head;
  for (; i + width <= bytes; i += width)
    _mm_stream_si128(reinterpret_cast<__m128i*>(out + i), _mm_loadu_si128(reinterpret_cast<__m128i const*>(in + i)));
  _mm_sfence();
  std::memcpy(out + i, in + i, bytes - i);
}

#else

void copy_past_caches(void const* from, void* to, std::size_t bytes) { std::memcpy(to, from, bytes); }

#endif

}  // namespace nearfar
