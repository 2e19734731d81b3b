// SPDX-License-Identifier: BSD-3-Clause
#include "bench/cluster/description.hpp"

#include <nearfar/error.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using namespace nearfar;
using namespace nearfar::cluster;

namespace {

std::string const right =
    "kernel stokeslet\nranks 64  # a comment\n\npoints 2.56e8\nbox 64 1 2\ncutoff 0.02\nsplit 14.5\nwindow 10\ngrid "
    "240 24 48\n"
    "cells 16 8 8\nblocks 4 2 2\nslabs 128\ncolumns 64\nnear_in_single yes\nmutual no\non_gpus yes\n";

Description read(std::string const& text) {
  std::istringstream in(text);
  return read_description(in);
}

std::string with(std::string const& line, std::string const& other) {
  std::string text = right;
  return text.replace(text.find(line), line.size(), other);
}

/// What is said of it.
std::string refused(std::string const& text) {
  try {
    read(text);
  } catch (Error const& error) {
    CHECK(error.fault() == Fault::bad_input);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a description of a solve") {
  Description const d = read(right);
  CHECK(d.kernel == Kernel::stokeslet);
  CHECK(d.ranks == 64);
  CHECK(d.points == 2.56e8);
  CHECK(d.box == std::array<double, 3>{64, 1, 2});
  CHECK(d.grid == std::array{240, 24, 48});
  CHECK(d.slabs == 128);
  CHECK(d.near_in_single);
  CHECK_FALSE(d.mutual);
  CHECK(d.on_gpus);
  CHECK(d.neighbours() == doctest::Approx(2e6 * 4.18879 * 8e-6).epsilon(1e-5));
}

TEST_CASE("descriptions that are none") {
  CHECK(refused(with("window 10\n", "")).find("'window' is missing") != std::string::npos);
  CHECK(refused(with("window 10\n", "window 10\nwindow 10\n")).find("'window' is unknown, or there twice") !=
        std::string::npos);
  CHECK(refused(with("window 10", "windows 10")).find("'windows' is unknown") != std::string::npos);
  CHECK(refused(with("window 10", "window ten")).find("1 numbers above zero") != std::string::npos);
  CHECK(refused(with("window 10", "window -10")).find("above zero") != std::string::npos);
  CHECK(refused(with("window 10", "window 10 12")).find("ends with '12'") != std::string::npos);
  CHECK(refused(with("box 64 1 2", "box 64 1")).find("3 numbers above zero") != std::string::npos);
  CHECK(refused(with("mutual no", "mutual maybe")).find("say yes or no") != std::string::npos);
  CHECK(refused(with("stokeslet", "oseen")).find("oseen") != std::string::npos);
}
