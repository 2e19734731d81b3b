// SPDX-License-Identifier: BSD-3-Clause
// What people get wrong: the exit code is 2, the message says what, where and what would be right, and no output is
// left.
#include "tests/cli/program.hpp"
#include "tests/cli/temp_folder.hpp"
#include "tests/cli/trace/synthetic_trace.hpp"

#include <doctest/doctest.h>

namespace {

using Words = std::vector<std::string>;

Words operator+(Words left, Words const& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

void refuses(Words const& arguments, Words const& parts, int code = 2) {
  auto const outcome = run_nearfar(arguments);
  std::string line = "nearfar";
  for (auto const& word : arguments) line += " " + word;
  CAPTURE(line);
  CAPTURE(outcome.err);
  CHECK(outcome.code == code);
  CHECK(contains(outcome.err, "nearfar: error: "));
  for (auto const& part : parts) CHECK_MESSAGE(contains(outcome.err, part), "missing: " << part);
}

/// `nearfar ewald --kernel laplace` with a good file, unless `more` says otherwise; checks that nothing was written.
struct Sum {
  TempFolder folder;
  std::string sources = folder.write("in.csv", "x,y,z,q\n0.1,0.2,0.3,1\n0.6,0.5,0.4,-1\n");

  void refuses(Words const& more, Words const& parts, int code = 2) const {
    ::refuses(Words{"ewald", "--kernel", "laplace", "--output", folder / "out.csv"} + more, parts, code);
    CHECK(!std::filesystem::remove(folder / "out.csv"));
  }
  void refuses_options(Words const& more, Words const& parts, int code = 2) const {
    refuses(Words{"--sources", sources} + more, parts, code);
  }
  void refuses_file(std::string const& text, Words const& parts) const {
    refuses({"--sources", folder.write("bad.csv", text)}, parts);
  }
};

}  // namespace

TEST_CASE("usage: mistakes are told with the nearest name") {
  refuses({"ewlad"}, {"'ewlad' is no command", "did you mean ewald?", "nearfar --help"});
  refuses({"frobnicate"}, {"'frobnicate' is no command"});
  refuses({"--versoin"}, {"'--versoin' is no option of nearfar", "did you mean --version?"});
  refuses({"info", "doctor"}, {"'doctor' belongs to no option of 'nearfar info'"});
  refuses({"ewald"}, {"--sources is required", "nearfar ewald --help"});
  refuses({"ewald", "--sources"}, {"--sources needs a value"});
  refuses({"ewald", "--source", "a.csv"}, {"--source is no option", "did you mean --sources?"});
  refuses({"ewald", "--sources", "a.csv", "--output", "b.csv", "--tol", "1"}, {"did you mean --tolerance?"});
  refuses({"ewald", "a.csv"}, {"'a.csv' belongs to no option"});
  refuses({"ewald", "--sources", "a.csv", "--sources", "b.csv", "--output", "c.csv"}, {"more than once"});
  refuses({"direct"}, {"--sources is required"});
  refuses({"generate"}, {"--output is required"});
  refuses({"trace"}, {"DIR is required"});
  refuses({"bench"}, {"WHAT is required"});
  refuses({"bench", "plasma"}, {"'plasma'", "ewald, fmm"});
}

TEST_CASE("files: missing, empty, or of another kind") {
  Sum const sum;
  sum.refuses({"--sources", sum.folder / "missing.csv"}, {"missing.csv", "there is no such file"});
  sum.refuses({"--sources", sum.folder / "missing.h5"}, {"missing.h5", "there is no such file"});
  sum.refuses({"--sources", sum.folder / "in.xyz"}, {"'.xyz'", ".csv", ".h5"});
  sum.refuses({"--sources", sum.folder.write("text.h5", "x,y,z,q\n")}, {"text.h5", "HDF5"});
  sum.refuses_file("", {"bad.csv", "empty"});
  sum.refuses_file("x,y,z,q\n", {"bad.csv", "no particles"});
  sum.refuses_options({"--targets", sum.folder / "missing.csv"}, {"missing.csv", "there is no such file"});
  sum.refuses_options({"--targets", sum.folder.write("t.csv", "x,y\n1,2\n")}, {"t.csv", "no column 'z'", "--targets"});
}

TEST_CASE("files: columns and rows") {
  Sum const sum;
  sum.refuses_file("x,y,z,charge\n1,2,3,4\n",
                   {"bad.csv:1", "no column 'q'", "--kernel laplace", "found: x, y, z, charge"});
  sum.refuses_file("x,y,z,q\n1,2,3,4\n1,2,3\n", {"bad.csv:3", "3 cells", "4 columns"});
  sum.refuses_file("x,y,z,q\n1,2,3,nan\n", {"bad.csv:2", "column q", "'nan'", "not finite"});
  sum.refuses_file("x,y,z,q\n1,2,-inf,1\n", {"bad.csv:2", "column z", "'-inf'", "not finite"});
  sum.refuses_file("x,y,z,q\n1,2,3,four\n", {"bad.csv:2", "column q", "'four'", "not a number"});
}

TEST_CASE("points: several at the same place") {
  Sum const sum;
  sum.refuses_file("x,y,z,q\n0.5,0.5,0.5,1\n0.1,0.1,0.1,2\n0.5,0.5,0.5,1\n", {"0", "2", "same point"});
}

TEST_CASE("options: values that make no sense") {
  Sum const sum;
  sum.refuses_options({"--box", "1,0,1"}, {"box edge y is 0", "length of a period"});
  sum.refuses_options({"--periodic", "x", "--box", "0,0,1"}, {"box edge x is 0", "length of a period"});
  sum.refuses_options({"--periodic", "none", "--box", "1,0.1,1"}, {"coordinate y of source 0", "outside the box"});
  auto const far = sum.folder.write("far.csv", "x,y,z,q\n1,0.5,0.5,1\n19999.52,0.5,0.5,1\n");
  for (std::string const precision : {"double", "single"})
    sum.refuses({"--sources", far, "--periodic", "none", "--box", "20.0000001,0,0", "--precision", precision,
                 "--tolerance", "1e-4"},
                {"coordinate x of source 1 is 19999.52 (outside the box, [0, 20.0000001]"});
  sum.refuses_options({"--box", "-1,1,1"}, {"--box", "edge x of the box is -1"});
  sum.refuses_options({"--box", "1,1"}, {"--box", "three edges"});
  sum.refuses_options({"--box", "1,1,one"}, {"--box", "'one'"});
  sum.refuses_options({"--cell", "1,2,3"}, {"--cell", "three vectors"});
  sum.refuses_options({"--cell", "1,0,0,0,1,0,0,0,c"}, {"--cell", "'c'", "not a finite number"});
  sum.refuses_options({"--cell", "1,0,0,2,0,0,0,0,1"}, {"rows of the cell", "lie in one plane"});
  sum.refuses_options({"--cell", "0,1,0,1,0,0,0,0,1"}, {"left-handed", "Exchange two rows"});
  sum.refuses_options({"--cell", "1,0,0,0,1,0,0,0,0"}, {"row c of the cell is (0, 0, 0)", "the next image"});
  sum.refuses_options({"--cell", "1,0,0.1,0,1,0,0,0,1", "--periodic", "xy"}, {"row a of the cell", "does not repeat"});
  sum.refuses_options({"--cell", "1,0,0,0,1,0,0,0,1", "--box", "1,1,1"}, {"--box and --cell are both given"});
  refuses({"fmm", "--kernel", "laplace", "--sources", sum.sources, "--output", "-", "--cell", "1,0,0,0,1,0,0,0,1"},
          {"--cell is no option of 'nearfar fmm', but of 'nearfar ewald'"});
  refuses({"fmm", "--kernel", "laplace", "--sources", sum.sources, "--output", "-", "--softening", "-1"},
          {"--softening is '-1'", "not positive"});
  refuses({"poisson", "--case", "gaussian", "--grid", "16,16,16", "--cell", "1,0,0,0,1,0,0,0,1"},
          {"--cell is no option of 'nearfar poisson', but of 'nearfar ewald'"});
  sum.refuses_options({"--tolerance", "0"}, {"--tolerance is '0'", "not positive"});
  sum.refuses_options({"--tolerance", "-1e-6"}, {"--tolerance is '-1e-6'", "not positive"});
  sum.refuses_options({"--tolerance", "fine"}, {"--tolerance is 'fine'"});
  sum.refuses_options({"--tolerance", "1e-15"}, {"tolerance", "1e-15", "1e-12"});
  sum.refuses_options({"--tolerance", "1e-9", "--precision", "single"}, {"tolerance", "1e-09", "1e-05"});
  sum.refuses_options({"--precision", "half"}, {"'half'", "double, single"});
  sum.refuses_options({"--periodic", "zy"}, {"zy", "none, x, xy, xyz"});
  sum.refuses_options({"--split", "sharp"}, {"sharp", "pswf, gaussian"});
  sum.refuses_options({"--window", "bartlett"}, {"bartlett", "kaiser-bessel, pswf, gaussian"});
  sum.refuses_options({"--zero-mode", "none"}, {"none", "zero-face-flux, zero-mean-flow"});
  sum.refuses_options({"--zero-mode", "zero-mean-flow"},
                      {"zero mode is zero-mean-flow", "kernel", "stresslet or stokes"});
  sum.refuses_options({"--gauge-length", "0", "--periodic", "x"}, {"--gauge-length is '0'", "not positive"});
  sum.refuses_options({"--gauge-length", "2"}, {"gauge length is 2", "periodic xyz", "periodic x"});
  sum.refuses_options({"--virial", "--outputs", "potential"},
                      {"virial", "outputs potential (", "outputs potential,gradient"});
  sum.refuses_options({"--virial", "--part", "near"}, {"--virial", "--part"});
  sum.refuses_options({"--virial", "--targets", sum.folder.write("at.csv", "x,y,z\n0.1,0.2,0.3\n")},
                      {"virial", "targets", "sources alone"});
  sum.refuses_options({"--part", "middle"}, {"middle", "whole, near, far"});
  sum.refuses_options({"--implementation", "magic"}, {"magic", "tuned, portable, any"});
  sum.refuses_options({"--near-precision", "half"}, {"half", "auto, double, single"});
  sum.refuses_options({"--influence", "sum"}, {"sum", "auto, direct, table"});
  sum.refuses_options({"--near-precision", "single", "--tolerance", "1e-8"}, {"near precision is single", "1e-08"});
  sum.refuses_options({"--cutoff", "0"}, {"--cutoff", "not positive"});
  sum.refuses_options({"--grid", "8,8"}, {"--grid", "three directions"});
  sum.refuses_options({"--cpus", "-1"}, {"--cpus", "at least 0"});
  sum.refuses_options({"--cpus", "two"}, {"--cpus", "'two'"});
  sum.refuses_options({"--check", "--part", "near"}, {"--check", "--part"});
}

TEST_CASE("options: names that are not known") {
  Sum const sum;
  refuses({"ewald", "--kernel", "coulomb", "--sources", sum.sources, "--output", sum.folder / "out.csv"},
          {"coulomb", "stokeslet, stresslet, stokes, laplace"});
  refuses(
      {"ewald", "--kernel", "stokeslet", "--gradient", "--sources", sum.sources, "--output", sum.folder / "out.csv"},
      {"--gradient", "laplace"});
  CHECK(!std::filesystem::exists(sum.folder / "out.csv"));
  sum.refuses_options({"--scheduler", "magic"}, {"unknown scheduler 'magic'", "lws", "eager"});
}

TEST_CASE("machine: no worker is exit code 3") {
  Sum const sum;
  sum.refuses_options({"--cpus", "0"}, {"CPU worker"}, 3);
}

TEST_CASE("outputs: unwritable places, and inputs that would be lost") {
  Sum const sum;
  auto const with_output = [&](std::string const& path, Words const& parts) {
    refuses({"ewald", "--kernel", "laplace", "--sources", sum.sources, "--output", path}, parts);
  };
  with_output(sum.folder / "no/out.csv", {"no/out.csv", "there is no folder"});
  with_output("/proc/out.csv", {"/proc/out.csv", "cannot be written"});
  with_output(sum.folder / "out", {"extension", ".csv"});
  with_output(sum.sources, {"is an input of this run"});
  CHECK(contains(text_of(sum.sources), "0.6,0.5"));
  sum.refuses_options({"--report", sum.folder / "no/report.json"}, {"no/report.json", "there is no folder"});
  sum.refuses_options({"--dag", sum.folder / "no/dag.dot"}, {"no/dag.dot", "there is no folder"});
  sum.refuses_options({"--trace", "/proc/trace"}, {"/proc/trace"});
}

TEST_CASE("outputs: a failed run leaves an older result as it was") {
  Sum const sum;
  auto const out = sum.folder.write("old.csv", "phi\n1\n");
  refuses(
      {"ewald", "--kernel", "laplace", "--sources", sum.folder.write("bad.csv", "x,y,z,q\n1,2,3\n"), "--output", out},
      {"bad.csv:2"});
  CHECK(text_of(out) == "phi\n1\n");
  CHECK(sum.folder.files() == 3);
}

TEST_CASE("outputs: a full disk") {
  Sum const sum;
  refuses({"ewald", "--kernel", "laplace", "--sources", sum.sources, "--output", "/dev/full"},
          {"/dev/full", "writing failed"});
}

TEST_CASE("direct: the same checks") {
  Sum const sum;
  auto const out = sum.folder / "out.csv";
  refuses({"direct", "--sources", sum.sources, "--output", out}, {"no column 'fx'", "--kernel stokeslet"});
  refuses({"direct", "--kernel", "laplace", "--sources", sum.sources, "--output", out, "--box", "1,1,1"},
          {"--box is no option of 'nearfar direct'"});
  refuses({"direct", "--sources", sum.sources, "--output", out, "--softening", "0"},
          {"--softening is '0'", "not positive"});
  CHECK(!std::filesystem::exists(out));
}

TEST_CASE("generate: options that make no sense") {
  TempFolder const folder;
  auto const refuses_more = [&](Words const& more, Words const& parts, int code = 2) {
    refuses(Words{"generate", "--output", folder / "out.csv"} + more, parts, code);
    CHECK(folder.files() == 0);
  };
  refuses_more({"--distribution", "cube"}, {"'cube'", "uniform, normal, sphere, corner, nacl, cscl"});
  refuses_more({"--distribution", "nacl", "--count", "999"}, {"take 512 or 1000", "even number cubed"});
  refuses_more({"--distribution", "nacl", "--count", "8", "--kernel", "stokes"},
               {"--kernel stokes have other", "laplace or yukawa"});
  refuses_more({"--distribution", "nacl", "--count", "8", "--box", "1,1,2"}, {"edges of the box differ"});
  refuses_more({"--distribution", "nacl", "--count", "8", "--seed", "2"}, {"--seed", "nacl", "leave it out"});
  refuses_more({"--count", "0"}, {"--count is '0'", "at least 1"});
  refuses_more({"--count", "many"}, {"--count is 'many'"});
  refuses_more({"--seed", "-1"}, {"--seed is '-1'"});
#ifndef __SANITIZE_ADDRESS__  // whose allocator ends the process instead of throwing
  refuses_more({"--count", "1e15"}, {"memory"}, 3);
#endif
}

TEST_CASE("options: outputs, screening, strengths and virials that a kernel does not have") {
  Sum const sum;
  std::string const forces = sum.folder.write("forces.csv", "x,y,z,fx,fy,fz\n0.1,0.2,0.3,1,0,0\n0.6,0.5,0.4,-1,0,0\n");
  auto const of = [&](std::string const& command, std::string const& kernel, std::string const& sources,
                      Words const& more, Words const& parts) {
    refuses(Words{command, "--kernel", kernel, "--sources", sources, "--output", "-"} + more, parts);
  };
  for (std::string const command : {"ewald", "fmm", "direct"}) {
    of(command, "laplace", sum.sources, {"--outputs", "potential,pressure"},
       {"potential, pressure", "--kernel laplace", "take potential, gradient, hessian"});
    of(command, "stokeslet", forces, {"--outputs", "velocity,hessian"}, {"take velocity, pressure, gradient"});
    of(command, "laplace", sum.sources, {"--outputs", "gradient"}, {"without potential", "add it"});
    of(command, "laplace", sum.sources, {"--outputs", "everything"},
       {"potential, velocity, pressure, gradient, hessian"});
    for (std::string const empty : {"", "potential,", ",potential"})
      of(command, "laplace", sum.sources, {"--outputs", empty},
         {"output is \"\"", "potential, velocity, pressure, gradient, hessian"});
    of(command, "dipole", sum.sources, {}, {"'px'", "--kernel dipole", "add the column"});
    of(command, "doublet", forces, {}, {"'dxx'", "--kernel doublet", "dzx, dzy, dzz"});
    of(command, "rotlet", forces, {}, {"'tx'", "--kernel rotlet"});
  }
  of("ewald", "yukawa", sum.sources, {}, {"without a screening", "above 0"});
  of("ewald", "yukawa", sum.sources, {"--screening", "0"}, {"--screening is '0'", "above 0"});
  of("ewald", "yukawa", sum.sources, {"--screening", "-2"}, {"--screening is '-2'", "above 0"});
  of("ewald", "laplace", sum.sources, {"--screening", "2"}, {"screening is 2", "use kernel yukawa"});
  of("fmm", "yukawa", sum.sources, {}, {"yukawa", "Ewald's method, or direct sums"});
  of("ewald", "stokeslet", forces, {"--virial"}, {"virial", "stokeslet", "laplace, dipole, charge-dipole or yukawa"});
  of("fmm", "stokeslet", forces, {"--virial"}, {"virial", "stokeslet", "one of laplace, dipole, charge-dipole\n"});
}

TEST_CASE("trace: folders without a trace") {
  TempFolder const folder;
  refuses({"trace", folder / "missing"}, {"missing", "there is no such folder"});
  refuses({"trace", folder / ""}, {"there is no trace", "--trace"});
  folder.write("prof_file_user_0", "");
  refuses({"trace", folder / ""}, {"no trace.json", "did not come to its end", "starpu_fxt_tool"});
  folder.write("trace.json", "");
  refuses({"trace", folder / ""}, {"trace.json: this is no whole trace of nearfar", "--trace"});
  folder.write("trace.json", synthetic_trace.substr(0, 2000));
  refuses({"trace", folder / ""}, {"trace.json: this is no whole trace", "byte 2001"});
  CHECK(folder.files() == 2);
}
