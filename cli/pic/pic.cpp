// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/command.hpp"
#include "cli/io/grids/grid_file.hpp"
#include "cli/io/number.hpp"
#include "cli/io/output_path.hpp"
#include "cli/io/particles/particles.hpp"
#include "cli/pic/settings.hpp"
#include "cli/pic/start.hpp"
#include "cli/same_on_ranks.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

#include <nearfar/error.hpp>

#include <filesystem>
#include <memory>

namespace nearfar::cli {

namespace {

constexpr char const* files = "Files";

auto set_text(std::string& text) {
  return [&text](std::string const& value) { text = value; };
}

auto set_count(char const* option, std::int64_t& target, std::int64_t least) {
  return [option, &target, least](std::string const& text) { target = count_option(option, text, least); };
}

/// Marks an option as fixed by a checkpoint, so that it cannot be given with --resume.
Option of_beginning(PicSettings& s, Option option) {
  option.set = [&s, flag = option.flag, set = std::move(option.set)](std::string const& text) {
    s.begins.push_back(flag);
    set(text);
  };
  return option;
}

std::vector<std::int64_t> steps_option(std::string const& text) {
  std::vector<std::int64_t> steps;
  for (std::size_t begin = 0; begin <= text.size();) {
    auto const end = std::min(text.find(',', begin), text.size());
    steps.push_back(count_option("--at", text.substr(begin, end - begin), 0));
    begin = end + 1;
  }
  return steps;
}

void set_case(PicSettings& s, std::string const& text) {
  if (text != "penning-trap")
    throw Error{Fault::bad_input, "--case is '" + text + "', which is not known; give penning-trap"};
  s.known = text;
}

Options file_options(PicSettings& s) {
  return {
      {"--case", "NAME", "Initial particles and fields: penning-trap",
       [&s](std::string const& text) { set_case(s, text); }, files},
      {"--resume", "FILE.h5", "Checkpoint to resume from, instead of a case", set_text(s.files.sources), files, false,
       Shared::input},
      {"--output", "FILE", "Energies, charge and momentum over time (.csv or .h5), or - for\nCSV on stdout",
       set_text(s.files.output), files, false, Shared::output},
      {"--every", "K", "Steps between rows of the output [a hundred rows]", set_count("--every", s.every, 1), files},
      {"--density", "FILE", "Pictures of the density, .vti for ParaView or .h5; the step comes\nbefore the extension",
       set_text(s.density), files, false, Shared::output},
      {"--at", "STEPS", "Steps with a picture, for example 0,400,800 [first and last]",
       [&s](std::string const& text) { s.at = steps_option(text); }, files},
      {"--checkpoint", "FILE.h5", "Checkpoint at the end of the run, for --resume", set_text(s.checkpoint), files,
       false, Shared::output},
      {"--checkpoint-every", "K", "Also every K steps, in the same file",
       set_count("--checkpoint-every", s.checkpoint_every, 1), files},
      {"--report", "FILE.json", "Parameters, energies and times of this run", set_text(s.files.report), files, false,
       Shared::output},
      {"--dag", "FILE.dot", "The graph of tasks of the first step, for Graphviz", set_text(s.files.dag), files, false,
       Shared::output},
      {"--quiet", "", "Print nothing but errors", [&s](std::string const&) { s.files.quiet = true; }, files, false,
       Shared::own}};
}

void check_begin(PicSettings const& s) {
  if (s.known.empty() == s.files.sources.empty())
    throw Error{Fault::bad_input, s.known.empty()
                                      ? "there are no particles; give --case penning-trap, or --resume FILE.h5"
                                      : "--case and --resume both give particles; leave one of them out"};
  if (s.known.empty() && !s.begins.empty())
    throw Error{Fault::bad_input, s.begins.front() +
                                      " is given, and the checkpoint of --resume has decided that "
                                      "already; leave " +
                                      s.begins.front() + " out"};
}

/// Checks a file that this run writes in addition to those of every solve.
void check_further(std::string const& option, std::string const& path, PicSettings const& s) {
  check_writable(path);
  for (auto const& other : {s.files.output, s.files.report, s.files.dag})
    if (!other.empty() && is_same_output(path, other))
      throw Error{Fault::bad_input, option + " " + path +
                                        " is the same file as another output, so one would replace the other; choose "
                                        "two names"};
}

void check_files(PicSettings const& s) {
  if (!s.files.output.empty() && !is_stream(s.files.output)) format_of(s.files.output);
  if (s.every > 0 && s.files.output.empty() && s.files.report.empty())
    throw Error{Fault::bad_input, "--every says when, and no file for rows is given; give --output FILE.csv too"};
  auto once = s.files;
  once.sources.clear();  // a new checkpoint may replace the one it resumes from
  check_outputs(once);
  if (!s.density.empty()) {
    check_grid_output(s.density);
    check_further("--density", name_at(s.density, 0), s);
  } else if (!s.at.empty()) {
    throw Error{Fault::bad_input, "--at says when, and no file for pictures is given; give --density FILE.vti too"};
  }
  if (!s.checkpoint.empty()) {
    auto const extension = std::filesystem::path(s.checkpoint).extension();
    if (extension != ".h5" && extension != ".hdf5")
      throw Error{Fault::bad_input, "--checkpoint " + s.checkpoint +
                                        " would not be known as HDF5; give a name that "
                                        "ends in .h5"};
    check_further("--checkpoint", s.checkpoint, s);
  } else if (s.checkpoint_every > 0) {
    throw Error{Fault::bad_input, "--checkpoint-every says when, and no file is given; give --checkpoint FILE.h5 too"};
  }
}

}  // namespace

std::string name_at(std::string const& path, std::int64_t step) {
  std::filesystem::path const whole(path);
  auto const name = whole.stem().string() + text("-%06lld", static_cast<long long>(step)) + whole.extension().string();
  return (whole.parent_path() / name).string();
}

Options pic_options(PicSettings& s) {
  auto const begin = [&s](Option option) { return of_beginning(s, std::move(option)); };
  Options const own = {
      {"--steps", "N", "Steps to take [800]", set_count("--steps", s.steps, 0)},
      begin({"--particles", "N", "Number of particles [100000]", set_count("--particles", s.particles, 1)}),
      begin({"--seed", "S", "Seed of their random positions and velocities [42]", set_count("--seed", s.seed, 0)}),
      begin({"--grid", "NX,NY,NZ", "Cells per direction [32,32,32]",
             [&s](std::string const& text) { s.plan.grid = grid_option("--grid", text); }}),
      begin({"--time-step", "T", "Time step [0.0048828125: 400 steps are a time of 1.95]",
             [&s](std::string const& text) { s.plan.time_step = number_option("--time-step", text); }}),
      begin({"--method", "NAME", "Poisson solver: hockney, vico or vico-dct [vico-dct]",
             [&s](std::string const& text) { s.plan.method = from_name<PoissonMethod>(text); }}),
      begin({"--precision", "NAME", "double or single [double]",
             [&s](std::string const& text) { s.precision = precision_from_name(text); }})};
  return join({file_options(s), own, runtime_options(s.files.runtime)});
}

void settle(PicSettings& s) {
  check_begin(s);
  together([&s] {
    if (launch().rank == 0) check_files(s);  // only rank 0 reads and writes
  });
}

Command pic_command() {
  auto settings = std::make_shared<PicSettings>();
  settings->plan.grid = {32, 32, 32};
  settings->plan.time_step = penning_trap_step;
  return {
      "pic",
      "A particle-in-cell loop: charges in their own and external fields",
      "Scatters charges onto a grid, solves Poisson's equation in free space, gathers the field, and moves the\n"
      "particles, with second-order time steps. The case is a bunch in a Penning trap: a box of 20, a charge of\n"
      "-1562.5, an electric quadrupole and a magnetic field. Pictures and checkpoints are written as soon as their\n"
      "step is done. A resumed run has the same bits as one that did not stop.",
      "nearfar pic --case penning-trap --steps 800 --output energy.csv --density rho.vti --at 0,400,800",
      pic_options(*settings),
      [settings] {
        settle(*settings);
        return run_pic(*settings);
      },
      true};
}

}  // namespace nearfar::cli
