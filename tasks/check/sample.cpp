// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/check/sample.hpp"

#include "codelets/near/check/check_rows.hpp"
#include "core/math/column_sums.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/points/placement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace nearfar::detail {

namespace {

using Real = long double;  // long double has room for squares of doubles

/// Most rows from which the norm of a result is computed.
constexpr std::size_t max_rows = std::size_t(1) << 16;
/// Allowance for what a sample may have missed, in standard deviations of its mean.
constexpr double deviations = 3;

/// Whether there are sums of squares, which are in double.
bool squares_in_range(std::span<double const> of_all, int columns) {
  constexpr double least = 1e-250, most = 1e250;
  if (of_all.empty()) return false;
  auto const squares = of_all.subspan(std::size_t(RowSums::squares), std::size_t(columns));
  return std::ranges::all_of(squares, [](double square) { return square > least && square < most; });
}

}  // namespace

std::vector<std::uint32_t> sample_of(std::size_t count, std::size_t wanted) {
  std::vector<std::uint32_t> sample;
  if (wanted >= count) {
    sample.resize(count);
    std::iota(sample.begin(), sample.end(), 0u);
    return sample;
  }
  // Stratified: one target at random from each of `wanted` equal stretches.
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < wanted; ++i) {
    std::size_t const first = count * i / wanted, last = count * (i + 1) / wanted;
    sample.push_back(std::uint32_t(first + random() % (last - first)));
  }
  return sample;
}

Sample ranked_sample(std::vector<std::uint32_t> const& candidates, std::span<double const> rank, std::size_t wanted) {
  std::size_t const all = candidates.size(), largest = wanted / 2;
  if (wanted >= all) return {candidates};
  std::vector<std::uint32_t> order(all);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::nth_element(order, order.begin() + std::ptrdiff_t(largest), [&](std::uint32_t a, std::uint32_t b) {
    return rank[a] != rank[b] ? rank[a] > rank[b] : a < b;
  });
  std::vector<bool> is_among_largest(all);
  for (std::size_t i = 0; i < largest; ++i) is_among_largest[order[i]] = true;
  std::size_t const rest = all - largest;
  std::vector<std::uint32_t> const others = sample_of(rest, wanted - largest);
  double const share = double(wanted) / double(all), of_others = share * double(rest) / double(others.size());
  Sample sample;
  auto next = others.begin();
  for (std::uint32_t i = 0, of_rest = 0; i < all; ++i) {
    bool const is_other = !is_among_largest[i] && next != others.end() && *next == of_rest;
    if (!is_among_largest[i]) ++of_rest;
    if (is_other) ++next;
    else if (!is_among_largest[i]) continue;
    sample.targets.push_back(candidates[i]);
    sample.weights.push_back(is_other ? of_others : share);
  }
  return sample;
}

template <class T>
CheckSample<T>::CheckSample(Sample targets, std::span<T const> near, std::span<T const> relative,
                            std::vector<Block> const& blocks, double seconds)
    : sample_(std::move(targets)), seconds_(seconds) {
  constexpr double task_seconds = 2e-3, max_groups = 64;
  double const groups = std::clamp(seconds / task_seconds, 1.0, max_groups);
  auto const stride = padded(std::int64_t(sample_.targets.size()));
  auto const place = [&]<class To>(Arena<To>& to, std::span<T const> from) {
    to = Arena<To>(std::size_t(3 * stride));
    for (std::int64_t i = 0; i < stride; ++i)
      for (std::int64_t d = 0; d < 3; ++d) {
        std::int64_t const row = i < std::int64_t(sample_.targets.size()) ? i : 0;
        to.data()[d * stride + i] = To(from[std::size_t(3 * row + d)]);
      }
  };
  place(positions_, near);
  position_ = Data::constant("sample", positions_.data(), 3 * stride);
  if (!relative.empty()) {
    place(relatives_, relative);
    relative_ = Data::constant("sample in cell", relatives_.data(), 3 * stride);
    leaf_table_[4] = std::int32_t(sample_.targets.size());
    leaf_ = Data::constant("leaf of sample", leaf_table_.data(), std::int64_t(leaf_table_.size()));
  }
  double all = 0;
  std::vector<int> order;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    all += blocks[b].sources;
    if (blocks[b].sources > 0) order.push_back(int(b));
  }
  std::ranges::stable_sort(order, {}, [&](int b) { return blocks[std::size_t(b)].owner; });
  for (int b : order) {
    Block const& block = blocks[std::size_t(b)];
    if (groups_.empty() || groups_.back().owner != block.owner || groups_.back().points * groups >= all)
      groups_.emplace_back().owner = block.owner;
    groups_.back().blocks.push_back(b);
    groups_.back().counts.push_back(block.sources);
    groups_.back().points += block.sources;
  }
  for (Group const& g : groups_)
    count_.push_back(Data::constant("counts", g.counts.data(), std::int64_t(g.counts.size())));
}

