// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/pic/particles.hpp"

#include "codelets/pic/totals/totals.hpp"

#include <algorithm>

namespace nearfar::detail {

namespace {

int block_count(std::size_t particles, int blocks) { return int(std::min(std::size_t(blocks), particles)); }

/// Rows of three numbers become three rows.
template <class T>
void transpose(std::span<T const> rows, std::int64_t first, std::int64_t count, T* to) {
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t d = 0; d < 3; ++d) to[d * count + i] = rows[std::size_t(3 * (first + i) + d)];
}

}  // namespace

template <class T>
PicParticles<T>::PicParticles(Ranks const& ranks, Parts const& shares, std::span<T const> positions,
                              std::span<T const> velocities, std::span<T const> charges, int blocks, int planes)
    : count_(shares.all()) {
  ranks.together([&] {  // before data are registered, which all ranks must number alike
    phases_ = Arena<T>(6 * charges.size());
    charges_ = Arena<T>(charges.size());
    clocks_ = Arena<std::int64_t>(std::size_t(block_count(charges.size(), blocks)));
  });
  std::ranges::copy(charges, charges_.data());
  for (int rank = 0; rank < ranks.count(); ++rank) {
    std::int64_t const share = std::int64_t(shares.of(rank));
    int const own = block_count(std::size_t(share), blocks), owner = ranks.several() ? rank : everywhere;
    for (int b = 0; b < own; ++b) {
      std::int64_t const at = b * share / own, count = (b + 1) * share / own - at;
      Block block{.first = std::int64_t(shares.first[std::size_t(rank)]) + at, .count = count, .owner = owner};
      if (rank == ranks.rank()) {
        T* const phase = phases_.data() + 6 * at;
        transpose(positions, at, count, phase);
        transpose(velocities, at, count, phase + 3 * count);
        clocks_.data()[b] = -1;
        block.phase = Data::over("phase", phase, 6 * count, Home::host(), owner);
        block.charge = Data::constant("charges", charges_.data() + at, count);
        block.sorted = Data::temporary<T>("sorted", 4 * count);
        block.order = Data::temporary<std::int32_t>("order", planes + 1 + count);
        block.field = Data::temporary<T>("field", 3 * count);
        block.clock = Data::over("clock", clocks_.data() + b, 1);
      } else {
        block.phase = Data::temporary<T>("phase", 6 * count, owner);
      }
      block.sums = Data::temporary<double>("sums", pic_sums, owner);
      blocks_.push_back(std::move(block));
    }
  }
}

template <class T>
std::vector<Handle> PicParticles<T>::of(int owner, Data Block::*data) const {
  std::vector<Handle> handles;
  for (auto const& block : blocks_)
    if (block.owner == owner) handles.push_back(block.*data);
  return handles;
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
