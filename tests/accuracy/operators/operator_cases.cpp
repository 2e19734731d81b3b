// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/operators/operator_cases.hpp"

#include "tests/accuracy/every.hpp"
#include "tests/oracle/oracle.hpp"

#include <cmath>

namespace nearfar::accuracy {

namespace {

constexpr double coarsest_for_single = 1e-5;

/// Multiples of 2^-20 in [-1, 1), so that single precision has the very same sums.
std::vector<double> random_numbers(std::size_t count, unsigned seed) {
  auto numbers = random_points((count + 2) / 3, {2, 2, 2}, seed);
  numbers.resize(count);
  for (double& x : numbers) x = std::floor((x - 1) * 0x1p20) * 0x1p-20;
  return numbers;
}

template <class T>
std::vector<double> solve_in(Runtime const& runtime, Case const& c, std::vector<double> const& points,
                             std::vector<double> const& strengths) {
  EwaldOptions o{.kernel = c.kernel, .outputs = outputs_of(c.kernel), .periodicity = c.periodicity};
  o.box = {1, 1.2, .9};
  o.tolerance = c.tolerance;
  o.split = c.split;
  if (c.kernel == Kernel::yukawa) o.screening = 3;
  BasicEwald<T> plan(runtime, o);
  std::vector<T> const x(points.begin(), points.end()), s(strengths.begin(), strengths.end());
  std::vector<T> u(points.size() / 3 * std::size_t(result_components(o.kernel, o.outputs)));
  plan.submit(plan.set_points(x), s, u).wait();
  return {u.begin(), u.end()};
}

}  // namespace

std::vector<double> OperatorJudge::solve(Runtime const& runtime, Case const& c) const {
  auto const points = place_all(c.distribution, count_, seed_),
             strengths = random_numbers(count_ * std::size_t(strength_components(c.kernel)), seed_ + 1);
  return c.single ? solve_in<float>(runtime, c, points, strengths) : solve_in<double>(runtime, c, points, strengths);
}

namespace {

/// Relative; of what is 0 everywhere, as the pressure of rotlets, the largest number that was found instead.
double error_of(std::vector<double> const& found, std::vector<double> const& exact, int width, int first, int count) {
  double largest = 0, of_found = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    int const column = int(i % std::size_t(width));
    if (column < first || column >= first + count) continue;
    largest = std::max(largest, std::abs(exact[i]));
    of_found = std::max(of_found, std::abs(found[i]));
  }
  return largest == 0 ? of_found : oracle::relative_error(found, exact, width, first, count);
}

}  // namespace

std::map<Output, double> OperatorJudge::errors(Runtime const& runtime, Case const& c) {
  bool const same = c.kernel == judged_.kernel && c.periodicity == judged_.periodicity &&
                    c.distribution == judged_.distribution && c.split != judged_.split;
  if (exact_.empty() || !same) {
    judged_ = c;
    judged_.split = c.split == Split::pswf ? Split::gaussian : Split::pswf;
    judged_.tolerance = 1e-12;
    judged_.single = false;
    exact_ = solve(runtime, judged_);
  }
  auto const found = solve(runtime, c);
  int const width = result_components(c.kernel, outputs_of(c.kernel));
  std::map<Output, double> errors;
  int first = 0;
  for (Output const output : list_of(outputs_of(c.kernel))) {
    int const count = output_components(c.kernel, output);
    errors[output] = error_of(found, exact_, width, first, count);
    first += count;
  }
  return errors;
}

std::vector<Case> operator_cases(std::vector<double> const& tolerances) {
  std::vector<Case> cases;
  for (Kernel const kernel : every_operator)
    for (Periodicity const periodicity : every_periodicity)
      for (Distribution const distribution : every_distribution)
        for (bool const single : {false, true})
          for (double const tolerance : tolerances)
            if (!single || tolerance >= coarsest_for_single)
              cases.push_back({.kernel = kernel,
                               .periodicity = periodicity,
                               .distribution = distribution,
                               .single = single,
                               .tolerance = tolerance});
  return cases;
}

}  // namespace nearfar::accuracy
