// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options.hpp"

#include "cli/commands/machine/machine.hpp"
#include "cli/io/number.hpp"
#include "cli/text.hpp"

#include <nearfar/error.hpp>
#include <nearfar/implementation.hpp>

#include <algorithm>
#include <iterator>

namespace nearfar::cli {

namespace {

constexpr char const* machine = "Machine";
constexpr char const* files = "Files";
constexpr char const* expert = "Parameters (chosen for the tolerance and the machine unless given)";

auto set_text(std::string& text) {
  return [&text](std::string const& value) { text = value; };
}

auto set_true(bool& flag) {
  return [&flag](std::string const&) { flag = true; };
}

template <class Enum>
auto set_name(Enum& target) {
  return [&target](std::string const& value) { target = from_name<Enum>(value); };
}

/// The default in help texts, from the options themselves.
template <class Enum>
std::string unless_given(Enum value) {
  return " [" + std::string(name(value)) + "]";
}

Influence influence_from_name(std::string const& text) {
  if (text == "auto") return Influence::automatic;
  if (text == "direct") return Influence::direct;
  if (text == "table") return Influence::table;
  throw Error{Fault::bad_input, "--influence is '" + text + "', which is not known; take one of auto, direct, table"};
}

ToleranceOf tolerance_of_from_name(std::string const& text) {
  if (text == "parts") return ToleranceOf::parts;
  if (text == "whole") return ToleranceOf::whole;
  throw Error{Fault::bad_input, "--tolerance-of is '" + text + "', which is not known; take one of parts, whole"};
}

Implementation implementation_from_name(std::string const& text) {
  std::string known;
  for (auto const implementation : implementations()) {
    if (name(implementation) == text) return implementation;
    known.append(known.empty() ? "" : ", ").append(name(implementation));
  }
  throw Error{Fault::bad_input, "--implementation is '" + text + "', which is not known; take one of " + known};
}

/// NearPrecision or FarPrecision.
template <class P>
P precision_of_part(std::string const& option, std::string const& text) {
  if (text == "auto") return P::automatic;
  if (text == "double") return P::double_;
  if (text == "single") return P::single;
  throw Error{Fault::bad_input, option + " is '" + text + "', which is not known; take one of auto, double, single"};
}

template <class Has>
std::vector<KernelInfo> kernels_where(Has has) {
  std::vector<KernelInfo> kernels;
  std::ranges::copy_if(kernel_list(), std::back_inserter(kernels), has);
  return kernels;
}

/// Those with an option of their own, as its help names them.
std::string names_with(bool KernelInfo::*option) {
  return kernel_names(kernels_where([option](KernelInfo const& info) { return info.*option; }), false);
}

double positive_option(std::string const& option, std::string const& text) {
  double const value = number_option(option, text);
  if (value > 0) return value;
  throw Error{Fault::bad_input, option + " is '" + text + "', which is not positive; give a number above 0"};
}

}  // namespace

Precision precision_from_name(std::string const& text) {
  if (text == "double") return Precision::double_;
  if (text == "single") return Precision::single;
  throw Error{Fault::bad_input, "--precision is '" + text + "', which is not known; take one of double, single"};
}

char const* name_of(Precision precision) noexcept { return precision == Precision::double_ ? "double" : "single"; }

Options file_options(SolveSettings& s) {
  return {{"--sources", "FILE", "Particles: columns x,y,z and the strengths of the kernel (.csv or .h5)",
           set_text(s.sources), files, true, Shared::input},
          {"--targets", "FILE", "Target points: columns x,y,z [the sources]", set_text(s.targets), files, false,
           Shared::input},
          {"--output", "FILE", "Results in input order (.csv or .h5), or - for CSV on stdout", set_text(s.output),
           files, true, Shared::output},
          {"--report", "FILE.json", "Parameters, errors and times of this run", set_text(s.report), files, false,
           Shared::output},
          {"--dag", "FILE.dot", "The graph of tasks, for Graphviz", set_text(s.dag), files, false, Shared::output},
          {"--quiet", "", "Print nothing but errors", set_true(s.quiet), files, false, Shared::own}};
}

Options runtime_options(RuntimeOptions& r) {
  auto const count = [](char const* option, int& target) {
    return [option, &target](std::string const& text) { target = small_count_option(option, text, 0); };
  };
  auto const cpus = [&r](std::string const& text) {
    r.cpus = small_count_option("--cpus", text, 0);
    if (r.cpus > online_cores())
      throw Error{Fault::no_resource, "--cpus is " + text + ", but this machine has " + std::to_string(online_cores()) +
                                          " cores, which more workers would only share; give at most that"};
  };
  return {{"--scheduler", "NAME", "Scheduling profile, see 'nearfar info' [$STARPU_SCHED, else overlap]",
           set_text(r.scheduler), machine},
          {"--cpus", "N", "CPU workers [all cores]", cpus, machine, false, Shared::own},
          {"--gpus", "N", "GPU workers [all GPUs]", count("--gpus", r.gpus), machine, false, Shared::own},
          {"--trace", "DIR", "Record the tasks; show them with 'nearfar trace DIR'", set_text(r.trace), machine, false,
           Shared::output},
          {independent_flag, "",
           "Under mpirun: each process solves a problem of its own, with options\n"
           "and files of its own [together, as with NEARFAR_MPI=off]",
           [](std::string const&) {}, machine}};
}

Options network_options(RuntimeOptions& r) {
  return {{"--network", "S,B",
           "Under mpirun: a message takes S seconds, a rank sends B bytes per second;\n"
           "plans count on it [$NEARFAR_NETWORK, else measured]",
           [&r](std::string const& text) {
             auto const [latency, bandwidth] = network_option("--network", text);
             r.network = NetworkSpeed{latency, bandwidth};
           },
           machine}};
}

std::string kernel_names(std::vector<KernelInfo> const& kernels, bool columns) {
  constexpr std::size_t width = 70;
  std::string text;
  std::size_t line = 0;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    std::string word(name(kernels[i].kernel));
    if (columns) word += " (" + columns_text(strength_columns(kernels[i].kernel)) + ")";
    if (i + 1 < kernels.size()) word += i + 2 == kernels.size() ? " or" : ",";
    bool const breaks = line > 0 && line + 1 + word.size() > width;
    if (line > 0) text += breaks ? "\n" : " ";
    line = breaks ? word.size() : line + std::size_t(line > 0) + word.size();
    text += word;
  }
  return text;
}

