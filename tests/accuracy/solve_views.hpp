// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/measure.hpp"

#include <nearfar/nearfar.hpp>

#include <vector>

namespace nearfar::accuracy {

inline RowsIn view(std::vector<double> const& rows, int columns) {
  return RowsIn::packed(rows.data(), rows.size() / std::size_t(columns), columns);
}

struct Answer {
  std::vector<double> rows;
  double told;
};

template <class Plan>
Answer answer(Plan plan, System const& s) {
  auto const points = s.targets == s.sources ? plan.set_points(view(s.sources, 3))
                                             : plan.set_points(view(s.sources, 3), view(s.targets, 3));
  int const columns = result_components(s.kernel, s.outputs());
  std::vector<double> u(points.targets() * std::size_t(columns));
  auto solve = plan.submit(points, view(s.strengths, strength_components(s.kernel)),
                           RowsOut::packed(u.data(), points.targets(), columns));
  solve.wait();
  return {u, solve.report().sampled_error};
}

template <class T>
Answer ewald(Runtime const& runtime, System const& s, double tolerance) {
  return answer(BasicEwald<T>(runtime, {.kernel = s.kernel,
                                        .outputs = s.outputs(),
                                        .periodicity = s.periodicity,
                                        .box = s.box,
                                        .tolerance = tolerance}),
                s);
}

template <class T>
Answer fmm(Runtime const& runtime, System const& s, double tolerance) {
  return answer(BasicFmm<T>(runtime, {.kernel = s.kernel,
                                      .outputs = s.outputs(),
                                      .periodicity = s.periodicity,
                                      .box = s.box,
                                      .tolerance = tolerance}),
                s);
}

}  // namespace nearfar::accuracy
