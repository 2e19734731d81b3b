// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/direct/direct.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/description/softening.hpp"
#include "tasks/engine/runtime/memory.hpp"
#include "tasks/engine/solve/submit.hpp"
#include "tasks/points/planned_points.hpp"
#include "tasks/points/views/pack.hpp"

#include <nearfar/pair_function.hpp>

#include <cmath>

namespace nearfar {

namespace {

constexpr std::size_t targets_per_task = 64;

void expect_finite(char const* what, std::span<double const> values, int per_row) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw Error(Fault::bad_input, std::string("number ") + std::to_string(i % std::size_t(per_row)) + " of " + what +
                                        " " + std::to_string(i / std::size_t(per_row)) + " is " +
                                        std::to_string(values[i]) +
                                        " (the sum would not be a number); all must be finite");
}

/// Copies of what other ranks gave.
struct Copies {
  std::vector<double> sources, targets, strengths;
};

/// Targets of one task. All were given by one rank, which gets the results.
struct Chunk {
  std::size_t first, count;
  int taker;
};

std::vector<Chunk> chunks_of(detail::Parts const& targets) {
  std::vector<Chunk> chunks;
  int const ranks = int(targets.first.size()) - 1;
  for (int r = 0; r < ranks; ++r)
    for (std::size_t done = 0; done < targets.of(r); done += targets_per_task)
      chunks.push_back({targets.first[std::size_t(r)] + done, std::min(targets_per_task, targets.of(r) - done),
                        ranks > 1 ? r : detail::everywhere});
  return chunks;
}

/// What is summed: numbers for each point, and how the task of one chunk is inserted.
struct PairTask {
  int strengths, results;
  std::function<void(detail::Graph&, std::int64_t first, detail::Label, detail::SolveData const& sources,
                     detail::SolveData const& strengths, detail::SolveData const& targets,
                     detail::SolveData const& out)>
      insert;
};

void build(detail::Graph& graph, PairTask const& task, detail::Ranks const& ranks, detail::Parts const& given,
           std::span<double const> sources, std::span<double const> targets, std::span<double const> strengths,
           std::span<double> result) {
  using detail::SolveData;
  auto const source = SolveData::constant("sources", sources.data(), std::int64_t(sources.size()));
  auto const strength = SolveData::constant("strengths", strengths.data(), std::int64_t(strengths.size()));
  // Released together at the end: a handle released earlier could be reused, and the graph would show a false
  // dependency.
  std::vector<SolveData> parts;
  auto const chunks = chunks_of(given);
  detail::Owners const owners{ranks.count()};
  std::size_t const results = std::size_t(task.results), mine = given.first[std::size_t(ranks.rank())];
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    auto const [first, n, taker] = chunks[c];
    auto target = SolveData::constant("targets", targets.data() + 3 * first, std::int64_t(3 * n));
    auto const numbers = std::int64_t(results * n);
    bool const here = taker == detail::everywhere || taker == ranks.rank();
    auto out =
        here ? SolveData::over("result", result.data() + results * (first - mine), numbers, detail::Home::host(), taker)
             : SolveData::temporary<double>("result", numbers, taker);
    double const flops = 20.0 * double(n) * double(sources.size() / 3);
    int const rank = owners.of(int(c), int(chunks.size()));
    task.insert(graph, std::int64_t(first), {int(c), flops, rank, rank != taker}, source, strength, target, out);
    graph.solve().bring_home(out);
    parts.push_back(std::move(target));
    parts.push_back(std::move(out));
  }
}

PairTask task_of(Kernel kernel, Outputs outputs, std::optional<double> screening, std::optional<double> softening) {
  check_screening(kernel, screening);
  check_softening(kernel, outputs, softening);
  PairTask task{strength_components(kernel), result_components(kernel, outputs), {}};
  visit_kernel(kernel, outputs, [&]<class K>(K) {
    RowColumns const columns = row_columns({0, 1, 2}, K::result_fields, outputs);
    DirectArgs const args{0, columns, screening.value_or(0), softening.value_or(0)};
    task.insert = [args](detail::Graph& graph, std::int64_t first, detail::Label label, auto const& sources,
                         auto const& strengths, auto const& targets, auto const& out) {
      DirectArgs of_chunk = args;
      of_chunk.first = first;
      graph.insert<Direct<K>>(of_chunk, label, read(sources), read(strengths), read(targets), write(out));
    };
  });
  return task;
}

