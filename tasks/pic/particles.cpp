// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/pic/particles.hpp"

#include "codelets/pic/totals/totals.hpp"

#include <algorithm>

namespace nearfar::detail {

template <class T>
PicParticles<T>::PicParticles(std::span<T const> positions, std::span<T const> velocities, std::span<T const> charges,
                              int blocks, int planes)
    : phases_(6 * charges.size()), charges_(charges.size()), clocks_(std::size_t(blocks)) {
  std::int64_t const all = std::int64_t(charges.size());
  std::ranges::copy(charges, charges_.data());
  for (int b = 0; b < blocks; ++b) {
    std::int64_t const first = b * all / blocks, count = (b + 1) * all / blocks - first;
    T* const phase = phases_.data() + 6 * first;
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t d = 0; d < 3; ++d) {
        phase[d * count + i] = positions[std::size_t(3 * (first + i) + d)];
        phase[(3 + d) * count + i] = velocities[std::size_t(3 * (first + i) + d)];
      }
    clocks_.data()[b] = -1;
    blocks_.push_back(
        {first, count, Data::over("phase", phase, 6 * count), Data::constant("charges", charges_.data() + first, count),
         Data::temporary<T>("sorted", 4 * count), Data::temporary<std::int32_t>("order", planes + 1 + count),
         Data::temporary<T>("field", 3 * count), Data::over("clock", clocks_.data() + b, 1),
         Data::temporary<double>("sums", pic_sums)});
  }
}

template <class T>
std::vector<Handle> PicParticles<T>::all(Data Block::*data) const {
  std::vector<Handle> handles;
  for (auto const& block : blocks_) handles.push_back(block.*data);
  return handles;
}

template <class T>
std::size_t PicParticles<T>::bytes(std::size_t particles, int blocks, int planes) {
  return particles * (14 * sizeof(T) + sizeof(std::int32_t)) +
         std::size_t(blocks) * (std::size_t(planes + 1) * sizeof(std::int32_t) + pic_sums * sizeof(double));
}

template class PicParticles<double>;
template class PicParticles<float>;

}  // namespace nearfar::detail
