// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/command.hpp"
#include "cli/commands/solves/poisson_run.hpp"
#include "cli/io/grids/grid_file.hpp"
#include "cli/io/number.hpp"
#include "cli/io/particles/particles.hpp"
#include "cli/same_on_ranks.hpp"

#include <nearfar/error.hpp>

#include <cstdlib>
#include <memory>

namespace nearfar::cli {

namespace {

constexpr char const* files = "Files";

std::array<bool, 3> directions(std::string const& text) {
  std::array<bool, 3> repeats{};
  if (text == "none") return repeats;
  for (char const c : text) {
    if (c < 'x' || c > 'z' || repeats[std::size_t(c - 'x')] || text.empty())
      throw Error{Fault::bad_input, "--periodic is '" + text +
                                        "', which names no directions; give none, or some of x, y, z, for example xz"};
    repeats[std::size_t(c - 'x')] = true;
  }
  return repeats;
}

Options file_options(PoissonSettings& s) {
  auto const set = [](std::string& target) { return [&target](std::string const& text) { target = text; }; };
  return {{"--case", "NAME", "A known density: gaussian (a charge) or sphere",
           [&s](std::string const& text) { s.known = poisson_case_from_name(text); }, files},
          {"--input", "FILE.h5", "The density: dataset 'density', [x][y][z] at the centres of cells",
           set(s.files.sources), files, false, Shared::input},
          {"--output", "FILE", "Potential (and field), .h5, or .vti for ParaView", set(s.files.output), files, false,
           Shared::output},
          {"--report", "FILE.json", "Parameters, errors and times of this run", set(s.files.report), files, false,
           Shared::output},
          {"--dag", "FILE.dot", "The graph of tasks, for Graphviz", set(s.files.dag), files, false, Shared::output},
          {"--quiet", "", "Print nothing but errors", [&s](std::string const&) { s.files.quiet = true; }, files, false,
           Shared::own}};
}

}  // namespace

Options poisson_options(PoissonSettings& s) {
  auto& plan = s.plan;
  Options const own = {
      {"--method", "NAME", "hockney, vico or vico-dct [vico-dct]",
       [&plan](std::string const& text) { plan.method = from_name<PoissonMethod>(text); }},
      {"--grid", "NX,NY,NZ", "Cells per direction [those of the input]",
       [&s](std::string const& text) {
         s.plan.grid = grid_option("--grid", text);
         s.grid_given = true;
       }},
      {"--box", "LX,LY,LZ", "Edges of the box [1,1,1; case sphere 2.4,2.4,2.4]",
       [&s](std::string const& text) {
         s.plan.box = box_option("--box", text);
         s.box_given = true;
       }},
      {"--periodic", "NAME", "Periodic directions: none, or some of x, y, z, for example xz\n[none]",
       [&plan](std::string const& text) { plan.periodic = directions(text); }},
      {"--conductor", "FACE", "An earthed face of the box, with image charges behind it:\nx-low, x-high, .. z-high",
       [&plan](std::string const& text) { plan.conductor = from_name<BoxFace>(text); }},
      {"--field", "", "Also the field E = -grad phi", [&plan](std::string const&) { plan.field = true; }},
      {"--precision", "NAME", "double or single [double]",
       [&s](std::string const& text) { s.precision = precision_from_name(text); }},
      {"--green", "NAME",
       "hockney only: samples of the Green's function, with the one at 0\nas cell-average or constant (1/(4 pi)), or "
       "all integrated over\n"
       "their cells [cell-average]",
       [&plan](std::string const& text) { plan.green = from_name<HockneyGreen>(text); }}};
  return join({file_options(s), own, runtime_options(s.files.runtime)});
}

void settle(PoissonSettings& s) {
  if (s.known.has_value() == !s.files.sources.empty())
    throw Error{Fault::bad_input, s.known ? "--case and --input both give a density; leave one of them out"
                                          : "there is no density; give --case gaussian, or --input FILE.h5"};
  if (s.known && !s.grid_given)
    throw Error{Fault::bad_input, "--case needs a grid to sample it on; give --grid NX,NY,NZ, for example 64,64,64"};
  if (!s.known && s.files.output.empty())
    throw Error{Fault::bad_input, "the potential of --input would go nowhere; give --output FILE.h5 or FILE.vti"};
  if (s.known && !s.box_given) s.plan.box = usual_box(*s.known);
  together([&s] {
    if (launch().rank > 0) return;  // the first rank reads and writes
    if (!s.files.output.empty()) check_grid_output(s.files.output);
    check_outputs(s.files);
    if (!s.known && !s.grid_given) s.plan.grid = grid_size_of(s.files.sources, "density");
  });
}

Command poisson_command() {
  auto settings = std::make_shared<PoissonSettings>();
  return {
      "poisson",
      "Poisson's equation on a grid, each direction open or periodic",
      "Solves -Laplace(phi) = rho with rho at the centres of cells: a charge q has phi = q / (4 pi r). The methods\n"
      "vico and vico-dct are spectrally accurate for smooth densities; hockney is of second order. With --case the\n"
      "relative l2 error is printed.",
      "nearfar poisson --case gaussian --grid 64,64,64 --field --output field.vti",
      poisson_options(*settings),
      [settings] {
        settle(*settings);
        return settings->precision == Precision::double_ ? run_poisson<double>(*settings)
                                                         : run_poisson<float>(*settings);
      },
      true};
}

}  // namespace nearfar::cli