std::vector<KernelInfo> multipole_kernels() {
  return kernels_where([](KernelInfo const& info) { return !info.fmm_outputs.empty(); });
}

Options kernel_options(Kernel& kernel, Outputs& outputs, std::vector<KernelInfo> const& kernels) {
  return {{"--kernel", "NAME", kernel_names(kernels, true) + unless_given(kernel), set_name(kernel)},
          {"--outputs", "NAME,...",
           "What targets get: potential, gradient, hessian (xx, xy, xz, yy, yz, zz), or\nvelocity, "
           "pressure, gradient (flows) [the first]",
           [&outputs](std::string const& text) {
             outputs = {};
             for (std::size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
               end = std::min(text.find(',', begin), text.size());
               outputs = outputs | from_name<Output>(text.substr(begin, end - begin));
             }
           }},
          {"--gradient", "", "Short for --outputs potential,gradient",
           [&outputs](std::string const&) { outputs = Output::potential | Output::gradient; }}};
}

Options virial_option(bool& virial) {
  return {{"--virial", "",
           "Also find the virial, minus the derivative of the energy by strain,\n"
           "for the report (charges and dipoles, without targets); implies the outputs\n"
           "that it is made from: the gradient, of dipoles the Hessian, too",
           [&virial](std::string const&) { virial = true; }}};
}

Options screening_options(std::optional<double>& screening) {
  return {{"--screening", "K",
           names_with(&KernelInfo::screening) +
               " only, which needs it: K > 0 in the potential e^(-K r) q / r,\nin one over the unit of length",
           [&screening](std::string const& text) { screening = positive_option("--screening", text); }}};
}

Options softening_options(std::optional<double>& softening, std::string const& which) {
  return {{"--softening", "L",
           "Charges in free space: q / sqrt(r^2 + L^2) is the potential, as between\nstars; " + which,
           [&softening](std::string const& text) { softening = positive_option("--softening", text); }}};
}

