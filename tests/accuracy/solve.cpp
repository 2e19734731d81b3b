// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/solve.hpp"

#include "core/kernels/description/description.hpp"
#include "tests/oracle/pair.hpp"

#include <span>

namespace nearfar {

template <class T>
Outcome solve(Runtime const& runtime, System const& s, EwaldOptions options) {
  auto const cast = [](std::vector<double> const& v) { return std::vector<T>(v.begin(), v.end()); };
  options.kernel = s.kernel;
  options.outputs = s.outputs();
  options.periodicity = s.periodicity;
  options.box = s.box;
  bool const open = s.periodicity == Periodicity::xyz && describe(s.kernel).has_double_layer();
  if (!open) options.zero_mode.reset();
  if (options.count == 0) options.count = s.sources.size() / 3;
  BasicEwald<T> ewald(runtime, options);
  auto const sources = cast(s.sources), targets = cast(s.targets), strengths = cast(s.strengths);
  auto const points = sources == targets ? ewald.set_points(sources)
                                         : ewald.set_points(std::span<T const>(sources), std::span<T const>(targets));
  std::vector<T> whole(targets.size() / 3 * oracle::result_row(s.kernel, s.gradient())), far(whole.size());
  ewald.submit(points, strengths, whole).wait();
  ewald.submit(points, strengths, far, Part::far).wait();
  return {{whole.begin(), whole.end()}, {far.begin(), far.end()}, ewald.parameters()};
}

template Outcome solve<double>(Runtime const&, System const&, EwaldOptions);
template Outcome solve<float>(Runtime const&, System const&, EwaldOptions);

std::vector<double> solve_whole(Runtime const& runtime, System const& s, EwaldOptions const& options) {
  return solve(runtime, s, options).whole;
}

}  // namespace nearfar
