// SPDX-License-Identifier: BSD-3-Clause
// The program `nearfar`. Each command is a file of its own, command_NAME.cpp, with a table of its options.
#include "cli/command.hpp"

int main(int argc, char** argv) { return nearfar::cli::run_program(argc, argv); }
