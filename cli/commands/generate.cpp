// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/generate.hpp"
#include "cli/commands/command.hpp"
#include "cli/io/number.hpp"
#include "cli/io/output_path.hpp"
#include "cli/options.hpp"

#include <nearfar/error.hpp>

#include <cstdio>
#include <memory>
#include <optional>

namespace nearfar::cli {

namespace {

struct Settings {
  GenerateOptions particles;
  std::optional<Kernel> kernel;
  bool seeded = false;
  std::string output;
  bool quiet = false;
};

int run(Settings& settings) {
  auto& particles = settings.particles;
  particles.kernel = settings.kernel.value_or(is_lattice(particles.distribution) ? Kernel::laplace : Kernel::stokeslet);
  if (settings.seeded && is_lattice(particles.distribution))
    throw Error{Fault::bad_input, std::string("--seed is given with --distribution ") +
                                      name_of(particles.distribution) +
                                      ", where every ion has its place; leave it out"};
  if (!is_stream(settings.output)) format_of(settings.output);
  check_writable(settings.output);
  write_table(settings.output, generate(particles));
  if (settings.quiet) return 0;
  auto const kernel = std::string(name(particles.kernel));
  std::fprintf(stderr, "nearfar generate: %zu particles for --kernel %s in %s\n", particles.count, kernel.c_str(),
               settings.output.c_str());
  if (is_lattice(particles.distribution))
    std::fprintf(stderr, "  nearest neighbours are %.17g apart\n", nearest_neighbour_distance(particles));
  return 0;
}

}  // namespace

Command generate_command() {
  auto settings = std::make_shared<Settings>();
  auto& particles = settings->particles;
  return {
      "generate",
      "Sample particles",
      "uniform: anywhere in the box. normal: around its centre, sigma = shortest edge / 8, all inside.\n"
      "sphere: on a sphere of radius 0.4 shortest edge; normals point outwards.\n"
      "corner: anywhere in a cube at the origin, its edge a tenth of the shortest.\n"
      "nacl, cscl: crystals of charges +1 and -1 (kernels laplace and yukawa) that fill a cubic box (nacl: --count\n"
      "even^3; cscl: --count 2 n^3).\n"
      "Strengths are uniform in [-1, 1]; charges are made neutral by subtracting their mean; normals have length 1.\n"
      "The same options give the same bits on every machine.",
      "nearfar generate --distribution nacl --count 32768 --output salt.csv",
      {{"--distribution", "NAME", "uniform, normal, sphere, corner, nacl or cscl [uniform]",
        [&particles](std::string const& text) { particles.distribution = distribution_from_name(text); }},
       {"--count", "N", "Number of particles [1000]",
        [&particles](std::string const& text) {
          particles.count = static_cast<std::size_t>(count_option("--count", text, 1));
        }},
       {"--seed", "S", "Another seed gives other particles [1]",
        [settings, &particles](std::string const& text) {
          settings->seeded = true;
          particles.seed = static_cast<std::uint64_t>(count_option("--seed", text, 0));
        }},
       {"--kernel", "NAME",
        "Strengths for this kernel:\n" + kernel_names(kernel_list(), false) + "\n[stokeslet; laplace for crystals]",
        [settings](std::string const& text) { settings->kernel = from_name<Kernel>(text); }},
       {"--box", "LX,LY,LZ", "Edges of the box [1,1,1]",
        [&particles](std::string const& text) { particles.box = box_option("--box", text); }},
       {"--output", "FILE", "Output file (.csv or .h5), or - for CSV on stdout",
        [settings](std::string const& text) { settings->output = text; }, "Options", true},
       {"--quiet", "", "Print nothing but errors", [settings](std::string const&) { settings->quiet = true; }}},
      [settings] { return run(*settings); }};
}

}  // namespace nearfar::cli
