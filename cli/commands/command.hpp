// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace nearfar::cli {

/// What the value of an option means to processes that solve together under mpirun.
enum class Shared {
  value,   ///< the same on all of them
  input,   ///< a file that they read, with the same contents wherever they see it
  output,  ///< a file or folder, which the first of them writes
  own      ///< each may have another
};

/// One option of a command. The table of these is all there is: help, checks and parsing are made from it.
struct Option {
  std::string flag;                             ///< "--box"; without dashes it is an argument by position
  std::string value;                            ///< how the value is written, "LX,LY,LZ"; empty for a switch
  std::string meaning;                          ///< one line, with the default in brackets
  std::function<void(std::string const&)> set;  ///< throws Error{bad_input} for what it cannot use
  std::string group = "Options";
  bool required = false;
  Shared shared = Shared::value;
};

using Options = std::vector<Option>;

/// One command of the program.
struct Command {
  std::string name;
  std::string purpose;  ///< one line
  std::string details;  ///< what else the help should say; may be empty
  std::string example;  ///< a command line
  Options options;
  std::function<int()> run;  ///< called after all options were set; gives the exit code
  bool on_ranks = false;     ///< the processes of mpirun may run it together
};

/// A program of commands: `nearfar`, and `nearfar-bench` for those who change it (bench/program).
struct Program {
  std::string name;               ///< as it is called
  std::string purpose;            ///< a sentence
  std::string first_steps;        ///< command lines, two spaces before each
  std::vector<Command> commands;  ///< in the order of the help
};
Program nearfar_program();

/// Each in a file of its own, command_NAME.cpp.
Command ewald_command();
Command fmm_command();
Command direct_command();
Command poisson_command();
Command pic_command();
Command generate_command();
Command bench_command();
Command info_command();
Command doctor_command();
Command trace_command();
Command tune_command();

/// Throws Error{bad_input} where mpirun has started several.
void expect_one_process(std::string const& command);

/// Parses the command line, runs the command, and turns exceptions into messages on stderr and exit codes.
int run_program(Program const& program, int argc, char const* const* argv);

/// What the program that runs is called.
std::string const& program_name() noexcept;

}  // namespace nearfar::cli

/// The same, for main.cpp, which finds it by this name.
extern "C" int nearfar_run_program(int argc, char** argv);
