// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/options.hpp"
#include "core/plan/ewald/parameters.hpp"

#include <nearfar/error.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

using namespace nearfar;

namespace {

/// The message names the value that is wrong, why, and what would be right.
template <class T = double>
void check_rejected(std::function<void(EwaldOptions&)> const& spoil, std::initializer_list<char const*> parts) {
  EwaldOptions options;
  options.tolerance = 1e-4;
  spoil(options);
  try {
    choose_parameters<T>(options, 1000, 1000);
    FAIL("accepted: ", *parts.begin());
  } catch (Error const& error) {
    CHECK(error.fault() == Fault::bad_input);
    std::string const message = error.what();
    for (char const* part : parts) CHECK_MESSAGE(message.find(part) != std::string::npos, message);
    CHECK_MESSAGE(message.find('(') != std::string::npos, message);
  }
}

double const not_a_number = std::numeric_limits<double>::quiet_NaN();
double const infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("options: a gradient of a kernel that has none") {
  check_rejected([](auto& o) { o.outputs = Output::potential | Output::gradient; },
                 {"gradient", "stokeslet", "velocity"});
}

TEST_CASE("options: more particles than any memory holds") {
  check_rejected([](auto& o) { o.count = std::size_t(1) << 60; }, {"count is 1152921504606846976", "at most"});
  check_rejected([](auto& o) { o.count = std::numeric_limits<std::size_t>::max(); },
                 {"count is 18446744073709551615", "at most"});
}

TEST_CASE("options: a plan for no vector of strengths") {
  check_rejected([](auto& o) { o.vectors = 0; }, {"vectors is 0", "1 or more"});
}

TEST_CASE("options: pairs in a precision that cannot be had, or does not reach the tolerance") {
  check_rejected([](auto& o) { o.near_precision = NearPrecision::single, o.tolerance = 1e-7; },
                 {"near precision is single with tolerance 1e-07", "2.5e-7", "1e-06"});
  check_rejected<float>([](auto& o) { o.near_precision = NearPrecision::double_; },
                        {"near precision is double", "single precision", "use double"});
}

TEST_CASE("options: a far part in a precision that cannot be had, or does not reach the tolerance") {
  check_rejected([](auto& o) { o.far_precision = FarPrecision::single, o.tolerance = 1e-6; },
                 {"far precision is single with tolerance 1e-06", "1e-05"});
  check_rejected<float>([](auto& o) { o.far_precision = FarPrecision::double_; },
                        {"far precision is double", "single precision", "use double"});
}

TEST_CASE("options: a table of the influence function, where there is one") {
  for (Periodicity p : {Periodicity::x, Periodicity::xy, Periodicity::xyz})
    check_rejected([p](auto& o) { o.periodicity = p, o.influence = Influence::table; },
                   {"influence is table", "periodic x", "periodic none"});
}

TEST_CASE("options: a table of the influence function with a window too wide for it") {
  check_rejected(
      [](auto& o) { o.periodicity = Periodicity::none, o.influence = Influence::table, o.window_points = 20; },
      {"influence is table with a window of 20", "at most 18"});
}

TEST_CASE("options: boxes out of proportion, by the caller's numbers; periods of 1 to 1000 are none") {
  EwaldOptions options{.periodicity = Periodicity::xy, .box = {1, 2, 0}};
  auto const message = [&](std::array<double, 3> const& lengths) -> std::string {
    try {
      check_proportions(options, lengths);
    } catch (Error const& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message({1, 2, 1000}) == "");
  CHECK(message({1, 2, 0}) == "");
  CHECK(message({1, 2, 54321}).find("the spread of the points along z is 54321 and the period along x is 1 (") == 0);
  options.box[2] = 20000.015625;
  CHECK(message(options.box).find("the box edge along z is 20000.015625 and the period along x is 1 (") == 0);
  options = {.periodicity = Periodicity::none, .box = {1e-9, 0, 3}};
  CHECK(message({1e-9, 7, 3}).find("the spread of the points along y is 7 and the box edge along x is 1e-09 (") == 0);
  options.box[0] = 0;
  CHECK(message({1e-9, 7, 3}) == "");
  options.cutoff = 8;
  CHECK(message({1e-9, 7, 3}).find("cutoff is 8 (the spread of the points along y is 7, ") == 0);
}

TEST_CASE("options: boxes") {
  check_rejected([](auto& o) { o.box[1] = 0; }, {"box edge y is 0", "above 0"});
  check_rejected([](auto& o) { o.box[0] = -2; }, {"box edge x is -2"});
  check_rejected([](auto& o) { o.box[2] = not_a_number; }, {"box edge z is nan"});
  check_rejected([](auto& o) { o.box[2] = infinity; }, {"box edge z is inf"});
  check_rejected(
      [](auto& o) {
        o.periodicity = Periodicity::x, o.box = {1, -1, 1};
      },
      {"box edge y is -1", "free", "or 0"});
}

TEST_CASE("options: tolerances") {
  check_rejected([](auto& o) { o.tolerance = 0; }, {"tolerance is 0", "1e-12"});
  check_rejected([](auto& o) { o.tolerance = -1e-3; }, {"tolerance is -0.001"});
  check_rejected([](auto& o) { o.tolerance = 1234567.25; }, {"tolerance is 1234567.25"});
  check_rejected([](auto& o) { o.tolerance = not_a_number; }, {"tolerance is nan"});
  check_rejected([](auto& o) { o.tolerance = 2; }, {"tolerance is 2", "0.5"});
  check_rejected([](auto& o) { o.tolerance = 1e-15; }, {"tolerance is 1e-15", "double precision", "1e-12"});
  check_rejected<float>([](auto& o) { o.tolerance = 1e-8; },
                        {"tolerance is 1e-08", "single precision", "1e-05", "double"});
}

TEST_CASE("options: constants that the sum does not leave open") {
  auto const mean_flow = ZeroMode::zero_mean_flow;
  check_rejected([&](auto& o) { o.zero_mode = mean_flow; },
                 {"zero mode is zero-mean-flow", "kernel stokeslet", "stresslet or stokes"});
  check_rejected(
      [&](auto& o) { o.kernel = Kernel::stresslet, o.periodicity = Periodicity::xy, o.zero_mode = mean_flow; },
      {"zero mode is zero-mean-flow", "periodic xy", "use periodic xyz"});
  check_rejected([](auto& o) { o.gauge_length = 2; }, {"gauge length is 2", "periodic xyz", "use periodic x"});
  check_rejected([](auto& o) { o.kernel = Kernel::stresslet, o.periodicity = Periodicity::x, o.gauge_length = 1; },
                 {"gauge length is 1", "stresslet", "no logarithm", "stokeslet, stokes, laplace or charge-dipole"});
  check_rejected([](auto& o) { o.periodicity = Periodicity::x, o.gauge_length = 0; }, {"gauge length is 0", "above 0"});
  EwaldOptions good;
  good.periodicity = Periodicity::x;
  good.gauge_length = 0.5;
  CHECK_NOTHROW(check_options<double>(good));
  good.kernel = Kernel::charge_dipole;
  CHECK_NOTHROW(check_options<double>(good));
  good = {.kernel = Kernel::stokes, .zero_mode = ZeroMode::zero_face_flux};
  CHECK_NOTHROW(check_options<double>(good));
}

TEST_CASE("options: parameters set by hand") {
  check_rejected([](auto& o) { o.cutoff = 0; }, {"cutoff is 0"});
  check_rejected([](auto& o) { o.cutoff = 3; }, {"cutoff is 3", "edge is 1"});
  check_rejected([](auto& o) { o.cutoff = not_a_number; }, {"cutoff is nan"});
  check_rejected([](auto& o) { o.cutoff = 1e-5; }, {"cutoff is 1e-05", "longer"});
  check_rejected([](auto& o) { o.split_parameter = 500; }, {"split parameter is 500", "pswf"});
  check_rejected([](auto& o) { o.split = Split::gaussian, o.split_parameter = 20; }, {"split parameter is 20", "xi"});
  check_rejected([](auto& o) { o.window_points = 3; }, {"window points is 3", "4 to 20"});
  check_rejected([](auto& o) { o.window_points = 21; }, {"window points is 21"});
  check_rejected([](auto& o) { o.grid = std::array{32, 31, 32}; }, {"grid has 31 points along y", "even"});
  check_rejected([](auto& o) { o.grid = std::array{32, 32, 0}; }, {"grid has 0 points along z"});
  check_rejected(
      [](auto& o) {
        o.grid = std::array{8, 32, 32}, o.window_points = 12;
      },
      {"grid has 8 points along x", "12"});
  check_rejected(
      [](auto& o) {
        o.periodicity = Periodicity::x, o.grid = std::array{12, 12, 32}, o.window_points = 12;
      },
      {"grid has 12 points along y", "from 16"});
}
