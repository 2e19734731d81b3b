// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/measure.hpp"

#include "core/ewald/split/profile.hpp"

#include <algorithm>
#include <sstream>

namespace nearfar {

System random_system(Kernel kernel, oracle::Box const& box, std::size_t sources, std::size_t targets, unsigned seed,
                     bool coinciding, bool single) {
  System system{kernel, box, random_points(sources, box, seed), {}, random_strengths(kernel, sources, seed + 1)};
  if (single)
    for (auto* values : {&system.sources, &system.strengths})
      for (double& v : *values) v = double(float(v) < 1 ? float(v) : 0);  // rounding must not leave the cell
  if (coinciding) system.targets.assign(system.sources.begin(), system.sources.begin() + 3 * std::ptrdiff_t(targets));
  else system.targets = random_points(targets, box, seed + 2);
  return system;
}

std::vector<double> whole_reference(System const& s, oracle::ZeroMode zero_mode) {
  if (s.periodicity == Periodicity::none)
    return oracle::free_space(s.kernel, s.gradient(), s.sources, s.targets, s.strengths);
  if (s.periodicity != Periodicity::xyz)
    // The cutoff at which pairs and modes take about as long.
    return oracle::mixed_ewald(s.kernel, s.gradient(), s.periodicity, s.box, s.sources, s.targets, s.strengths,
                               s.periodicity == Periodicity::x ? 10 * s.box[0] : 4 * std::min(s.box[0], s.box[1]));
  return oracle::ewald(s.kernel, s.gradient(), s.box, s.sources, s.targets, s.strengths, 1e-14, 0, zero_mode);
}

std::vector<double> far_reference(System const& s, std::vector<double> const& whole, Split split,
                                  EwaldPlanning const& parameters) {
  Profile const profile(split, parameters.split_parameter, parameters.cutoff);
  double const reach = split == Split::pswf ? 1 : std::max(1.0, 6.3 / parameters.split_parameter);  // erfc(6.3) = 5e-19
  auto all = s.sources;
  all.insert(all.end(), s.targets.begin(), s.targets.end());
  auto const box = oracle::without_images(s.periodicity, s.box, all, parameters.cutoff * reach);
  auto far = oracle::near_part(
      s.kernel, s.gradient(), box, s.sources, s.targets, s.strengths, parameters.cutoff * reach,
      [&](long double r) { return profile.value(r); }, [&](long double r) { return profile.first(r); },
      [&](long double r) { return profile.second(r); });
  for (std::size_t i = 0; i < far.size(); ++i) far[i] = whole[i] - far[i];
  return far;
}

std::string describe(System const& s, Split split, EwaldPlanning const& p) {
  std::ostringstream text;
  text << name(s.kernel) << " " << name(split) << " rc " << p.cutoff << " split " << p.split_parameter << " grid "
       << p.grid[0] << "x" << p.grid[1] << "x" << p.grid[2] << " P " << p.window_points << " estimate "
       << p.estimated_error;
  return text.str();
}

}  // namespace nearfar
