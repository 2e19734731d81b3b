// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/hunt/problem.hpp"

#include "tests/accuracy/hunt/close.hpp"
#include "tests/accuracy/hunt/strengths.hpp"
#include "tests/accuracy/hunt/unusual.hpp"

#include <nearfar/kernels.hpp>

#include <algorithm>
#include <set>
#include <sstream>

namespace nearfar::hunt {

namespace {

/// No two in the same place, of which the sum would be infinite.
Places apart(Places const& given) {
  Places places{given.name, given.box, {}, {}, {}};
  std::set<std::array<double, 3>> taken;
  for (std::size_t i = 0; i < given.count(); ++i)
    if (std::array<double, 3> const at{given.x[3 * i], given.x[3 * i + 1], given.x[3 * i + 2]}; taken.insert(at).second)
      places.add(at, given.kind[i], given.plane[i]);
  return places;
}

std::vector<double> targets(Draw& draw, Places const& sources, std::string& name) {
  enum class Where { same, anywhere, few, far, close };
  Where const where =
      draw.one_of({Where::same, Where::same, Where::same, Where::anywhere, Where::few, Where::far, Where::close});
  name = "the same";
  if (where == Where::same) return sources.x;
  int const count = where == Where::few ? draw.whole(1, 5) : int(draw.scale(1, 500));
  std::vector<double> x;
  std::size_t const first = std::size_t(draw.whole(0, int(sources.count()) - 1));
  for (int i = 0; i < count; ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      double const edge = sources.box[d], of_first = sources.x[3 * first + d];
      if (where == Where::anywhere || where == Where::few) x.push_back(draw.real(0, edge));
      if (where == Where::close)
        x.push_back(std::clamp(of_first + 1e-2 * edge * draw.normal(), 0.0, edge * (1 - 1e-6)));
      // In a small cloud half a box away.
      if (where == Where::far) x.push_back(std::fmod(of_first + edge * draw.real(0.49, 0.51), edge));
    }
  name = where == Where::far ? "far" : where == Where::close ? "close" : "anywhere";
  return x;
}

/// By way of memory, since GCC 12 takes a conversion to float and back for nothing where it makes vectors of them.
void round_to_single(std::vector<double>& numbers) {
  std::vector<float> const rounded(numbers.begin(), numbers.end());
  numbers.assign(rounded.begin(), rounded.end());
}

/// From this number on problems are of any kernel, with any set of its outputs; at first by Ewald's method alone.
constexpr std::uint64_t first_of_any_kernel = 20000;

void draw_any_kernel(std::uint64_t number, Draw& draw, Problem& p) {
  Kernel& kernel = p.system.kernel;
  kernel = draw.one_of({Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace, Kernel::rotlet,
                        Kernel::dipole, Kernel::charge_dipole, Kernel::yukawa, Kernel::doublet});
  p.has_energies = number >= first_of_energies;
  if (p.has_energies) kernel = draw.one_of({Kernel::laplace, Kernel::dipole, Kernel::charge_dipole, Kernel::yukawa});
  p.fmm = p.fmm && number >= first_several && kernel != Kernel::yukawa;
  p.of_any_kernel = true;
  p.outputs = first_output(kernel);
  for (Output const output : list_of(outputs_of(kernel)))
    if (draw.chance(0.6)) p.outputs = p.outputs | output;
  if (kernel == Kernel::yukawa) p.screening = draw.scale(0.3, 30);
  if (p.has_energies) {
    p.virial = draw.chance(0.8);
    KernelInfo const& info = kernel_info(kernel);
    p.outputs = p.outputs | (p.virial ? info.virial_outputs : info.energy_outputs);
  } else if (number >= first_several) {
    p.vectors = draw.whole(2, 4);
    p.judged = draw.whole(0, p.vectors - 1);
  }
}

/// Whether multipole sums repeat it in these problems: of old numbers charges alone.
bool repeats_by_multipoles(Problem const& p) {
  return p.system.kernel == Kernel::laplace || (p.has_energies && p.system.kernel != Kernel::yukawa);
}

oracle::Box box_of(Draw& draw, bool cubic) {
  oracle::Box box{1, 1, 1};
  double const widest = cubic ? 1.3 : draw.one_of({1.0, 1.5, 6.0});
  for (double& edge : box) edge = draw.scale(1, widest);
  return box;
}

}  // namespace

Problem problem(std::uint64_t number, int most, bool single) {
  Draw draw(number);
  Problem p;
  p.fmm = draw.chance(0.35);
  p.single = draw.chance(0.25) || single;
  p.announced = draw.chance(0.3);
  System& s = p.system;
  s.kernel = draw.one_of({Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace, Kernel::laplace});
  s.periodicity = draw.one_of({Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz, Periodicity::xyz});
  p.outputs = s.outputs();
  if (number >= first_of_any_kernel) draw_any_kernel(number, draw, p);
  if (is_skewed(number, p) && s.periodicity < Periodicity::xy) s.periodicity = Periodicity::xy;
  if (p.fmm && (!repeats_by_multipoles(p) || s.periodicity != Periodicity::xyz)) s.periodicity = Periodicity::none;
  if (!p.fmm && draw.chance(0.2)) p.split = Split::gaussian;
  p.tolerance = std::pow(10, p.single ? draw.real(-5, -1.5) : draw.real(-9, -1.5));
  bool const cubic = p.fmm && s.periodicity == Periodicity::xyz;
  oracle::Box const box = box_of(draw, cubic);
  Places places = draw.chance(0.5) ? crystal(draw, most, cubic) : scattered(draw, box, most);
  if (p.single) round_to_single(places.x);
  places = apart(places);
  Strengths made = strengths(draw, s.kernel, places);
  s.box = places.box;
  s.sources = places.x;
  s.strengths = made.rows;
  s.targets = targets(draw, places, p.targets);
  if (p.has_energies) {
    s.targets = s.sources;
    p.targets = "the same";
  }
  if (p.single)
    for (auto* numbers : {&s.targets, &s.strengths}) round_to_single(*numbers);
  p.places = places.name;
  p.strengths = made.name;
  if (number < first_unusual) return p;
  make_unusual(number, p);
  if (is_skewed(number, p)) skew(number, p);
  if (p.single && p.offset == std::array<double, 3>())
    for (auto* numbers : {&s.sources, &s.targets}) round_to_single(*numbers);
  if (is_close(number)) bring_close(number, p);
  return p;
}

std::string describe(std::uint64_t number, Problem const& p) {
  System const& s = p.system;
  std::ostringstream text;
  text << number << ": " << (p.fmm ? "fmm" : "ewald") << ", " << name(s.kernel) << " (" << name(p.outputs)
       << "), periodic " << name(s.periodicity) << ", " << (p.single ? "single" : "double")
       << (p.split == Split::gaussian ? ", gaussian" : "") << (p.announced ? ", announced" : "") << ", tolerance "
       << p.tolerance << ", box " << s.box[0] << " x " << s.box[1] << " x " << s.box[2] << ", " << s.sources.size() / 3
       << " sources (" << p.places << "; " << p.strengths << "), " << s.targets.size() / 3 << " targets (" << p.targets
       << ")" << p.unusual;
  if (p.virial) text << ", virial";
  if (p.vectors > 1) text << ", vector " << p.judged << " of " << p.vectors;
  return text.str();
}

}  // namespace nearfar::hunt
