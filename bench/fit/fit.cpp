// SPDX-License-Identifier: BSD-3-Clause
#include "bench/fit/fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace nearfar::bench {

namespace {

double predicted(Observation const& o, std::vector<double> const& constants) {
  double sum = o.known;
  for (std::size_t i = 0; i < constants.size(); ++i) sum += o.factors[i] * constants[i];
  return sum;
}

/// Three digits, as people write them: 5e-8, not 5.00e-08.
std::string text_of(double value) {
  if (value == 0) return "0";
  char text[32];
  std::snprintf(text, sizeof text, "%.2e", value);
  std::string const all = text;
  std::size_t const e = all.find('e');
  std::string digits = all.substr(0, e);
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return digits + "e" + std::to_string(std::stoi(all.substr(e + 1)));
}

constexpr char const* comment = "///<";

/// Comments at the ends of neighbouring lines below each other, two spaces behind the longest, as clang-format has
/// them.
std::string aligned(std::string const& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  auto const code = [&](std::size_t i) {  // how long line i is before its comment; 0: it has none
    auto const at = i < lines.size() ? lines[i].find(comment) : std::string::npos;
    return at == std::string::npos ? 0 : lines[i].find_last_not_of(' ', at - 1) + 1;
  };
  for (std::size_t first = 0, end = 0; first < lines.size(); first = end + 1) {
    std::size_t longest = 0;
    for (end = first; code(end) > 0; ++end) longest = std::max(longest, code(end));
    for (std::size_t i = first; i < end; ++i)
      lines[i].replace(code(i), lines[i].find(comment) - code(i), longest + 2 - code(i), ' ');
  }
  std::string joined;
  for (auto const& line : lines) joined += line + '\n';
  return joined;
}

}  // namespace

std::vector<double> least_squares(std::span<Observation const> observations, std::vector<double> const& before) {
  // One constant after the other, each the best for the others as they are: for sums of squares over constants that may
  // not be negative this goes down to the only minimum. In units of `before`, or of the column where that is 0.
  std::vector<double> constants = before;
  std::size_t const n = before.size();
  constexpr int most_sweeps = 100000;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double change = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double up = 0, down = 0;
      for (Observation const& o : observations) {
        double const a = o.factors[i] / o.seconds;
        up += a * (1 - (predicted(o, constants) - o.factors[i] * constants[i]) / o.seconds);
        down += a * a;
      }
      if (down == 0) continue;
      double const best = std::max(0.0, up / down);
      change = std::max(change, std::abs(best - constants[i]) * std::sqrt(down));
      constants[i] = best;
    }
    if (change < 1e-13) break;
  }
  return constants;
}

std::vector<double> fit(std::span<Observation const> observations, std::vector<double> const& before) {
  std::vector<double> constants = least_squares(observations, before);
  std::size_t const n = before.size();
  double kept = 0;
  int counted = 0;
  for (Observation const& o : observations) {
    double const was = predicted(o, before), is = predicted(o, constants);
    if (!(was > 0 && is > 0)) continue;
    kept += std::log(was / is);
    ++counted;
  }
  for (std::size_t i = 0; i < n; ++i) {
    bool const seen = std::ranges::any_of(observations, [&](auto const& o) { return o.factors[i] != 0; });
    constants[i] = seen ? constants[i] * std::exp(kept / counted) : before[i];
  }
  return constants;
}

double misfit(std::span<Observation const> observations, std::vector<double> const& constants) {
  // Whatever the speed of this machine: the best common factor first.
  double up = 0, down = 0, squares = 0;
  for (Observation const& o : observations) {
    double const ratio = predicted(o, constants) / o.seconds;
    up += ratio;
    down += ratio * ratio;
  }
  for (Observation const& o : observations) squares += std::pow(up / down * predicted(o, constants) / o.seconds - 1, 2);
  return observations.empty() ? 0 : std::sqrt(squares / double(observations.size()));
}

std::vector<FittedConstant> constants_of(WorkRow row) {
  std::vector<FittedConstant> all;
  for (FittedConstant const& c : fitted_constants)
    if (c.row == row) all.push_back(c);
  return all;
}

WorkConstants refitted(std::span<std::vector<Observation> const> rows, WorkConstants const& before) {
  WorkConstants constants = before;
  for (WorkRow row : all_rows) {
    auto const own = constants_of(row);
    auto const& observations = rows[std::size_t(row)];
    if (observations.empty()) continue;
    std::vector<double> values;
    for (FittedConstant const& c : own) values.push_back(before.*c.member);
    values = fit(observations, values);
    for (std::size_t i = 0; i < own.size(); ++i) constants.*own[i].member = values[i];
  }
  return constants;
}

GpuConstants refitted(std::span<Observation const> observations, GpuConstants const& before) {
  std::vector<double> values;
  for (FittedGpuConstant const& c : fitted_gpu_constants) values.push_back(before.*c.member);
  std::vector<double> const found = least_squares(observations, values);
  GpuConstants constants = before;
  for (std::size_t i = 0; i < found.size(); ++i) constants.*fitted_gpu_constants[i].member = found[i];
  return constants;
}

namespace {

template <class Fitted, class Constants>
std::string rewritten_by(Fitted const& fitted, std::string text, Constants const& constants) {
  for (auto const& c : fitted) {
    std::string const before = std::string("double ") + c.name + " = ";
    auto const at = text.find(before), end = at == std::string::npos ? at : text.find(';', at);
    if (end == std::string::npos) throw std::runtime_error(std::string(c.name) + " has no place in this file");
    text.replace(at + before.size(), end - at - before.size(), text_of(constants.*c.member));
  }
  return aligned(text);
}

}  // namespace

std::string rewritten(std::string text, WorkConstants const& constants) {
  return rewritten_by(fitted_constants, std::move(text), constants);
}
std::string rewritten(std::string text, GpuConstants const& constants) {
  return rewritten_by(fitted_gpu_constants, std::move(text), constants);
}

}  // namespace nearfar::bench
