// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/measure.hpp"

#include "core/profile.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

namespace nearfar {

System random_system(Kernel kernel, oracle::Box const& box, std::size_t sources, std::size_t targets, unsigned seed,
                     bool coinciding, bool single) {
  System system{kernel, box, random_points(sources, box, seed), {}, random_strengths(kernel, sources, seed + 1)};
  if (single)
    for (auto* values : {&system.sources, &system.strengths})
      for (double& v : *values) v = double(float(v) < 1 ? float(v) : 0);  // rounding must not leave the cell
  if (coinciding)
    system.targets.assign(system.sources.begin(), system.sources.begin() + 3 * std::ptrdiff_t(targets));
  else
    system.targets = random_points(targets, box, seed + 2);
  return system;
}

std::vector<double> whole_reference(System const& s) {
  return oracle::ewald(s.kernel, s.gradient(), s.box, s.sources, s.targets, s.strengths);
}

std::vector<double> far_reference(System const& s, std::vector<double> const& whole, Split split,
                                  EwaldParameters const& parameters) {
  Profile const profile(split, parameters.split_parameter, parameters.cutoff);
  double const reach = split == Split::pswf ? 1 : std::max(1.0, 6.3 / parameters.split_parameter);  // erfc(6.3) = 5e-19
  auto far = oracle::near_part(
      s.kernel, s.gradient(), s.box, s.sources, s.targets, s.strengths, parameters.cutoff * reach,
      [&](long double r) { return profile.value(r); }, [&](long double r) { return profile.first(r); },
      [&](long double r) { return profile.second(r); });
  for (std::size_t i = 0; i < far.size(); ++i) far[i] = whole[i] - far[i];
  return far;
}

template <class T>
Outcome solve(Runtime const& runtime, System const& s, EwaldOptions options) {
  auto const cast = [](std::vector<double> const& v) { return std::vector<T>(v.begin(), v.end()); };
  options.kernel = s.kernel;
  options.gradient = s.gradient();
  options.box = s.box;
  if (options.count == 0) options.count = s.sources.size() / 3;
  BasicEwald<T> ewald(runtime, options);
  auto const sources = cast(s.sources), targets = cast(s.targets), strengths = cast(s.strengths);
  auto const points = ewald.set_points(std::span<T const>(sources), std::span<T const>(targets));
  std::vector<T> whole(targets.size() / 3 * oracle::result_row(s.kernel, s.gradient())), far(whole.size());
  auto whole_solve = ewald.submit(points, strengths, whole);
  auto far_solve = ewald.submit(points, strengths, far, Part::far);
  whole_solve.wait();
  far_solve.wait();
  return {{whole.begin(), whole.end()}, {far.begin(), far.end()}, ewald.parameters()};
}

template Outcome solve<double>(Runtime const&, System const&, EwaldOptions);
template Outcome solve<float>(Runtime const&, System const&, EwaldOptions);

std::vector<double> solve_whole(Runtime const& runtime, System const& s, EwaldOptions const& options) {
  return solve(runtime, s, options).whole;
}

void check_error(std::string const& what, System const& s, std::vector<double> const& result,
                 std::vector<double> const& reference, double tolerance) {
  auto const check = [&](std::string const& column, int width, int first, int count) {
    double const error = oracle::relative_error(result, reference, width, first, count);
    std::ostringstream line;
    line << what << ", " << column << ": error " << error << " (allowed " << tolerance << ")";
    MESSAGE(line.str());
    CHECK_MESSAGE(error < tolerance, line.str());
  };
  if (s.kernel == Kernel::laplace) {
    check("phi", 4, 0, 1);
    check("gradient", 4, 1, 3);
  } else {
    check("u", 3, 0, 3);
  }
}

std::string describe(System const& s, Split split, EwaldParameters const& p) {
  std::ostringstream text;
  text << name(s.kernel) << " " << name(split) << " rc " << p.cutoff << " split " << p.split_parameter << " grid "
       << p.grid[0] << "x" << p.grid[1] << "x" << p.grid[2] << " P " << p.window_points << " estimate "
       << p.estimated_error;
  return text.str();
}

}  // namespace nearfar