template <class T>
std::vector<long double> sampled_sums(Sample const& of, std::int64_t stride, std::span<double const> exact,
                                      GivenArrays<T const> const& result, std::size_t first, int vectors,
                                      AskedResults const& asked, double rounding, std::span<double const> of_all) {
  auto const components = std::size_t(vectors * asked.numbers), rows = result.size() / components;
  bool const known_sums = vectors == 1 && squares_in_range(of_all, asked.numbers);
  std::size_t const step = rows / max_rows + 1;
  std::vector<std::uint32_t> spread, sample, number;  // rows for the norm; rows of the sample here, and which of it
  for (std::size_t i = 0; i < rows && !known_sums; i += step) spread.push_back(std::uint32_t(i));
  for (std::size_t i = 0; i < of.targets.size(); ++i)
    if (of.targets[i] >= first && of.targets[i] - first < rows) {
      sample.push_back(std::uint32_t(of.targets[i] - first));
      number.push_back(std::uint32_t(i));
    }
  auto const found = rows_on_host<T>(result, components, sample), known = rows_on_host<T>(result, components, spread);
  std::vector<Real> sums;
  for (int c = 0; c < vectors; ++c) {
    for (auto const& [field, computed, begin] : asked.fields) {
      auto const here = std::size_t(c * asked.numbers + begin), of_exact = std::size_t(c * asked.computed + computed),
                 size = std::size_t(field.size());
      auto const square = [&](T const* row, auto const& expected) {
        Real sum = 0;
        for (std::size_t m = 0; m < size; ++m) {
          Real const difference = Real(row[here + m]) - expected(of_exact + m);
          sum += difference * difference;
        }
        return sum;
      };
      Real wrong = 0, squares = 0, norm = 0;
      for (std::size_t i = 0; i < sample.size(); ++i) {
        T const* const row = &found[i * components];
        Real of_row = square(row, [&](std::size_t m) { return exact[m * std::size_t(stride) + number[i]]; });
        if (rounding > 0) {
          Real const allowed = Real(rounding) * std::sqrt(square(row, [](std::size_t) { return 0; })),
                     rest = std::max(Real(0), std::sqrt(of_row) - allowed);
          of_row = rest * rest;
        }
        of_row *= Real(of.weight(number[i]));
        wrong += of_row;
        squares += of_row * of_row;
      }
      for (std::size_t m = 0; m < size; ++m)
        norm += known_sums ? Real(of_all[std::size_t(RowSums::squares) + here + m])
                           : column_sums(std::span<T const>(known), here + m, components).square;
      if (!spread.empty()) norm *= Real(rows) / Real(spread.size());
      sums.insert(sums.end(), {wrong, squares, norm});
    }
  }
  return sums;
}

double sampled_error(std::span<long double const> sums, std::size_t sampled, std::size_t rows,
                     std::span<double const> least) {
  double worst = 0;
  for (std::size_t i = 0; i < sums.size(); i += 3) {
    Real const mean = sums[i] / Real(sampled), squares = sums[i + 1] / Real(sampled), norm = sums[i + 2] / Real(rows);
    if (mean == 0) continue;
    if (std::size_t const field = least.empty() ? 0 : i / 3 % least.size(); field > 0) {
      Real const first = sums[i - 3 * field + 2] / Real(rows), part = Real(least[field]);
      if (std::max(mean, norm) <= part * part * first) continue;
    }
    // Standard deviation of the mean over the sampled targets, whose errors may differ widely.
    Real const deviation =
        std::sqrt(std::max(Real(0), squares - mean * mean) / Real(sampled) * (1 - Real(sampled) / Real(rows)));
    worst = std::max(worst, double(std::sqrt((mean + deviations * deviation) / norm)));
  }
  return worst;
}

#define NEARFAR_INSTANTIATE(T)                                                                                       \
  template class CheckSample<T>;                                                                                     \
  template std::vector<long double> sampled_sums(Sample const&, std::int64_t, std::span<double const>,               \
                                                 GivenArrays<T const> const&, std::size_t, int, AskedResults const&, \
                                                 double, std::span<double const>);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
