// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/direct/direct.hpp"
#include "tasks/graph.hpp"
#include "tasks/runtime_state.hpp"

#include <nearfar/direct.hpp>

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

void expect_length(char const* what, std::size_t length, std::size_t rows, int per_row) {
  if (length == rows * std::size_t(per_row) && length > 0) return;
  throw Error(Fault::bad_input, std::string(what) + " has " + std::to_string(length) + " numbers (" +
                                    std::to_string(per_row) + " are needed for each of " + std::to_string(rows) +
                                    " points, and at least one point)");
}

template <Kernel K, bool G>
void build(detail::Graph& graph, std::span<double const> sources, std::span<double const> targets,
           std::span<double const> strengths, std::span<double> result) {
  using detail::Data;
  Data source = Data::over("sources", sources.data(), std::int64_t(sources.size()));
  Data strength = Data::over("strengths", strengths.data(), std::int64_t(strengths.size()));
  // Given up together at the end: a handle given up earlier could come back, and the graph would show a dependency.
  std::vector<Data> parts;
  std::size_t const results = std::size_t(result_components(K, G)), count = targets.size() / 3;
  for (std::size_t first = 0; first < count; first += targets_per_task) {
    std::size_t const n = std::min(targets_per_task, count - first);
    Data target = Data::over("targets", targets.data() + 3 * first, std::int64_t(3 * n));
    Data out = Data::over("result", result.data() + results * first, std::int64_t(results * n));
    int const block = int(first / targets_per_task);
    graph.insert<Direct<K, G>>({block}, {block, 20.0 * double(n) * double(sources.size() / 3)}, read(source),
                               read(strength), read(target), write(out));
    parts.push_back(std::move(target));
    parts.push_back(std::move(out));
  }
  for (Data& part : parts) part.release_after_use();
  source.release_after_use();
  strength.release_after_use();
}

}  // namespace

Solve direct(Runtime const& runtime, Kernel kernel, bool gradient, std::span<double const> sources,
             std::span<double const> targets, std::span<double const> strengths, std::span<double> result) {
  if (gradient && kernel != Kernel::laplace)
    throw Error(Fault::bad_input, "a gradient of kernel " + std::string(name(kernel)) +
                                      " was asked for (it is there for laplace only); leave it out");
  expect_length("sources", sources.size(), sources.size() / 3, 3);
  expect_length("targets", targets.size(), targets.size() / 3, 3);
  expect_length("strengths", strengths.size(), sources.size() / 3, strength_components(kernel));
  expect_length("result", result.size(), targets.size() / 3, result_components(kernel, gradient));
  expect_finite("source", sources, 3);
  expect_finite("target", targets, 3);
  expect_finite("strength", strengths, strength_components(kernel));

  auto state = std::make_shared<detail::SolveState>(runtime.shared());
  Solve solve(state);
  detail::Graph graph(*state, Implementation::tuned);
  auto submit = [&] {
    switch (kernel) {
      case Kernel::stokeslet: return build<Kernel::stokeslet, false>(graph, sources, targets, strengths, result);
      case Kernel::stresslet: return build<Kernel::stresslet, false>(graph, sources, targets, strengths, result);
      case Kernel::stokes: return build<Kernel::stokes, false>(graph, sources, targets, strengths, result);
      case Kernel::laplace:
        return gradient ? build<Kernel::laplace, true>(graph, sources, targets, strengths, result)
                        : build<Kernel::laplace, false>(graph, sources, targets, strengths, result);
    }
  };
  try {
    submit();
  } catch (...) {
    state->errors().store("submit", 0, "none", std::current_exception());
    state->close();
    throw;
  }
  state->close();
  return solve;
}

}  // namespace nearfar