Options box_options(std::array<double, 3>& box) {
  return {{"--box", "LX,LY,LZ", "Edges of the box [1,1,1]; points outside it are wrapped",
           [&box](std::string const& text) { box = box_option("--box", text); }}};
}

Options open_box_options(EwaldSettings& s) {
  return {{"--box", "LX,LY,LZ",
           "Edges of the box. Points outside are wrapped along periodic\n"
           "directions and refused along free ones. An edge of 0 along a\n"
           "free direction follows from the points [1 if periodic, 0 if free]",
           [&s](std::string const& text) {
             s.plan.box = box_option("--box", text, true);
             s.box_given = true;
           }},
          {"--cell", "AX,AY,...,CZ",
           "Instead of a box: the vectors a, b and c of a cell of any shape. Those\n"
           "along free directions are along their axes, and 0 as for --box",
           [&s](std::string const& text) { s.plan.cell = cell_option("--cell", text); }}};
}

void settle_box(EwaldSettings& s) {
  if (s.plan.cell && s.box_given)
    throw Error{Fault::bad_input, "--box and --cell are both given, and each is the period; leave one of them out"};
  if (s.plan.cell) return;
  for (int d = 0; d < 3 && !s.box_given; ++d)
    if (!is_periodic(s.plan.periodicity, d)) s.plan.box[std::size_t(d)] = 0;
}

Options ewald_options(EwaldSettings& s) {
  return {
      {"--periodic", "NAME", "Periodic directions: none, x, y, z, xy, xz, yz or xyz" + unless_given(s.plan.periodicity),
       set_name(s.plan.periodicity)},
      {"--zero-mode", "NAME",
       names_with(&KernelInfo::zero_mode) + ", periodic xyz only: zero-face-flux or\nzero-mean-flow [zero-face-flux]",
       [&s](std::string const& text) { s.plan.zero_mode = from_name<ZeroMode>(text); }},
      {"--gauge-length", "A",
       names_with(&KernelInfo::gauge_length) + ", one periodic direction:\nlength A in the logarithms of rho / A [1]",
       [&s](std::string const& text) { s.plan.gauge_length = positive_option("--gauge-length", text); }},
      {"--tolerance", "T", "Relative l2 error to reach [1e-6]",
       [&s](std::string const& text) { s.plan.tolerance = positive_option("--tolerance", text); }},
      {"--tolerance-of", "NAME",
       "What it is held for: parts (the far part by itself, too) or whole (the sum\n"
       "alone, which makes repeated solves cheaper) [parts]",
       [&s](std::string const& text) { s.plan.tolerance_of = tolerance_of_from_name(text); }},
      {"--precision", "NAME", "double (to 1e-12) or single (to 1e-5) [double]",
       [&s](std::string const& text) { s.precision = precision_from_name(text); }}};
}

Options ewald_expert_options(EwaldSettings& s) {
  auto& plan = s.plan;
  return {
      {"--split", "NAME", "Split of near and far part: pswf or gaussian" + unless_given(plan.split),
       set_name(plan.split), expert},
      {"--window", "NAME", "Window on the grid: kaiser-bessel, pswf or gaussian" + unless_given(plan.window),
       set_name(plan.window), expert},
      {"--cutoff", "R", "Radius of the near part",
       [&plan](std::string const& text) { plan.cutoff = positive_option("--cutoff", text); }, expert},
      {"--split-parameter", "C", "Of the split: c of pswf, xi times the cutoff of gaussian",
       [&plan](std::string const& text) { plan.split_parameter = positive_option("--split-parameter", text); }, expert},
      {"--grid", "NX,NY,NZ", "Grid points of the far part",
       [&plan](std::string const& text) { plan.grid = grid_option("--grid", text); }, expert},
      {"--window-points", "P", "Width of the window in grid points, 4 to 20",
       [&plan](std::string const& text) { plan.window_points = small_count_option("--window-points", text, 1); },
       expert},
      {"--near-precision", "NAME",
       "Precision of pairs within the cutoff: double, single, or auto, which is\n"
       "single for tolerances of 1e-6 and looser if that is faster [auto]",
       [&plan](std::string const& text) {
         plan.near_precision = precision_of_part<NearPrecision>("--near-precision", text);
       },
       expert},
      {"--far-precision", "NAME",
       "Precision of grid and transforms: double, single, or auto, which is single\n"
       "for tolerances of 1e-5 and looser if that is faster [auto]",
       [&plan](std::string const& text) {
         plan.far_precision = precision_of_part<FarPrecision>("--far-precision", text);
       },
       expert},
      {"--influence", "NAME",
       "Influence function in free space: direct, on a padded grid; table, on twice\n"
       "the grid, made once for all solves; or auto, the cheaper one [auto]",
       [&plan](std::string const& text) { plan.influence = influence_from_name(text); }, expert},
      {"--implementation", "NAME",
       "tuned (SIMD), portable (plain) or any (the fastest, GPUs included).\n"
       "P2G also source-ordered, hybrid, and on GPUs grid-ordered; on GPUs G2P also\n"
       "target-ordered, and P2P global-1d, shared-1d, global-2d or shared-2d; with\n"
       "these, other stages run tuned" +
           unless_given(plan.implementation),
       [&plan](std::string const& text) { plan.implementation = implementation_from_name(text); }, expert},
      {"--part", "NAME", "whole, near or far" + unless_given(s.part), set_name(s.part), expert}};
}

