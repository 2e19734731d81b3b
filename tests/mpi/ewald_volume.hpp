// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/energy/energy.hpp"
#include "core/geometry/mutual.hpp"
#include "core/kernels/pairs/packed_source.hpp"
#include "tasks/ewald/plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace nearfar::test {

/// Bytes of data that go to ranks: each counts once for each rank but its owner.
class Sent {
 public:
  explicit Sent(int ranks) : ranks_(ranks), by_owner_(std::size_t(ranks), 0) {}

  void to(int rank, int owner, char const* what, int number, std::int64_t numbers, std::size_t bytes = sizeof(double)) {
    if (ranks_ > 1 && rank != owner && seen_.insert({{what, number}, rank}).second) {
      bytes_ += std::uint64_t(numbers) * bytes;
      by_owner_[std::size_t(owner)] += std::uint64_t(numbers) * bytes;
    }
  }
  std::uint64_t bytes() const { return bytes_; }
  /// Of the rank that sends most.
  std::uint64_t most() const { return *std::max_element(by_owner_.begin(), by_owner_.end()); }

 private:
  int ranks_;
  std::set<std::pair<std::pair<std::string, int>, int>> seen_;
  std::uint64_t bytes_ = 0;
  std::vector<std::uint64_t> by_owner_;
};

/// Whether cells of two blocks are within the cutoff of each other along a direction, going by cells one by one.
inline bool near(Cells const& c, int d, int a, int b) {
  for (int i = c.first_cell(d, a); i < c.first_cell(d, a + 1); ++i)
    for (int j = c.first_cell(d, b); j < c.first_cell(d, b + 1); ++j) {
      int const apart = std::abs(i - j), around = c.periodic[d] ? std::min(apart, c.count[d] - apart) : apart;
      if (around <= c.reach(d)) return true;
    }
  return false;
}

inline bool near(Cells const& c, int a, int b) {
  Block const one = block_at(c, a), other = block_at(c, b);
  for (int d = 0; d < 3; ++d)
    if (!near(c, d, one.at[d], other.at[d])) return false;
  return true;
}

/// Strengths from who gives the sources of a block to who sorts them.
inline void add_given(Sent& sent, detail::PlannedPoints<double> const& points, int block, int strengths, int owner) {
  for (int i = 0; i < points.sources().count(block); ++i) {
    auto const row = points.sources().rows(block)[i];
    sent.to(owner, points.source_parts().rank_of(row), "given", int(row), strengths);
  }
}

/// Results from who finds them, for a range of targets of a block, to who gave the targets.
inline void add_results(Sent& sent, detail::PlannedPoints<double> const& points, int block, PointRange const& range,
                        int owner, int results) {
  for (int i = range.first; i < range.last; ++i) {
    auto const row = points.targets().rows(block)[i];
    sent.to(points.target_parts().rank_of(row), owner, "result", int(row), results);
  }
}

/// Near part: packed sources to who has targets near them, and what is found for them back; strengths to slabs that
/// their windows reach, tiles there and back, slabs to targets; strengths to targets that are the sources, and what
/// these have of the energy to the rank that adds it up. Without what is given and results, where `given`; else results
/// go as PointSet::takers says.
inline std::uint64_t ewald_bytes(detail::PointSet<double> const& points, EwaldOptions const& options, int ranks,
                                 bool given) {
  auto const& setup = points.setup();
  Cells const& c = setup.cells;
  auto const& layout = setup.grid.layout;
  auto const& chunks = points.chunks();
  auto const& of_block = points.owners().block;
  auto const& of_chunk = points.owners().chunk;
  int const results = result_components(options.kernel, options.outputs), row = result_row(results),
            components = std::max(setup.kernel.forward, setup.kernel.inverse);
  int const turn = setup.owners().turn;
  auto const of_slab = [&](int s) { return (s * ranks / layout.slabs + turn) % ranks; };
  auto const of_group = [&](int g) { return (g * ranks / layout.columns + turn) % ranks; };
  std::size_t const number = setup.parameters.far_in_single ? sizeof(float) : sizeof(double);  // of the far part
  Sent sent(ranks);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    int const block = chunks[i].block, rank = of_chunk[i];
    for (int b = 0; b < c.block_count(); ++b) {
      if (!near(c, block, b)) continue;
      auto const stride = points.sources().stride(b);
      if (setup.parameters.near_in_single)
        sent.to(rank, of_block[std::size_t(b)], "packed", b,
                stride * PackedSource<double, float>::width(setup.kernel.strengths), sizeof(float));
      else sent.to(rank, of_block[std::size_t(b)], "packed", b, stride * packed_width(setup.kernel.strengths));
      if (!sums_for_both(c, block_at(c, block), block_at(c, b))) continue;
      for (std::size_t j = 0; j < chunks.size(); ++j)
        if (chunks[j].block == b)
          sent.to(of_chunk[j], rank, "contribution", int(i) * c.block_count() + b, stride * row);
    }
    CyclicRange const touched = slabs_of_block(setup.grid, c, block_at(c, block));
    for (int s = 0; s < touched.count; ++s)
      sent.to(rank, of_slab(touched.item(s)), "slab", touched.item(s),
              components * layout.planes(touched.item(s)) * layout.plane_size(), number);
    if (setup.kernel.has_energy && points.same()) {
      sent.to(rank, of_block[std::size_t(block)], "strengths of block", block,
              points.sources().stride(block) * setup.kernel.strengths, number);
      sent.to(setup.owners().first(), rank, "energy", int(i), energy_sums);
    }
    if (!given)
      for (auto const& taker : points.takers(i))
        sent.to(taker.rank, rank, "result", int(i), std::int64_t(taker.count) * results);
  }
  for (int s = 0; s < layout.slabs; ++s) {
    for (int b = 0; b < c.block_count(); ++b) {
      CyclicRange const touched = slabs_of_block(setup.grid, c, block_at(c, b));
      for (int t = 0; t < touched.count; ++t)
        if (touched.item(t) == s)
          sent.to(of_slab(s), of_block[std::size_t(b)], "strengths of block", b,
                  points.sources().stride(b) * setup.kernel.strengths, number);
    }
    for (int g = 0; g < layout.columns; ++g)
      sent.to(of_group(g), of_slab(s), "tile there and back", s * layout.columns + g,
              4 * components * layout.planes(s) * layout.columns_in(g), number);
  }
  return sent.bytes();
}

/// Strengths that come to a rank, and results that it finds for others: only it knows whose they are.
inline std::uint64_t ewald_bytes_of_rank(detail::PointSet<double> const& points, EwaldOptions const& options, int rank,
                                         int ranks) {
  auto const& owners = points.owners();
  Sent sent(ranks);
  for (int b = 0; b < points.sources().blocks(); ++b)
    if (owners.block[std::size_t(b)] == rank) add_given(sent, points, b, strength_components(options.kernel), rank);
  for (std::size_t i = 0; i < points.chunks().size(); ++i)
    if (owners.chunk[i] == rank)
      add_results(sent, points, points.chunks()[i].block, points.chunks()[i].points, rank,
                  result_components(options.kernel, options.outputs));
  return sent.bytes();
}

}  // namespace nearfar::test
