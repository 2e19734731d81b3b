// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/particles/given_strengths.hpp"

#include "codelets/points/bin/bin.hpp"
#include "codelets/points/copy/past_caches.hpp"
#include "codelets/points/units/units.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace nearfar::detail {

namespace {

/// Copies the rows that a rank gives to memory of the solve's own, in portions of `length`, the last of which may be
/// longer, and calls done(portion) after each. Finds the largest strengths of each vector and group, and checks that
/// all are finite, as Bin does where one process has all.
template <class T, class Done>
std::vector<double> copied(std::span<T const> rows, T* to, RowShape const& strengths, int vectors,
                           std::size_t first_source, Loop const& loop, std::size_t length, Done const& done) {
  constexpr std::size_t at_once = 512;  // rows that are in cache when they are read again
  std::size_t const row = std::size_t(strengths.numbers) * std::size_t(vectors), count = rows.size() / row,
                    columns = std::size_t(strengths.groups) * std::size_t(vectors),
                    portions = length > 0 ? count / length : 1;
  std::vector<double> largest(columns, 0);
  for (std::size_t portion = 0; portion < portions; ++portion) {
    std::size_t const start = portion * length, size = (portion + 1 < portions ? start + length : count) - start,
                      parts = parts_for(size);
    std::vector<double> of_parts(parts * columns, 0);
    std::vector<std::size_t> bad(parts, rows.size());
    in_parts(loop, size, parts, [&](std::size_t part, std::size_t begin, std::size_t end) {
      std::vector<double> found(columns);
      for (std::size_t first = start + begin; first < start + end; first += at_once) {
        auto const last = std::min(first + at_once, start + end);
        auto const some = rows.subspan(first * row, (last - first) * row);
        copy_past_caches(some.data(), to + first * row, some.size_bytes());
        if (auto const at = std::ranges::find_if(some, [](T value) { return !std::isfinite(value); }); at != some.end())
          bad[part] = std::min(bad[part], first * row + std::size_t(at - some.begin()));
        largest_strengths(rows.data(), {strengths, vectors, std::int64_t(first), std::int64_t(last)}, found.data());
        for (std::size_t c = 0; c < columns; ++c)
          of_parts[part * columns + c] = std::max(of_parts[part * columns + c], found[c]);
      }
    });
    if (std::size_t const at = *std::ranges::min_element(bad); at < rows.size())
      throw not_finite(first_source + at / row, int(at % row), strengths.numbers, vectors, double(rows[at]));
    for (std::size_t i = 0; i < of_parts.size(); ++i)
      largest[i % columns] = std::max(largest[i % columns], of_parts[i]);
    done(portion);
  }
  return largest;
}

}  // namespace

template <class T>
GivenStrengths<T> given_strengths(Ranks const& ranks, PlannedPoints<T> const& points,
                                  GivenArrays<T const> const& arrays, RowShape const& strengths, int vectors,
                                  Loop const& workers) {
  std::span<T const> const mine = arrays.front();
  constexpr std::size_t few_bytes = std::size_t(2) << 20;  // which one thread copies before workers are free
  Loop const loop = mine.size_bytes() < few_bytes ? Loop(in_turn) : workers;
  std::size_t const row = std::size_t(strengths.numbers) * std::size_t(vectors);
  GivenStrengths<T> given{arrays, std::int64_t(row), {}, 0, {}, {}};
  if (!ranks.several()) return given;
  Routes const& routes = points.routes();
  Arena<T> sent;
  std::vector<int> counts;
  ranks.together([&] {
    std::size_t leaving = 0;
    for (auto const& to : routes.send) {
      counts.push_back(int(to.size()));
      leaving += to.size();
    }
    sent = Arena<T>(leaving * row);
    auto const received = std::size_t(std::accumulate(routes.receive.begin(), routes.receive.end(), std::int64_t(0)));
    given.memory = Arena<T>(std::max(mine.size() + received * row, row));
    T* out = sent.data();
    for (auto const& to : routes.send) {
      T* const begin = std::exchange(out, out + to.size() * row);
      in_parts(loop, to.size(), parts_for(to.size()), [&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) std::copy_n(&mine[to[i] * row], row, begin + i * row);
      });
    }
  });
  {
    auto const arriving =
        ranks.begin_exchange(sent.data(), counts, given.memory.data() + mine.size(), routes.receive, row * sizeof(T));
    ranks.together([&] {
      constexpr std::size_t portions = 2;  // the first is on its way to a GPU while the second is copied
      auto const gpus =
          points.all_on_gpus() ? gpu_workers() : std::vector<unsigned>();  // none where only the graph is tested
      std::size_t const count = mine.size() / row, length = gpus.empty() ? count : count / portions;
      if (!gpus.empty())
        given.pieces = StagedRows<T>("strengths", given.memory.size() / row, int(row), length, given.memory.data());
      auto const send = [&](std::size_t portion) {
        if (given.pieces.any()) given.pieces.send(int(portion), starpu_worker_get_memory_node(gpus.front()));
      };
      auto const first_source = points.source_parts().first[std::size_t(ranks.rank())];
      given.largest = copied(mine, given.memory.data(), strengths, vectors, first_source, loop, length, send);
    });
  }
  ranks.largest(given.largest);
  given.rows = std::span<T const>(given.memory.data(), given.memory.size());
  given.sent_bytes = sent.size() * sizeof(T);
  return given;
}

template GivenStrengths<double> given_strengths(Ranks const&, PlannedPoints<double> const&,
                                                GivenArrays<double const> const&, RowShape const&, int, Loop const&);
template GivenStrengths<float> given_strengths(Ranks const&, PlannedPoints<float> const&,
                                               GivenArrays<float const> const&, RowShape const&, int, Loop const&);

}  // namespace nearfar::detail
