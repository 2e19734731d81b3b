// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/bench.hpp"
#include "cli/bench/schedulers/calibrate.hpp"
#include "cli/commands/command.hpp"
#include "cli/free_memory.hpp"
#include "cli/io/number.hpp"
#include "cli/options.hpp"
#include "cli/report.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <sstream>

namespace nearfar::cli {

namespace {

int run_calibration(BenchSettings const& settings) {
  CalibrationSettings calibration;
  calibration.runtime = settings.runtime;
  calibration.plan = settings.ewald.plan;
  calibration.kernel = settings.kernel;
  calibration.count = settings.particles.count;
  calibration.seed = settings.particles.seed;
  if (settings.repeats) calibration.repeat = *settings.repeats;
  print_checks(calibrate(calibration), settings.json);
  return 0;
}

void expect_measurement(std::string const& what) {
  auto const all = measurements();
  if (std::ranges::count(all, what) > 0) return;
  std::string names;
  for (auto const& name : all) names += (names.empty() ? "" : ", ") + name;
  throw Error{Fault::bad_input, "'" + what + "' is nothing that can be measured; take one of " + names};
}

int run(BenchSettings& settings) {
  expect_measurement(settings.what);
  static constexpr std::array<std::string_view, 3> on_ranks{"ewald", "fmm", "overlap"};
  if (std::ranges::count(on_ranks, settings.what) == 0 || !settings.variants.empty())
    expect_one_process("bench " + settings.what);
  expect_used(settings);
  settings.fmm.precision = settings.ewald.precision;
  constexpr std::size_t least_bytes = 8 * sizeof(double);  // positions, strengths and results of one
  expect_memory_for(settings.particles.count, least_bytes, std::to_string(settings.particles.count) + " particles",
                    "take fewer");
  if (settings.what == "calibrate") return run_calibration(settings);
  if (!settings.variants.empty()) bench_variants(settings);
  else if (settings.what == "ewald") bench_ewald(settings);
  else if (settings.what == "fmm") bench_fmm(settings);
  else if (settings.what == "poisson") bench_poisson(settings);
  else if (settings.what == "peak") bench_peak(settings);
  else if (settings.what == "schedulers") bench_schedulers(settings);
  else if (settings.what == "steps") bench_steps(settings);
  else if (settings.what == "operators") bench_operators(settings);
  else if (settings.what == "overlap") bench_overlap(settings);
  else bench_stage(settings);
  return 0;
}

std::vector<std::string> words_of(std::string const& text) {
  std::vector<std::string> words;
  std::istringstream parts(text);
  for (std::string word; std::getline(parts, word, ',');) words.push_back(word);
  return words;
}

}  // namespace

Command bench_command() {
  auto settings = std::make_shared<BenchSettings>();
  auto& particles = settings->particles;
  Options const own = {
      {"WHAT", "",
       "ewald, fmm or poisson: whole solves; p2p, p2g, g2p, fft, m2l or fmm-p2p: one\n"
       "stage; peak: multiply-adds; overlap: near part and transforms; schedulers:\n"
       "profiles side by side; steps: moving points;\n"
       "operators: each kernel with more and more outputs;\n"
       "calibrate: task times for schedulers of the dm family",
       [settings](std::string const& text) { settings->what = text; }, "Arguments", true},
      {"--method", "NAME", "steps: ewald or fmm [ewald]",
       [settings](std::string const& text) { settings->method = text; }},
      {"--steps", "N", "steps: number of steps [20]",
       [settings](std::string const& text) { settings->steps = small_count_option("--steps", text, 1); }},
      {"--step", "LENGTH", "steps: largest move along each direction, in units of the longest edge [0.001]",
       [settings](std::string const& text) { settings->step_length = number_option("--step", text); }},
      {"--systems", "N", "steps: systems that take turns, each moved while others are solved [1]",
       [settings](std::string const& text) { settings->systems = small_count_option("--systems", text, 1); }},
      {"--neighbours", "N", "p2p: points within the cutoff of a point; sets --cutoff",
       [settings](std::string const& text) {
         settings->neighbours = static_cast<double>(count_option("--neighbours", text, 1));
       }},
      {"--vectors", "K", "ewald: vectors of strengths that are summed at once, and for which the plan is\nmade [1]",
       [settings](std::string const& text) {
         settings->ewald.plan.vectors = small_count_option("--vectors", text, 1);
       }},
      {"--message-delay", "MS", "overlap, for tests: delay of whatever comes from another rank",
       [settings](std::string const& text) {
         settings->runtime.message_delay = 1e-3 * static_cast<double>(count_option("--message-delay", text, 0));
       }},
      {"--profiles", "A,B",
       "schedulers: profiles, compared with the first one\n[overlap,prio,lws,heteroprio; with GPUs also dmdas]",
       [settings](std::string const& text) { settings->profiles = words_of(text); }},
      {"--rounds", "R", "schedulers: rounds of --repeat solves under each profile in turn [15]",
       [settings](std::string const& text) { settings->rounds = small_count_option("--rounds", text, 1); }},
      {"--variant", "A,B",
       "p2p, p2g, g2p: implementations to compare, or all. p2p (bare functions):\nsequential, xsimd, kokkos-for, "
       "kokkos-reduce, kokkos-nested,\nkokkos-hierarchical, with Kokkos >= 4 kokkos-simd, "
       "and those of Kokkos with\n-device if it was built for a GPU; with a GPU gpu-global, gpu-shared,\n"
       "gpu-global-parts, gpu-shared-parts; p2g: tuned, portable, source-ordered,\nhybrid; g2p: tuned, portable. With "
       "--gpus the stage of Ewald sums on a GPU, p2p:\ntuned, global-1d, shared-1d, global-2d, shared-2d; p2g: tuned, "
       "source-ordered,\ngrid-ordered, hybrid; g2p: tuned, target-ordered",
       [settings](std::string const& text) { settings->variants = words_of(text); }},
      {"--function", "NAME",
       "p2p --variant: inverse-distance, inverse-square, logarithm, exponential,\nrank-one, stokeslet; in three "
       "dimensions erfc, erfc-rational-6 or -13,\nerfc-polynomial-6 or -13; or all "
       "[inverse-distance]",
       [settings](std::string const& text) { settings->function = text; }},
      {"--dimensions", "D", "p2p --variant: dimensions, 2 or 3 [3]",
       [settings](std::string const& text) { settings->dimensions = small_count_option("--dimensions", text, 2); }},
      {"--check", "", "--variant: compare results with sums in long double, or with portable",
       [settings](std::string const&) { settings->check = true; }},
      {"--number-of-particles", "N", "As --count",
       [&particles](std::string const& text) {
         particles.count = static_cast<std::size_t>(count_option("--number-of-particles", text, 1));
       }},
      {"--number-runs", "R", "As --repeat",
       [settings](std::string const& text) {
         settings->repeat = small_count_option("--number-runs", text, 1);
         settings->repeats = settings->repeat;
       }},
      {"--use-float", "", "As --precision single",
       [settings](std::string const&) { settings->ewald.precision = Precision::single; }}};
  auto all = join({own, measurement_options(settings), solver_options(settings)});
  for (auto& option : all)
    option.set = [settings, flag = option.flag, set = option.set](std::string const& text) {
      settings->given.push_back(flag);
      set(text);
    };
  return {
      "bench",
      "Repeatable measurements, on stdout",
      "ewald, fmm: one solve, from submission to the end of the last task; points are set before. Median, minimum "
      "and\n"
      "maximum of the repetitions. Defaults of kernel, periodic and box are those of the method (see its command). "
      "These\n"
      "two and overlap also run under mpirun, where each rank gives the particles of its part of the box.\n"
      "poisson: a solve in free space with 64^3 to 256^3 cells or --grid, compared with FFTW's forward and backward\n"
      "transforms of the padded grid on as many threads. Also CPU times, for busy machines, best with --cpus 1.\n"
      "p2p, p2g, g2p, fft (Ewald), fmm-p2p, m2l (multipoles): the tasks of one stage in such solves, summed over "
      "workers\n"
      "(one worker unless --cpus is given). Rates are per core. fft includes all components, forward and back, and "
      "the\n"
      "multiplication between.\n"
      "peak: multiply-adds of one core with the instruction set in use (NEARFAR_SIMD).\n"
      "schedulers: scheduling profiles side by side for ewald, fmm (laplace with gradient) and 'overlap', an Ewald "
      "sum "
      "of\n"
      "6250 particles per CPU worker, so few that its stages wait for each other and P2P has gaps to fill. All use "
      "the\n"
      "plan of the first profile. 'beside' is the median over the rounds of a time divided by that of the first "
      "profile.\n"
      "overlap: Ewald's near part alone, far part alone, and both together, in turns; and the fraction of the time "
      "of\n"
      "transforms and messages during which P2P ran on the same rank, from the traces of all ranks.\n"
      "steps: points diffuse in their box; every step sets them again, moves them, and solves. Medians of each, as\n"
      "fractions of a solve too, CPU times, and for how much of the time of moving another system was being solved.\n"
      "operators: Ewald sums of every kernel (or --kernel) with its first output, with more and more of them, and with "
      "the\n"
      "virial, in turns; the median CPU time of --repeat solves each (with --gpus: time), and beside that of the "
      "first\n"
      "output (of a virial: of the same outputs without it; of a first output: of that of charges, or forces).\n"
      "calibrate: fills StarPU's models of task times, for schedulers of the dm family, by solves of all kernels "
      "(or\n"
      "--kernel) with more and more outputs and up to --count particles, in both precisions and by both methods;\n"
      "then compares predictions.\n"
      "'nearfar tune' measures the throughputs for plans.",
      "nearfar bench ewald --kernel stokeslet --count 1e6 --tolerance 1e-6 --json",
      std::move(all),
      [settings] { return run(*settings); },
      true};
}

}  // namespace nearfar::cli
