// SPDX-License-Identifier: BSD-3-Clause
// From tables of options to a command line (CLI11), and from exceptions to exit codes.
#include "cli/commands/command.hpp"
#include "cli/help.hpp"
#include "cli/io/output_path.hpp"
#include "cli/options.hpp"
#include "cli/same_on_ranks.hpp"
#include "cli/spelling.hpp"
#include "cli/standard_output.hpp"

#include <nearfar/error.hpp>
#include <nearfar/runtime.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sstream>
#include <stdexcept>

namespace nearfar::cli {

namespace {

std::vector<std::string> const global_flags{"--help", "--version"};
std::string running = "nearfar";

/// Errors that processes of mpirun have in common are told by the first of them.
bool is_told_by_another() {
  try {
    return launch().rank > 0;
  } catch (Error const&) {  // of a launcher that MPI does not know: each process is alone with it
    return false;
  }
}

void tell(std::string const& message) { std::fprintf(stderr, "%s: error: %s\n", running.c_str(), message.c_str()); }

bool runs_with_others() {
  try {
    return launch().ranks > 1;
  } catch (Error const&) {
    return false;
  }
}

int fail(Fault fault, std::string const& message) {
  if (!is_told_by_another()) tell(message);
  return static_cast<int>(fault);
}

/// For what one of several processes may be alone with: the others, who wait for it, are ended by mpirun.
int fail_alone(Fault fault, std::string const& message) {
  tell(message);
  std::fflush(nullptr);
  if (runs_with_others()) std::_Exit(static_cast<int>(fault));
  return static_cast<int>(fault);
}

// The help is made from the same table, without CLI11's layout.
void set_help(CLI::App& app, std::string const& text) {
  app.set_help_flag("--help,-h");
  app.formatter_fn([text](CLI::App const*, std::string, CLI::AppFormatMode) { return text; });
}

/// What is given for an option is noted, before the option takes it or throws.
void add_option(CLI::App& app, Option const& option, Given& given) {
  auto const set = [&option, &given](std::string const& value) {
    given.options.emplace_back(&option, value);
    option.set(value);
  };
  if (option.value.empty() && option.flag.starts_with('-')) app.add_flag_callback(option.flag, [set] { set(""); });
  else app.add_option_function<std::string>(option.flag, set)->required(option.required);
}

CLI::App* add_command(CLI::App& program, Command const& command, Given& given) {
  auto* app = program.add_subcommand(command.name);
  set_help(*app, help_text(command));
  // Unknown arguments are rejected below, where the nearest option is suggested.
  app->allow_extras();
  for (auto const& option : command.options) add_option(*app, option, given);
  return app;
}

std::vector<std::string> flags_of(Command const& command) {
  std::vector<std::string> flags;
  for (auto const& option : command.options)
    if (option.flag.starts_with('-')) flags.push_back(option.flag);
  return flags;
}

std::vector<std::string> names_of(std::vector<Command> const& all) {
  std::vector<std::string> names;
  for (auto const& command : all) names.push_back(command.name);
  return names;
}

/// ", but of 'nearfar ewald'" for an option that other commands have.
std::string who_has(std::string const& flag, std::vector<Command> const& all) {
  std::string text;
  for (auto const& command : all)
    if (std::ranges::find(command.options, flag, &Option::flag) != command.options.end())
      text += (text.empty() ? ", but of '" : ", '") + running + " " + command.name + "'";
  return text;
}

void reject_leftovers(CLI::App const& app, Command const& command, std::vector<Command> const& all) {
  for (auto const& text : app.remaining()) {
    auto const flag = text.substr(0, text.find('='));
    if (!flag.starts_with('-'))
      throw Error{Fault::bad_input, "'" + text + "' belongs to no option of '" + running + " " + command.name +
                                        "'; values with spaces need quotes, and lists no spaces; see '" + running +
                                        " " + command.name + " --help'"};
    std::string const others = who_has(flag, all);
    throw Error{Fault::bad_input, flag + " is no option of '" + running + " " + command.name + "'" +
                                      (others.empty() ? did_you_mean(flag, flags_of(command)) : others) + "; see '" +
                                      running + " " + command.name + " --help'"};
  }
}

/// The command asked for. Throws CLI::Error for help as well as for mistakes.
Command const& parse(CLI::App& program, std::vector<Command> const& all, Given& given, int argc,
                     char const* const* argv) {
  std::vector<CLI::App*> apps;
  for (auto const& command : all) apps.push_back(add_command(program, command, given));
  auto const chosen = [&]() -> std::size_t {
    return static_cast<std::size_t>(std::ranges::find_if(apps, [](auto const* app) { return app->parsed(); }) -
                                    apps.begin());
  };
  try {
    program.parse(argc, argv);
  } catch (CLI::CallForHelp const&) {
    throw;
  } catch (CLI::ParseError const&) {
    // A misspelt option often leaves a required one unset; report the misspelling rather than that.
    if (chosen() < apps.size()) reject_leftovers(*apps[chosen()], all[chosen()], all);
    throw;
  }
  if (chosen() < apps.size()) {
    reject_leftovers(*apps[chosen()], all[chosen()], all);
    return all[chosen()];
  }
  auto const rest = program.remaining();
  if (rest.empty()) throw CLI::CallForHelp();
  bool const option = rest[0].starts_with('-');
  throw Error{Fault::bad_input, "'" + rest[0] + "' is no " + (option ? "option" : "command") + " of " + running +
                                    did_you_mean(rest[0], option ? global_flags : names_of(all)) + "; see '" + running +
                                    " --help'"};
}

// CLI11's messages count values; the user's mistake was to leave one out or to repeat an option.
std::string explained(CLI::ParseError const& error) {
  std::string const said = error.what(), option = said.substr(0, said.find(':'));
  if (error.get_name() != "ArgumentMismatch") return said;
  if (said.ends_with("missing")) return option + " needs a value";
  return option + " is given more than once, so it is not clear which value is meant; give it once";
}

int parse_and_run(Program const& what, int argc, char const* const* argv) {
  auto const& all = what.commands;
  CLI::App program;
  set_help(program, help_text(what));
  program.set_version_flag("--version", running + " " + NEARFAR_VERSION);
  program.allow_extras();
  program.require_subcommand(0, 1);
  Command const* command = nullptr;
  Understood mine;
  try {
    command = &parse(program, all, mine.given, argc, argv);
    mine.given.command = command->name;
    mine.given.on_ranks = command->on_ranks;
  } catch (CLI::Success const& help) {
    std::ostringstream text;
    int const code = program.exit(help, text, text);
    print("%s", text.str().c_str());
    return code;
  } catch (CLI::ParseError const& error) {
    auto const* app = program.get_subcommands().empty() ? &program : program.get_subcommands().front();
    auto const name = app == &program ? running : running + " " + app->get_name();
    mine.fault = Fault::bad_input;
    mine.error = explained(error) + "; see '" + name + " --help'";
  } catch (Error const& error) {
    mine.fault = error.fault();
    mine.error = error.what();
  }
  expect_same_on_ranks(mine);
  if (!command->on_ranks) expect_one_process(command->name);
  return command->run();
}

/// Before anything asks MPI.
void look_for_independence(int argc, char const* const* argv) {
  auto const is_given = [](char const* word) { return std::strcmp(word, independent_flag) == 0; };
  if (std::any_of(argv, argv + argc, is_given)) setenv("NEARFAR_MPI", "off", 1);
}

}  // namespace

Program nearfar_program() {
  return {
      "nearfar",
      "Long-range interactions between particles, by Ewald summation and the fast multipole method, on CPUs and GPUs.",
      "  nearfar generate --distribution nacl --count 32768 --output salt.csv\n"
      "  nearfar ewald --kernel laplace --tolerance 1e-9 --sources salt.csv --output potential.csv\n",
      {ewald_command(), fmm_command(), direct_command(), poisson_command(), pic_command(), generate_command(),
       bench_command(), tune_command(), info_command(), doctor_command(), trace_command()}};
}

std::string const& program_name() noexcept { return running; }

// Several processes would write the same file, or disturb each other's measurements.
void expect_one_process(std::string const& command) {
  auto const ranks = launch().ranks;
  if (ranks == 1) return;
  throw Error{Fault::bad_input, "'" + running + " " + command + "' was started as " + std::to_string(ranks) +
                                    " processes, and each would do the same; run it without mpirun (ewald, fmm, "
                                    "direct, poisson, pic, info, and bench ewald, fmm and overlap run on several)"};
}

int run_program(Program const& program, int argc, char const* const* argv) {
  running = program.name;
  // Writing beyond the limit on file sizes then fails with an error that is reported, instead of killing the program.
  std::signal(SIGXFSZ, SIG_IGN);
  // Silences StarPU's internal warnings, such as those about uncalibrated models; users set STARPU_SILENT=0 to see
  // them.
  setenv("STARPU_SILENT", "1", 0);
  keep_standard_output();
  look_for_independence(argc, argv);
  try {
    int const code = parse_and_run(program, argc, argv);
    if (std::fflush(results()) != 0 || std::ferror(results()) != 0) throw write_failed("standard output");
    return code;
  } catch (Error const& error) {
    return fail(error.fault(), error.what());
  } catch (std::bad_alloc const&) {
    return fail_alone(Fault::no_resource,
                      "there is not enough memory for a problem of this size; use fewer particles or cells, a coarser "
                      "tolerance, --precision single, or a larger machine");
  } catch (std::length_error const&) {
    return fail_alone(Fault::no_resource, "a problem of this size fits in no memory; use fewer particles or cells");
  } catch (std::exception const& error) {
    return fail_alone(Fault::bug, std::string("this is a defect of nearfar, please report it: ") + error.what());
  }
}

}  // namespace nearfar::cli

extern "C" int nearfar_run_program(int argc, char** argv) {
  using namespace nearfar::cli;
  return run_program(nearfar_program(), argc, argv);
}
