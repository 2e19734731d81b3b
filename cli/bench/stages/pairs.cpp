// SPDX-License-Identifier: BSD-3-Clause
// Bare pair functions, written in several ways (docs/laboratory.md).
#include "cli/bench/bench.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"

#include <nearfar/error.hpp>
#include <nearfar/laboratory.hpp>
#include <nearfar/processor.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

namespace nearfar::cli {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Random points in the unit square or cube, and strengths, stored component by component.
template <class T>
struct BarePoints {
  std::vector<T> position, strength;

  BarePoints(GenerateOptions const& particles, int dimensions, int strengths) {
    std::mt19937_64 random(particles.seed);
    std::uniform_real_distribution<float> uniform(0, 1);  // floats, so that both precisions have the same points
    position.resize(particles.count * static_cast<std::size_t>(dimensions));
    strength.resize(particles.count * static_cast<std::size_t>(strengths));
    for (T& x : position) x = T(uniform(random));
    for (T& f : strength) f = T(uniform(random) - 0.5F);
  }
};

/// Relative l2 error at up to 200 points, spread evenly.
template <class T>
double error_of(std::string const& function, int dimensions, PairShape const& shape, BarePoints<T> const& points,
                std::vector<T> const& result) {
  std::vector<double> const position(points.position.begin(), points.position.end()),
      strength(points.strength.begin(), points.strength.end());
  std::size_t const count = position.size() / static_cast<std::size_t>(dimensions),
                    step = std::max<std::size_t>(1, count / 200);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < count; i += step) {
    auto const exact = exact_pairs(function, dimensions, position, strength, i);
    for (std::size_t m = 0; m < std::size_t(shape.results); ++m) {
      error += std::pow(double(result[m * count + i]) - exact[m], 2);
      size += exact[m] * exact[m];
    }
  }
  return size > 0 ? std::sqrt(error / size) : std::sqrt(error);
}

template <class T>
void measure_variant(BenchSettings const& settings, std::string const& function, std::string const& variant,
                     Roof const& cpus, GpuPeaks const& gpu) {
  PairShape const shape = pair_shape(function, settings.dimensions);
  BarePoints<T> const points(settings.particles, settings.dimensions, shape.strengths);
  std::vector<T> result(settings.particles.count * static_cast<std::size_t>(shape.results));
  std::vector<double> seconds;
  for (int run = 0; run <= settings.repeat; ++run) {  // one to warm up
    auto const start = std::chrono::steady_clock::now();
    sum_pairs<T>(function, variant, settings.dimensions, points.position, points.strength, result);
    if (run > 0) seconds.push_back(seconds_since(start));
  }
  std::ranges::sort(seconds);
  double const median = seconds[seconds.size() / 2], n = static_cast<double>(settings.particles.count);
  // Each point is read and written once: the cache keeps them for the pairs.
  double const bytes = n * (settings.dimensions + shape.strengths + shape.results) * sizeof(T);
  auto json = conditions("p2p", {});
  json["variant"] = variant;
  json["function"] = function;
  json["dimensions"] = settings.dimensions;
  json["precision"] = name_of(settings.ewald.precision);
  json["count"] = settings.particles.count;
  json["repeat"] = settings.repeat;
  json["space"] = pair_space(variant);
  json["threads"] = pair_threads(variant);
  json["seconds"] = {{"minimum", seconds.front()}, {"median", median}, {"maximum", seconds.back()}};
  json["pairs_per_second"] = n * n / median;
  Roof const roof = pair_on_gpu(variant) ? roof_of(gpu, settings.ewald.precision) : cpus;
  add_roof(json, roof, n * n * shape.flops, bytes, median, json["threads"]);
  if (settings.check) json["error"] = error_of(function, settings.dimensions, shape, points, result);
  if (settings.json) return print_line(json);
  print("%-26s %-18s %dD %s  %10.4g s  %9.4g Mpairs/s  %8.4g Gflop/s", variant.c_str(), function.c_str(),
        settings.dimensions, name_of(settings.ewald.precision), median, 1e-6 * n * n / median,
        json["gflops"].get<double>());
  print("  %5.1f %% of the roof", 100 * json["roof_share"].get<double>());
  if (settings.check) print("  error %.2g", json["error"].get<double>());
  print("\n");
}

/// The names asked for, which must be among `all`; all of them for "all".
std::vector<std::string> chosen(std::vector<std::string> const& asked, std::vector<std::string> const& all,
                                char const* what) {
  if (asked == std::vector<std::string>{"all"}) return all;
  for (auto const& name : asked)
    if (std::ranges::count(all, name) == 0) {
      std::string known = "all";
      for (auto const& other : all) known += ", " + other;
      throw Error{Fault::bad_input,
                  std::string(what) + " is '" + name + "', which is not there for this stage; take one of " + known};
    }
  return asked;
}

}  // namespace

Roof measure_roof(Precision precision) {
  Roof roof;
  for (int i = 0; i < 3; ++i)
    roof.flops = std::max(roof.flops, precision == Precision::double_ ? peak_flops<double>() : peak_flops<float>());
  // Adds two arrays into a third, 96 MiB together: more than caches hold.
  std::vector<double> a(std::size_t(4) << 20, 1), b(a), c(a);
  for (int i = 0; i < 5; ++i) {
    auto const start = std::chrono::steady_clock::now();
    std::ranges::transform(a, b, c.begin(), [i](double x, double y) { return x + i * y; });
    roof.bytes = std::max(roof.bytes, 3.0 * sizeof(double) * static_cast<double>(a.size()) / seconds_since(start));
    std::swap(a, c);
  }
  return roof;
}

Roof roof_of(GpuPeaks const& peaks, Precision precision) {
  return {precision == Precision::double_ ? peaks.double_flops : peaks.single_flops, peaks.bytes};
}

void add_roof(nlohmann::ordered_json& json, Roof const& roof, double flops, double bytes, double seconds, int threads) {
  double const attainable = std::min(threads * roof.flops, flops / bytes * roof.bytes);
  json["gflops"] = 1e-9 * flops / seconds;
  json["peak_gflops"] = 1e-9 * threads * roof.flops;
  json["flops_per_byte"] = flops / bytes;
  json["bandwidth_gb"] = 1e-9 * roof.bytes;
  json["roof_gflops"] = 1e-9 * attainable;
  json["roof_share"] = flops / seconds / attainable;
}

std::vector<std::string> chosen_variants(BenchSettings const& settings, std::vector<std::string> const& all) {
  return chosen(settings.variants, all, "--variant");
}

void bench_pairs(BenchSettings const& settings) {
  auto const roof = measure_roof(settings.ewald.precision);
  bool const on_gpu = std::ranges::any_of(chosen_variants(settings, pair_variants()), pair_on_gpu);
  GpuPeaks const gpu = on_gpu ? gpu_peaks() : GpuPeaks{};
  for (auto const& function : chosen({settings.function}, pair_functions(settings.dimensions), "--function"))
    for (auto const& variant : chosen_variants(settings, pair_variants()))
      if (settings.ewald.precision == Precision::double_)
        measure_variant<double>(settings, function, variant, roof, gpu);
      else measure_variant<float>(settings, function, variant, roof, gpu);
}

}  // namespace nearfar::cli
