// SPDX-License-Identifier: BSD-3-Clause
// usage: nearfar_accuracy errors|energies|operators|saving [COUNT [JUDGED, KERNEL or REPEAT]]
// errors: error against tolerance, measured with the oracle of the tests. energies: of energy and virial. operators: of
// each output of every kernel. saving: what the prolate split and the Kaiser-Bessel window save against Gaussians. One
// line of JSON per case on stdout; docs/update_accuracy makes tables.
#include "tests/accuracy/cases.hpp"
#include "tests/accuracy/energy/energy_cases.hpp"
#include "tests/accuracy/every.hpp"
#include "tests/accuracy/operators/operator_cases.hpp"

#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace nearfar;
using nlohmann::ordered_json;

namespace {

constexpr unsigned seed = 1;

void print(ordered_json const& line) {
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

ordered_json parameters_json(EwaldPlanning const& p) {
  return {{"estimated_error", p.estimated_error}, {"cutoff", p.cutoff},
          {"split_parameter", p.split_parameter}, {"grid_points", double(p.grid[0]) * p.grid[1] * p.grid[2]},
          {"window_points", p.window_points},     {"window_shape", p.window_shape}};
}

void print_errors(std::size_t count, std::size_t judged) {
  using namespace nearfar::accuracy;
  Runtime const runtime;
  Judge judge(count, judged, seed);
  for (Case const& c : every_case()) {
    Errors const e = judge.errors(runtime, c);
    ordered_json line{{"what", "error"},
                      {"kernel", name(c.kernel)},
                      {"periodic", name(c.periodicity)},
                      {"precision", c.single ? "single" : "double"},
                      {"distribution", name(c.distribution)},
                      {"strengths", name(c.signs)},
                      {"split", name(c.split)},
                      {"count", count},
                      {"judged", judged},
                      {"seed", seed},
                      {"tolerance", c.tolerance},
                      {"whole", e.whole},
                      {"far", e.far},
                      {"far_of_others", e.far_of_others}};
    line.update(parameters_json(e.parameters));
    print(line);
  }
}

void print_energies(std::size_t count) {
  using namespace nearfar::accuracy;
  Runtime const runtime;
  EnergyJudge judge(count, seed);
  for (EnergyCase const& c : energy_cases({1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10})) {
    EnergyErrors const e = judge.errors(runtime, c);
    print({{"what", "energy"},
           {"kernel", name(c.kernel)},
           {"method", c.by_multipoles ? "fmm" : "ewald"},
           {"periodic", name(c.periodicity)},
           {"precision", c.single ? "single" : "double"},
           {"distribution", name(c.distribution)},
           {"strengths", name(c.signs)},
           {"count", count},
           {"seed", seed},
           {"tolerance", c.tolerance},
           {"energy", e.energy},
           {"virial", e.virial},
           {"told", e.told}});
  }
}

/// `kernel`: only this one; empty: all.
void print_operators(std::size_t count, std::string const& kernel) {
  using namespace nearfar::accuracy;
  Runtime const runtime;
  OperatorJudge judge(count, seed);
  for (Case const& c : operator_cases({1e-3, 1e-5, 1e-7, 1e-9, 1e-11})) {
    if (!kernel.empty() && kernel != name(c.kernel)) continue;
    for (auto const& [output, error] : judge.errors(runtime, c))
      print({{"what", "operator"},
             {"kernel", name(c.kernel)},
             {"output", name(output)},
             {"periodic", name(c.periodicity)},
             {"precision", c.single ? "single" : "double"},
             {"distribution", name(c.distribution)},
             {"count", count},
             {"seed", seed},
             {"tolerance", c.tolerance},
             {"error", error}});
  }
}

struct Method {
  Split split;
  Window window;
};

constexpr Method methods[] = {{Split::pswf, Window::kaiser_bessel},
                              {Split::pswf, Window::pswf},
                              {Split::gaussian, Window::kaiser_bessel},
                              {Split::gaussian, Window::gaussian}};

/// One method's plan, and what its solves took.
struct Timed {
  Ewald plan;
  Points points;
  std::vector<double> seconds;
};

void print_saving(std::size_t count, int repeat) {
  Runtime const runtime;
  for (Kernel kernel : {Kernel::stokeslet, Kernel::stokes, Kernel::laplace})
    for (double tolerance : {1e-3, 1e-6, 1e-9, 1e-12}) {
      auto const system = random_system(kernel, {1, 1, 1}, count, count, seed);
      EwaldOptions options{.kernel = kernel, .outputs = system.outputs(), .tolerance = tolerance, .count = count};
      double const cutoff = Ewald(runtime, options).parameters().cutoff;
      auto const with = [&](Method method) {
        options.split = method.split;
        options.window = method.window;
        return Ewald(runtime, options);
      };
      std::vector<Timed> timed;
      for (Method method : methods) {
        Ewald plan = with(method);
        auto points = plan.set_points(system.sources);
        timed.push_back({std::move(plan), std::move(points), {}});
      }
      std::vector<double> result(count * std::size_t(result_components(kernel, system.outputs())));
      for (int i = -1; i < repeat; ++i)  // interleaved, so that other load on the machine affects all of them
        for (Timed& t : timed) {
          double const seconds = t.plan.submit(t.points, system.strengths, result).report().seconds;
          if (i >= 0) t.seconds.push_back(seconds);
        }
      options.cutoff = cutoff;
      for (std::size_t m = 0; m < std::size(methods); ++m) {
        auto& seconds = timed[m].seconds;
        std::sort(seconds.begin(), seconds.end());
        auto const same = with(methods[m]).parameters();
        ordered_json line{{"what", "saving"},
                          {"kernel", name(kernel)},
                          {"split", name(methods[m].split)},
                          {"window", name(methods[m].window)},
                          {"count", count},
                          {"repeat", repeat},
                          {"tolerance", tolerance},
                          {"seconds", seconds[seconds.size() / 2]},
                          {"min_seconds", seconds.front()}};
        line.update(parameters_json(timed[m].plan.parameters()));
        line["same_cutoff_grid_points"] = parameters_json(same)["grid_points"];
        line["same_cutoff_window_points"] = same.window_points;
        print(line);
      }
    }
}

std::size_t argument(int argc, char** argv, int i, long otherwise) {
  long const value = i < argc ? std::strtol(argv[i], nullptr, 10) : otherwise;
  if (value < 1) throw std::invalid_argument(std::string("'") + argv[i] + "' is no count; give a number above 0");
  return std::size_t(value);
}

int usage() {
  std::fputs(
      "usage: nearfar_accuracy errors [COUNT [JUDGED]] | energies [COUNT] | operators [COUNT [KERNEL]] | "
      "saving [COUNT [REPEAT]]\n",
      stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) return usage();
  try {
    if (std::strcmp(argv[1], "errors") == 0) print_errors(argument(argc, argv, 2, 1000), argument(argc, argv, 3, 100));
    else if (std::strcmp(argv[1], "energies") == 0) print_energies(argument(argc, argv, 2, 1000));
    else if (std::strcmp(argv[1], "operators") == 0)
      print_operators(argument(argc, argv, 2, 500), argc > 3 ? argv[3] : "");
    else if (std::strcmp(argv[1], "saving") == 0)
      print_saving(argument(argc, argv, 2, 100000), int(argument(argc, argv, 3, 5)));
    else return usage();
  } catch (std::exception const& e) {
    std::fprintf(stderr, "nearfar_accuracy: %s\n", e.what());
    return 1;
  }
}
