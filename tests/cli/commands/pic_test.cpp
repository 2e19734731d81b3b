// SPDX-License-Identifier: BSD-3-Clause
// nearfar pic: the Penning trap, what is written when, going on from a checkpoint, and what is refused.
#include "cli/table.hpp"
#include "cli/text.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using Words = std::vector<std::string>;

Words const trap{"--case", "penning-trap", "--particles", "2000", "--grid", "12,12,12"};

Words operator+(Words left, Words const& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

void succeed(Words const& arguments) {
  auto const outcome = run_nearfar(Words{"pic"} + arguments);
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
}

/// What the program says on stderr where that is a terminal.
std::string on_terminal(Words words) {
  int const master = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(master >= 0);
  REQUIRE(grantpt(master) == 0);
  REQUIRE(unlockpt(master) == 0);
  std::string const terminal = ptsname(master);
  words.insert(words.begin(), NEARFAR_PROGRAM);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t const child = fork();
  if (child == 0) {
    dup2(open(terminal.c_str(), O_WRONLY | O_NOCTTY), STDERR_FILENO);
    execv(NEARFAR_PROGRAM, arguments.data());
    _exit(127);
  }
  std::string said;
  char piece[512];
  for (;;) {
    ssize_t const length = read(master, piece, sizeof piece);  // which fails when the child has let go
    if (length > 0) said.append(piece, std::size_t(length));
    else if (int status = 0; waitpid(child, &status, WNOHANG) == child) {
      CHECK(status == 0);
      break;
    }
  }
  close(master);
  return said;
}

/// Nothing is written, and the message holds these parts.
void refuses(Words const& more, Words const& parts, int code = 2) {
  TempFolder const folder;
  auto const outcome = run_nearfar(Words{"pic", "--output", folder / "out.csv"} + more);
  CAPTURE(outcome.err);
  CHECK(outcome.code == code);
  for (auto const& part : parts) CHECK_MESSAGE(contains(outcome.err, part), "missing: " << part);
  CHECK(folder.files() == 0);
}

}  // namespace

TEST_CASE("pic: energies, pictures and report of the Penning trap") {
  TempFolder const folder;
  succeed(trap + Words{"--steps", "40", "--every", "20", "--output", folder / "e.csv", "--density", folder / "rho.vti",
                       "--at", "0,25,40", "--report", folder / "r.json", "--dag", folder / "g.dot"});
  CHECK(folder.files() == 6);
  for (auto const* name : {"rho-000000.vti", "rho-000025.vti", "rho-000040.vti"})
    CHECK(contains(text_of(folder / name), "Name=\"density\" NumberOfComponents=\"1\""));
  CHECK(text_of(folder / "rho-000000.vti") != text_of(folder / "rho-000040.vti"));

  auto const table = nearfar::cli::read_table(folder / "e.csv", {"step", "time", "energy", "charge", "kinetic"}, "");
  REQUIRE(table.rows() == 3);
  CHECK(table.values[5] == 20);
  CHECK(table.values[6] == doctest::Approx(20 * 0.0048828125));
  for (std::size_t row = 0; row < 3; ++row) {
    CHECK(std::abs(table.values[5 * row + 3] / -1562.5 - 1) < 1e-12);
    CHECK(table.values[5 * row + 2] == doctest::Approx(table.values[2]).epsilon(2e-3));
  }
  // Three directions of variance 1, and a mass of 1562.5.
  CHECK(table.values[4] == doctest::Approx(1.5 * 1562.5).epsilon(0.05));

  auto const report = nlohmann::json::parse(text_of(folder / "r.json"));
  CHECK(report["solver"] == "pic");
  CHECK(report["case"] == "penning-trap");
  CHECK(report["counts"]["particles"] == 2000);
  CHECK(report["charge_error"] < 1e-12);
  CHECK(report["tasks_per_stage"]["push"].get<int>() % 40 == 0);
  CHECK(report["particle_steps_per_second"] > 0);
  for (auto const* stage : {"push", "sort", "scatter", "fft", "scale", "ifft", "gather", "kick"}) {
    CHECK(report["seconds"].contains(stage));
    CHECK(contains(text_of(folder / "g.dot"), stage));
  }
}

TEST_CASE("pic: a run that went on from a checkpoint has the bits of one that did not stop") {
  for (auto const* precision : {"double", "single"}) {
    TempFolder const folder;
    Words const all{"--case",   "penning-trap", "--particles", "60000",  "--grid",
                    "12,12,12", "--precision",  precision,     "--quiet"};
    succeed(all + Words{"--steps", "12", "--checkpoint", folder / "whole.h5", "--output", folder / "whole.csv",
                        "--every", "4", "--density", folder / "whole.vti"});
    succeed(all + Words{"--steps", "8", "--checkpoint", folder / "half.h5", "--checkpoint-every", "3"});
    succeed({"--resume", folder / "half.h5", "--quiet", "--steps", "4", "--checkpoint", folder / "half.h5", "--output",
             folder / "half.csv", "--every", "4", "--density", folder / "half.vti"});
    auto const last_line = [](std::string const& text) { return text.substr(text.rfind('\n', text.size() - 2)); };
    CHECK(last_line(text_of(folder / "whole.csv")) == last_line(text_of(folder / "half.csv")));
    CHECK(text_of(folder / "whole-000012.vti") == text_of(folder / "half-000012.vti"));
    CHECK(text_of(folder / "whole.h5") == text_of(folder / "half.h5"));
  }
}