Options fmm_options(FmmSettings& s) {
  auto& plan = s.plan;
  Options const options{
      {"--periodic", "NAME", "none, or xyz (charges, dipoles)" + unless_given(plan.periodicity),
       set_name(plan.periodicity)},
      {"--box", "LX,LY,LZ",
       "Edges of the box. A periodic cell wraps points outside, and no edge may\n"
       "exceed another by more than about two. In free space the box holds all\n"
       "points; an edge of 0 follows from them [1 if periodic, 0 if free]",
       [&plan](std::string const& text) { plan.box = box_option("--box", text, true); }},
      {"--boundary", "NAME", "Medium around the periodic cells: tin-foil or vacuum" + unless_given(plan.boundary),
       set_name(plan.boundary)},
      {"--tolerance", "T", "Relative l2 error to reach, also of the gradient [1e-6]",
       [&s](std::string const& text) {
         s.plan.tolerance = positive_option("--tolerance", text);
         s.tolerance_given = true;
       }},
      {"--precision", "NAME", "double (to 1e-10) or single (to 1e-5) [double]",
       [&s](std::string const& text) { s.precision = precision_from_name(text); }}};
  return join({options, softening_options(plan.softening, "L > 0 has to be small beside the leaves of the tree")});
}

Options fmm_expert_options(FmmSettings& s) {
  auto& plan = s.plan;
  auto const count = [](char const* option, std::optional<int>& target, int least) {
    return [option, &target, least](std::string const& text) { target = small_count_option(option, text, least); };
  };
  return {{"--order", "P", "Highest degree of the expansions, instead of a tolerance", count("--order", plan.order, 1),
           expert},
          {"--depth", "D", "Last level of the tree; the root is level 0", count("--depth", plan.depth, 0), expert},
          {"--capacity", "N", "Divide boxes with more than N points; 0: all leaves on one level",
           count("--capacity", plan.capacity, 0), expert},
          {"--well-separation", "W", "1 or 2: boxes up to W apart interact directly",
           count("--well-separation", plan.well_separation, 1), expert},
          {"--near-precision", "NAME",
           "Precision of pairs of points: double, single, or auto, which is single for\n"
           "tolerances of 1e-6 and looser if that is faster [auto]",
           [&plan](std::string const& text) {
             plan.near_precision = precision_of_part<NearPrecision>("--near-precision", text);
           },
           expert},
          {"--implementation", "NAME",
           "tuned (SIMD), portable (plain) or any (the fastest, GPUs included)" + unless_given(plan.implementation),
           [&plan](std::string const& text) { plan.implementation = implementation_from_name(text); }, expert}};
}

void settle_box(FmmSettings& s) {
  if (s.plan.periodicity == Periodicity::xyz && s.plan.box == std::array<double, 3>{0, 0, 0}) s.plan.box = {1, 1, 1};
  if (s.tolerance_given && s.plan.order)
    throw Error{Fault::bad_input,
                "--tolerance and --order are both given, and each decides the other; leave one of them out"};
}

Options join(std::initializer_list<Options> tables) {
  Options all;
  for (auto const& table : tables) all.insert(all.end(), table.begin(), table.end());
  return all;
}

}  // namespace nearfar::cli
