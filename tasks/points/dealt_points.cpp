// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/dealt_points.hpp"

#include "core/plan/ewald/sample.hpp"
#include "tasks/nodes/exchange_rows.hpp"
#include "tasks/points/worker_loop.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>

namespace nearfar::detail {

namespace {

/// How much one rank sends of a block that another one holds.
struct BlockHead {
  std::uint32_t points, forms;
};

/// Blocks received from one rank, indexed among those that this rank holds, in the form that arrange_piece reads.
template <class T>
struct ReceivedPart {
  std::uint32_t const* begin_;
  BucketedPoint<T> const* points_;

  std::uint32_t const* begin() const { return begin_; }
  BucketedPoint<T> const* points() const { return points_; }
};

}  // namespace

Extent extent_of_all(Ranks const& ranks, Extent const& mine) {
  if (!ranks.connected()) return mine.settled();
  std::array<double, 7> of_all{mine.high[0], mine.high[1], mine.high[2],           -mine.low[0],
                               -mine.low[1], -mine.low[2], mine.finite ? 0.0 : 1.0};
  ranks.largest(of_all);
  return Extent{{-of_all[3], -of_all[4], -of_all[5]}, {of_all[0], of_all[1], of_all[2]}, of_all[6] == 0}.settled();
}

template <class T>
std::vector<T> rows_of_all(Ranks const& ranks, std::span<T const> rows, Parts const& parts, std::size_t most) {
  std::vector<T> mine, store;
  ranks.together([&] {
    std::size_t const all = parts.all(), count = std::min(all, most), begin = parts.first[std::size_t(ranks.rank())],
                      end = parts.first[std::size_t(ranks.rank()) + 1];
    for (std::size_t i = 0; i < count; ++i)
      if (std::size_t const point = sampled(i, count, all); point >= begin && point < end)
        mine.insert(mine.end(), &rows[3 * (point - begin)], &rows[3 * (point - begin)] + 3);
  });
  auto const all = ranks.join(std::span<T const>(mine), ranks.parts(mine.size() / 3), 3, store);
  return {all.begin(), all.end()};
}

template <class T>
DealtPoints<T>::DealtPoints(std::shared_ptr<RuntimeState> const& runtime, Ranks const& ranks, Frame const& frame,
                            std::span<T const> rows, Parts const& parts, char const* what, bool keep_unwrapped)
    : ranks_(ranks), frame_(frame), rows_(rows), parts_(parts), what_(what), keep_unwrapped_(keep_unwrapped),
      loop_(worker_loop(runtime, rows.size() / 3)), blocks_(frame.cells.block_count()) {
  ranks.together([&] {
    if (parts.all() > std::size_t(std::numeric_limits<std::int32_t>::max()))
      throw Error(Fault::bad_input,
                  std::to_string(parts.all()) + " " + what + "s are more than ranks can number together (2^31 - 1)");
    bucket();
    count();
  });
  ranks.sum(of_cells_);
  auto cell = of_cells_.begin();
  for (BlockSize& size : sizes_) {
    auto const end = cell + size.groups;
    size.points = std::accumulate(cell, end, 0);
    cell = end;
  }
}

template <class T>
void DealtPoints<T>::bucket() {
  auto const lookup = cell_lookup(frame_.cells);
  std::size_t const points = rows_.size() / 3;
  words_.resize(sort_parts(points, sort_workers(points)));
  in_parts(loop_, points, words_.size(), [&](std::size_t p, std::size_t first, std::size_t last) {
    words_[p] =
        BulkVector<std::uint32_t>(std::size_t(Buckets<T, std::uint32_t>::size(blocks_, std::int64_t(last - first))));
    std::vector<PlaceInBlock> places(last - first);
    bucket_points(frame_, lookup.data(), rows_.data(), std::int64_t(first), std::int64_t(last), keep_unwrapped_,
                  places.data(), Buckets<T, std::uint32_t>(words_[p].data(), blocks_));
  });
  for (std::size_t p = 0; p < words_.size(); ++p)
    if (std::size_t const bad = part(p).bad(); bad > 0)  // throws with the reason
      place(frame_, &rows_[3 * (bad - 1)], what_, parts_.first[std::size_t(ranks_.rank())] + bad - 1);
}

template <class T>
void DealtPoints<T>::count() {
  std::vector<std::size_t> first_cell;
  std::size_t cells = 0;
  for (int b = 0; b < blocks_; ++b) {
    Block const at = block_at(frame_.cells, b);
    BlockSize& size = sizes_.emplace_back(BlockSize{0, 1});
    for (int d = 0; d < 3; ++d) size.groups *= frame_.cells.cells_in(d, at.at[d]);
    first_cell.push_back(cells);
    cells += std::size_t(size.groups);
  }
  of_cells_.assign(cells, 0);
  loop_(std::size_t(blocks_), [&](std::size_t b) {
    for (std::size_t p = 0; p < words_.size(); ++p) {
      Part const from = part(p);
      for (std::uint32_t i = from.begin()[b]; i < from.begin()[b + 1]; ++i)
        ++of_cells_[first_cell[b] + from.points()[i].cell];
    }
  });
}

template <class T>
BlockedPoints<T> DealtPoints<T>::counted() const {
  return BlockedPoints<T>(sizes_, {.rough = true, .unwrapped = keep_unwrapped_}, of_cells_);
}

template <class T>
BucketedPoint<T>* DealtPoints<T>::copy_block(int block, BucketedPoint<T>* out) const {
  auto const first = std::uint32_t(parts_.first[std::size_t(ranks_.rank())]);
  for (std::size_t p = 0; p < words_.size(); ++p) {
    Part const from = part(p);
    for (std::uint32_t i = from.begin()[block]; i < from.begin()[block + 1]; ++i, ++out) {
      *out = from.points()[i];
      out->row += first;
    }
  }
  return out;
}

template <class T>
OwnRows DealtPoints<T>::own_rows() const {
  OwnRows own;
  std::vector<std::uint64_t> places;  // cell and row
  for (int b = 0; b < blocks_; ++b) {
    places.clear();
    for (std::size_t p = 0; p < words_.size(); ++p) {
      Part const from = part(p);
      for (std::uint32_t i = from.begin()[b]; i < from.begin()[b + 1]; ++i)
        places.push_back(std::uint64_t(from.points()[i].cell) << 32 | from.points()[i].row);
    }
    std::sort(places.begin(), places.end());
    own.row.insert(own.row.end(), places.begin(), places.end());  // the lower half of each: the row
    own.first.push_back(own.row.size());
  }
  return own;
}

/// First exchanges the points per block, which tells how many each rank receives; then the points themselves.
template <class T>
typename DealtPoints<T>::Received DealtPoints<T>::exchange(std::vector<std::vector<int>> const& blocks_of_rank) const {
  auto const& held = blocks_of_rank[std::size_t(ranks_.rank())];
  auto const ranks = blocks_of_rank.size();
  std::vector<BlockHead> sent_heads, heads;
  std::vector<int> sent_rows, received_rows;
  std::vector<std::size_t> counts(ranks, 0);
  BulkVector<BucketedPoint<T>> sent;
  ranks_.together([&] {
    for (std::size_t r = 0; r < ranks; ++r)
      for (int const b : blocks_of_rank[r]) {
        BlockHead head{0, 0};
        for (std::size_t p = 0; p < words_.size(); ++p) {
          head.points += part(p).begin()[b + 1] - part(p).begin()[b];
          head.forms |= part(p).forms()[b];
        }
        counts[r] += head.points;
        sent_heads.push_back(head);
      }
    for (auto const& blocks : blocks_of_rank) sent_rows.push_back(int(blocks.size()));
    received_rows.assign(ranks, int(held.size()));
    heads.resize(ranks * held.size());
    sent.resize(std::accumulate(counts.begin(), counts.end(), std::size_t(0)));
    std::vector<std::size_t> first(ranks);
    std::exclusive_scan(counts.begin(), counts.end(), first.begin(), std::size_t(0));
    loop_(ranks, [&](std::size_t r) {
      auto* out = sent.data() + first[r];
      for (int const b : blocks_of_rank[r]) out = copy_block(b, out);
    });
  });
  ranks_.exchange(sent_heads.data(), sent_rows, heads.data(), received_rows, sizeof(BlockHead));

  Received received{{}, std::vector<std::uint32_t>(held.size(), 0), {}};
  ranks_.together([&] {
    std::vector<std::size_t> of_rank;
    for (std::size_t r = 0; r < ranks; ++r) {
      auto& begin = received.begin.emplace_back(1, 0u);
      for (std::size_t k = 0; k < held.size(); ++k) {
        BlockHead const& head = heads[r * held.size() + k];
        begin.push_back(begin.back() + head.points);
        received.forms[k] |= head.forms;
      }
      of_rank.push_back(begin.back());
    }
    sent_rows = counted_in_31_bits(counts);
    received_rows = counted_in_31_bits(of_rank);
    received.points.resize(std::accumulate(of_rank.begin(), of_rank.end(), std::size_t(0)));
  });
  ranks_.exchange(sent.data(), sent_rows, received.points.data(), received_rows, sizeof(BucketedPoint<T>));
  return received;
}

template <class T>
void DealtPoints<T>::deal(BlockedPoints<T>& points, std::vector<std::vector<int>> const& holders, bool distinct) const {
  std::vector<std::vector<int>> blocks_of_rank(std::size_t(ranks_.count()));
  for (int b = 0; b < blocks_; ++b)
    for (int const r : holders[std::size_t(b)]) blocks_of_rank[std::size_t(r)].push_back(b);
  auto const& held = blocks_of_rank[std::size_t(ranks_.rank())];
  Received const received = exchange(blocks_of_rank);
  ranks_.together([&] {
    points.hold(held);
    std::vector<OwnForms> forms(std::size_t(blocks_), OwnForms{});
    for (std::size_t k = 0; k < held.size(); ++k)
      forms[std::size_t(held[k])] = {(received.forms[k] & Part::near_differs) != 0,
                                     (received.forms[k] & Part::given_differs) != 0};
    points.make_forms(forms);
    std::vector<ReceivedPart<T>> parts;
    BucketedPoint<T> const* first = received.points.data();
    for (auto const& begin : received.begin) {
      parts.push_back({begin.data(), first});
      first += begin.back();
    }
    std::vector<char> twins(held.size(), 0);
    loop_(held.size(), [&](std::size_t k) {
      BlockArrays<T> const block = points.arrays(held[k]);
      auto const out = PieceArrays<T>::of(block, 0, block.cells, 0, block.points);
      BulkVector<BucketedPoint<T> const*> order(std::size_t(out.points));
      arrange_piece(
          frame_, int(k), int(parts.size()), [&](int p) { return parts[std::size_t(p)]; }, out, order.data());
      if (!distinct || holders[std::size_t(held[k])].front() != ranks_.rank()) return;
      std::vector<std::int32_t> table;
      twins[k] = has_twins(out, table);
    });
    for (std::size_t k = 0; k < held.size(); ++k)
      if (twins[k] != 0) points.expect_distinct(held[k], frame_, what_);
    points.register_blocks();
  });
}

template std::vector<double> rows_of_all(Ranks const&, std::span<double const>, Parts const&, std::size_t);
template std::vector<float> rows_of_all(Ranks const&, std::span<float const>, Parts const&, std::size_t);
template class DealtPoints<double>;
template class DealtPoints<float>;

}  // namespace nearfar::detail