TEST_CASE("pic: progress on a terminal, with the time left") {
  auto const said =
      on_terminal({"pic", "--case", "penning-trap", "--particles", "5000", "--grid", "24,24,24", "--steps", "40"});
  CAPTURE(said);
  CHECK(contains(said, "nearfar: placing particles ..."));
  CHECK(contains(said, " of 40, "));
  CHECK(contains(said, " left ..."));
  CHECK(contains(said, "steps        0 to 40"));
  auto const elsewhere = run_nearfar(Words{"pic"} + trap + Words{"--steps", "2"});
  CHECK(!contains(elsewhere.err, " left"));
  CHECK(nearfar::cli::duration_text(12.4) == "12 s");
  CHECK(nearfar::cli::duration_text(59.7) == "1 min 0 s");
  CHECK(nearfar::cli::duration_text(3600 * 2 + 61) == "2 h 1 min");
}

TEST_CASE("pic: the methods agree, and seeds do not") {
  TempFolder const folder;
  auto const last = [&](Words const& more) {
    succeed(trap + Words{"--quiet", "--steps", "30", "--output", folder / "e.csv"} + more);
    auto const table = nearfar::cli::read_table(folder / "e.csv", {"kinetic", "field", "external"}, "");
    return std::vector<double>(table.values.end() - 3, table.values.end());
  };
  auto const vico = last({}), hockney = last({"--method", "hockney"}), other = last({"--seed", "7"});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(hockney[i] == doctest::Approx(vico[i]).epsilon(0.01));
    CHECK(other[i] != vico[i]);
  }
}

TEST_CASE("pic: what cannot be used is refused, and nothing is written") {
  refuses({}, {"there are no particles; give --case penning-trap"});
  refuses({"--case", "penning"}, {"--case is 'penning'", "give penning-trap"});
  refuses(trap + Words{"--resume", "x.h5"}, {"--case and --resume both"});
  refuses({"--resume", "x.h5", "--grid", "8,8,8"}, {"--grid is given", "leave --grid out"});
  refuses({"--resume", "x.h5"}, {"x.h5: cannot be opened as HDF5"});
  refuses(trap + Words{"--at", "3"}, {"no file for pictures", "--density"});
  refuses(trap + Words{"--checkpoint-every", "3"}, {"no file is given", "--checkpoint FILE.h5"});
  auto const rows = run_nearfar(Words{"pic", "--every", "3"} + trap);
  CHECK(rows.code == 2);
  CHECK_MESSAGE(contains(rows.err, "no file for rows is given; give --output FILE.csv"), rows.err);
  refuses(trap + Words{"--checkpoint", "state.csv"}, {"would not be known as HDF5"});
  refuses(trap + Words{"--steps", "-1"}, {"--steps", "at least 0"});
  refuses({"--case", "penning-trap", "--particles", "0"}, {"--particles", "at least 1"});
  refuses({"--case", "penning-trap", "--particles", "10", "--grid", "8,1,8"}, {"the grid has 1 cells along y"});
  refuses({"--case", "penning-trap", "--particles", "10", "--grid", "16000,16000,16000"}, {"of memory"}, 3);
  refuses({"--case", "penning-trap", "--particles", "10", "--time-step", "0"}, {"the time step is 0"});
  refuses({"--case", "penning-trap", "--particles", "100", "--time-step", "50"},
          {"particle ", "take a smaller time step"});
  TempFolder const folder;
  auto const density = folder / "rho.vti";
  refuses(trap + Words{"--density", density, "--at", "900"}, {"--at names step 900", "from step 0 to 800"});
  refuses(trap + Words{"--density", folder / "rho.png"}, {"ends in .h5 or .vti"});
  auto const same = folder / "same.h5";
  refuses(trap + Words{"--checkpoint", same, "--report", same}, {"the same file"});
  CHECK(folder.files() == 0);

  // A file that is no checkpoint, one that was cut, and one whose particles are not in the box.
  auto const state = folder / "state.h5";
  succeed(trap + Words{"--quiet", "--steps", "0", "--checkpoint", state, "--density", folder / "rho.h5"});
  refuses({"--resume", folder / "rho-000000.h5"}, {"is no checkpoint of 'nearfar pic'", "no attribute 'nearfar_pic'"});
  auto const whole = text_of(state);
  refuses({"--resume", folder.write("cut.h5", whole.substr(0, whole.size() / 2))}, {"cut.h5: "});
}