PairTask task_of(detail::PairSum const& sum) {
  return {sum.strengths, sum.results,
          [sum](detail::Graph& graph, std::int64_t first, detail::Label label, auto const& sources,
                auto const& strengths, auto const& targets, auto const& out) {
            graph.insert<DirectOwn>({first, sum.strengths, sum.results, sum.function.get(), sum.add}, label,
                                    read(sources), read(strengths), read(targets), write(out));
          }};
}

/// `given` lives as long as the solve.
Solve submit(Runtime const& runtime, PairTask const& task, std::span<double const> sources,
             std::span<double const> targets, std::span<double const> strengths, std::span<double> result,
             std::shared_ptr<void const> const& given = {}, std::function<void()> const& finally = {},
             std::exception_ptr const& refused = {}) {
  auto const& ranks = runtime.shared()->ranks();
  ranks.together([&] {
    if (refused) std::rethrow_exception(refused);
  });
  auto const parts = detail::parts_of(ranks, sources.size(), targets.size(), Targets::own);
  ranks.together([&] {
    detail::expect_rows("strengths", strengths.size(), sources.size() / 3, task.strengths);
    detail::expect_rows("result", result.size(), targets.size() / 3, task.results);
    detail::expect_apart(
        {{"the result", result}},
        {{"the array of sources", sources}, {"that of targets", targets}, {"that of strengths", strengths}});
    expect_finite("source", sources, 3);
    expect_finite("target", targets, 3);
    expect_finite("strength", strengths, task.strengths);
  });
  detail::SubmitOptions how{.ranks = &ranks};
  how.finally = finally;
  how.sent_bytes = ranks.sent_to_all(sources.size_bytes() + targets.size_bytes() + strengths.size_bytes());
  auto const copies = std::make_shared<Copies>();
  sources = ranks.join(sources, parts.sources, 3, copies->sources);
  targets = ranks.join(targets, parts.targets, 3, copies->targets);
  strengths = ranks.join(strengths, parts.sources, std::size_t(task.strengths), copies->strengths);
  return detail::submit_solve(runtime.shared(), {copies, given}, how, [&](detail::Graph& graph) {
    build(graph, task, ranks, parts.targets, sources, targets, strengths, result);
  });
}

}  // namespace

Solve direct(Runtime const& runtime, Kernel kernel, Outputs outputs, std::span<double const> sources,
             std::span<double const> targets, std::span<double const> strengths, std::span<double> result,
             std::optional<double> screening, std::optional<double> softening) {
  return detail::guarded([&] {
    return submit(runtime, task_of(kernel, outputs, screening, softening), sources, targets, strengths, result);
  });
}

Solve direct(Runtime const& runtime, Kernel kernel, Outputs outputs, RowsIn const& sources, RowsIn const& targets,
             RowsIn const& strengths, RowsOut const& result, std::optional<double> screening,
             std::optional<double> softening) {
  return detail::guarded([&] {
    struct Points {
      BulkVector<double> sources, targets;
    };
    auto const points = std::make_shared<Points>();
    std::exception_ptr of_points;
    try {
      *points = {detail::packed<double>("sources", sources, 3), detail::packed<double>("targets", targets, 3)};
    } catch (...) {
      of_points = std::current_exception();
    }
    return detail::submit_views<double>(
        strengths, strength_components(kernel), result, result_components(kernel, outputs),
        [&](std::span<double const> in, std::span<double> out, std::function<void()> const& finally,
            std::exception_ptr const& refused) {
          return submit(runtime, task_of(kernel, outputs, screening, softening), points->sources, points->targets, in,
                        out, points, finally, of_points ? of_points : refused);
        });
  });
}

Solve detail::direct(Runtime const& runtime, PairSum const& sum, std::span<double const> sources,
                     std::span<double const> targets, std::span<double const> strengths, std::span<double> result) {
  return detail::guarded(
      [&] { return submit(runtime, task_of(sum), sources, targets, strengths, result, sum.function); });
}

}  // namespace nearfar
