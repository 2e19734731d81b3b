// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/morton.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace nearfar {

namespace {

constexpr std::size_t bucket_items = 4096;  // on average: some 64 KiB
constexpr int table_bits = 12;

/// Buckets that hold about equally many keys, however the keys are distributed: their bounds are drawn from a sample.
class Buckets {
 public:
  Buckets(std::span<MortonKey const> keys, int bits) : shift_(std::max(0, bits - table_bits)) {
    constexpr std::size_t drawn_for_each = 8, most = 1024;
    std::size_t const buckets = std::clamp<std::size_t>(keys.size() / bucket_items, 1, most);
    std::size_t const drawn = std::min(keys.size(), drawn_for_each * buckets);
    std::vector<MortonKey> sample(drawn);
    for (std::size_t i = 0; i < drawn; ++i) sample[i] = keys[i * keys.size() / drawn];
    std::sort(sample.begin(), sample.end());
    for (std::size_t i = drawn_for_each; i < drawn; i += drawn_for_each) bounds_.push_back(sample[i]);
    bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
    for (std::size_t i = 0; i < table_.size(); ++i)
      table_[i] =
          std::uint16_t(std::lower_bound(bounds_.begin(), bounds_.end(), MortonKey(i) << shift_) - bounds_.begin());
  }

  std::size_t count() const noexcept { return bounds_.size() + 1; }

  /// The bucket of a key: how many bounds are at most the key.
  std::uint16_t of(MortonKey key) const noexcept {
    std::size_t const at = std::size_t(key >> shift_);
    auto const begin = bounds_.begin() + table_[at], end = bounds_.begin() + table_[at + 1];
    return std::uint16_t(begin == end ? table_[at] : std::upper_bound(begin, end, key) - bounds_.begin());
  }

 private:
  int shift_;
  std::vector<MortonKey> bounds_;
  std::array<std::uint16_t, (1 << table_bits) + 1> table_;  // for each prefix of keys, the bounds below it
};

bool is_less(NumberedKey const& a, NumberedKey const& b) {
  return a.key != b.key ? a.key < b.key : a.number < b.number;
}

void insertion_sort(std::span<NumberedKey> items) {
  for (std::size_t i = 1; i < items.size(); ++i) {
    NumberedKey const item = items[i];
    std::size_t to = i;
    for (; to > 0 && is_less(item, items[to - 1]); --to) items[to] = items[to - 1];
    items[to] = item;
  }
}

}  // namespace

std::span<NumberedKey> sort_few(std::span<NumberedKey> items, std::span<NumberedKey> spare) {
  constexpr std::size_t few = 12, most_bins = bucket_items;
  MortonKey differ = 0;
  for (NumberedKey const& item : items) differ |= item.key ^ items[0].key;
  if (items.size() <= few || differ == 0) {
    if (items.size() <= few) insertion_sort(items);
    else std::sort(items.begin(), items.end(), is_less);
    return items;
  }
  // By the highest bits that differ, about as many bins as items; then each bin.
  auto const bins = std::min(std::bit_ceil(items.size()), most_bins);
  int const shift = std::max(0, int(std::bit_width(differ)) - std::countr_zero(bins));
  auto const bin_of = [&](NumberedKey const& item) { return std::size_t(item.key >> shift) & (bins - 1); };
  std::array<std::uint32_t, most_bins + 1> end;
  std::fill_n(end.begin(), bins + 1, 0u);
  for (NumberedKey const& item : items) ++end[bin_of(item) + 1];
  for (std::size_t b = 0; b < bins; ++b) end[b + 1] += end[b];
  for (NumberedKey const& item : items) spare[end[bin_of(item)]++] = item;
  for (std::size_t b = 0, first = 0; b < bins; first = end[b++]) {
    auto const bin = spare.subspan(first, end[b] - first);
    if (bin.size() <= few) insertion_sort(bin);
    else std::sort(bin.begin(), bin.end(), is_less);
  }
  return spare.first(items.size());
}

SortedKeys sorted(std::span<MortonKey const> keys, int level, Loop const& loop) {
  std::size_t const count = keys.size(), parts = parts_for(count);
  Buckets const buckets(keys, 3 * level);
  BulkVector<std::uint16_t> bucket(count);
  std::vector<std::vector<std::uint32_t>> place(parts, std::vector<std::uint32_t>(buckets.count(), 0));
  in_parts(loop, count, parts, [&](std::size_t part, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) ++place[part][bucket[i] = buckets.of(keys[i])];
  });
  std::vector<std::uint32_t> begin;
  std::uint32_t next = 0;
  for (std::size_t b = 0; b < buckets.count(); ++b) {
    begin.push_back(next);
    for (auto& places : place) next += std::exchange(places[b], next);
  }
  begin.push_back(next);
  BulkVector<NumberedKey> items(count);
  in_parts(loop, count, parts, [&](std::size_t part, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) items[place[part][bucket[i]]++] = {keys[i], std::uint32_t(i)};
  });
  SortedKeys result{BulkVector<MortonKey>(count), BulkVector<std::uint32_t>(count), level};
  loop(buckets.count(), [&](std::size_t b) {
    std::size_t const size = begin[b + 1] - begin[b];
    BulkVector<NumberedKey> spare(size);
    auto const in_order = sort_few(std::span(items).subspan(begin[b], size), spare);
    for (std::size_t i = 0; i < size; ++i) {
      result.keys[begin[b] + i] = in_order[i].key;
      result.order[begin[b] + i] = in_order[i].number;
    }
  });
  return result;
}

bool are_distinct(SortedKeys const& sorted, Loop const& loop) {
  auto const& keys = sorted.keys;
  std::vector<char> alike(parts_for(keys.size()), 0);
  in_parts(loop, keys.size(), alike.size(), [&](std::size_t part, std::size_t first, std::size_t last) {
    auto const begin = keys.begin() + std::ptrdiff_t(first),
               end = keys.begin() + std::ptrdiff_t(std::min(last + 1, keys.size()));  // and the next part's first
    alike[part] = std::adjacent_find(begin, end) != end;
  });
  return std::count(alike.begin(), alike.end(), 0) == std::ptrdiff_t(alike.size());
}

}  // namespace nearfar
