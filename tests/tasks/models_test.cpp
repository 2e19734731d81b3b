// SPDX-License-Identifier: BSD-3-Clause
// From StarPU's files to plans: models that say what no machine measures, so that what plans know of it came from them.
#include "tasks/fmm_rates.hpp"
#include "tasks/kept_rates.hpp"
#include "tasks/rates.hpp"
#include "tasks/sample.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace nearfar;

namespace {

namespace fs = std::filesystem;

/// An empty home for StarPU's models and our rates.
struct Home {
  fs::path const path = fs::temp_directory_path() / "nearfar-models-test";
  Home() {
    fs::remove_all(path);
    fs::create_directories(path);
    for (char const* name : {"STARPU_HOME", "XDG_CACHE_HOME", "NEARFAR_CACHE"}) setenv(name, path.c_str(), 1);
    setenv("NEARFAR_RATES", "measure", 1);
    setenv("STARPU_CALIBRATE", "1", 1);
    setenv("STARPU_HISTORY_MAX_ERROR", "1000000000", 1);  // a busy machine must not make StarPU forget
  }
  ~Home() {
    fs::remove_all(path);
    for (char const* name : {"STARPU_HOME", "XDG_CACHE_HOME", "STARPU_CALIBRATE", "STARPU_HISTORY_MAX_ERROR"})
      unsetenv(name);
    setenv("NEARFAR_RATES", "default", 1);
  }
};

constexpr double seconds_per_flop = 1e-9;  // twenty times slower than any core that this runs on

std::vector<std::string> words_of(std::string const& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

/// A model as StarPU writes it: every size now takes so many seconds per flop, measured often, and so does the curve
/// between them.
void rewrite(fs::path const& file) {
  std::ifstream in(file);
  std::ostringstream out;
  out.precision(17);
  std::string line, heading;
  int sizes = 0;
  while (std::getline(in, line)) {
    auto const words = words_of(line);
    constexpr double often = 1000;
    if (line.starts_with('#')) {
      heading = line;
      out << line << '\n';
    } else if (heading.starts_with("# a\t") && words.size() == 3) {
      out << 1e6 * seconds_per_flop << " 1 0\n";
    } else if (heading.starts_with("# hash") && words.size() == 8) {
      double const mean = 1e6 * seconds_per_flop * std::stod(words[1]);
      out << words[0] << ' ' << words[1] << " nan " << mean << " 0 " << often * mean << ' ' << often * mean * mean
          << ' ' << int(often) << '\n';
      ++sizes;
    } else {
      out << line << '\n';
    }
  }
  in.close();
  REQUIRE(sizes > 0);
  std::ofstream(file) << out.str();
}

/// All models of a stage; the file's name ends in that of the machine.
void rewrite_models(fs::path const& home, std::string const& stage) {
  std::vector<fs::path> found;
  for (auto const& entry : fs::recursive_directory_iterator(home))
    if (entry.path().filename().string().starts_with("nearfar_" + stage + "_")) found.push_back(entry.path());
  REQUIRE(!found.empty());
  for (auto const& file : found) rewrite(file);
}

RuntimeOptions const options{.scheduler = "dmdas", .cpus = 2, .gpus = 0};
EwaldOptions const problem{.tolerance = 1e-6, .count = 300000};

/// Of P2P and of P2G, with these rates, in what the default rates give.
struct Shares {
  double near, spread;
};
Shares shares(std::shared_ptr<detail::RuntimeState> const& runtime, Rates const& rates) {
  detail::EwaldSample<double> const sample(runtime, {.tolerance = 1e-6}, 30000);
  auto const& terms = sample.terms();
  return {seconds_of(terms.near, rates) / terms.near_flops,
          seconds_of(terms.spread, rates) / seconds_of(terms.spread, Rates{})};
}

}  // namespace

TEST_CASE("models: what StarPU says that P2P takes is what plans go by, and dear pairs make the cutoff shorter") {
  Home const home;
  EwaldParameters measured, modelled;
  Shares before{}, after{};
  {
    Runtime const runtime(options);
    measured = Ewald(runtime, problem).parameters();
    before = shares(runtime.shared(), detail::measured_rates<double>(runtime.shared()));
  }
  rewrite_models(home.path, "p2p");
  unsetenv("STARPU_CALIBRATE");
  setenv("NEARFAR_RATES", "models", 1);
  {
    Runtime const runtime(options);
    modelled = Ewald(runtime, problem).parameters();
    after = shares(runtime.shared(), detail::measured_rates<double>(runtime.shared()));
  }
  CHECK(before.near < 0.3 * seconds_per_flop);
  CHECK(after.near / seconds_per_flop ==
        doctest::Approx(1).epsilon(0.15));  // sizes within a task's bucket, and the sample
  CHECK(after.spread < 5 * before.spread);
  CHECK(modelled.cutoff < 0.8 * measured.cutoff);
  CHECK(modelled.grid[0] > measured.grid[0]);
  // And it is kept.
  unsetenv("NEARFAR_RATES");
  Runtime const runtime(options);
  CHECK(Ewald(runtime, problem).parameters().cutoff == modelled.cutoff);
}

TEST_CASE("models: the multipole method goes by them too") {
  Home const home;
  double measured = 0;
  {
    Runtime const runtime(options);
    measured = detail::measured_fmm_rates<double>(runtime.shared()).pair;
  }
  rewrite_models(home.path, "fmm_p2p");
  unsetenv("STARPU_CALIBRATE");
  setenv("NEARFAR_RATES", "models", 1);
  Runtime const runtime(options);
  double const modelled = detail::measured_fmm_rates<double>(runtime.shared()).pair;
  CHECK(measured < 0.3 * seconds_per_flop);
  CHECK(modelled / seconds_per_flop == doctest::Approx(1).epsilon(0.1));
}
