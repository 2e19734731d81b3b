// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/bench.hpp"
#include "cli/bench/calibrate.hpp"
#include "cli/commands/command.hpp"
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
#include <ranges>

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

/// "ewald, fmm, ..."
std::string known() {
  std::string names = "ewald, fmm, poisson, peak";
  for (auto const& stage : bench_stages()) names += ", " + stage;
  return names + ", overlap, schedulers, plans, steps, calibrate";
}

int run(BenchSettings& settings) {
  auto const stages = bench_stages();
  static constexpr std::array<std::string_view, 3> on_ranks{"ewald", "fmm", "overlap"};
  if (std::ranges::count(on_ranks, settings.what) == 0 || !settings.variants.empty())
    expect_one_process("bench " + settings.what);
  settings.fmm.precision = settings.ewald.precision;
  if (!settings.method.empty() && settings.what != "plans" && settings.what != "steps")
    throw Error{Fault::bad_input, "'" + settings.method + "' is one argument too many for bench " + settings.what +
                                      "; only bench plans and bench steps take a method"};
  if (settings.what == "calibrate") return run_calibration(settings);
  if (!settings.variants.empty()) bench_variants(settings);
  else if (settings.what == "ewald") bench_ewald(settings);
  else if (settings.what == "fmm") bench_fmm(settings);
  else if (settings.what == "poisson") bench_poisson(settings);
  else if (settings.what == "peak") bench_peak(settings);
  else if (settings.what == "schedulers") bench_schedulers(settings);
  else if (settings.what == "plans") bench_plans(settings);
  else if (settings.what == "steps") bench_steps(settings);
  else if (settings.what == "overlap") bench_overlap(settings);
  else if (std::ranges::count(stages, settings.what) > 0) bench_stage(settings);
  else throw Error{Fault::bad_input, "'" + settings.what + "' is nothing that can be measured; take one of " + known()};
  return 0;
}

std::vector<std::string> words_of(std::string const& text) {
  std::vector<std::string> words;
  for (auto const& part : std::views::split(text, ',')) words.emplace_back(part.begin(), part.end());
  return words;
}

/// Both tables: an option that is in both sets both.
Options both(Options first, Options const& second) {
  for (auto const& other : second) {
    auto const same = std::ranges::find(first, other.flag, &Option::flag);
    if (same == first.end()) {
      first.push_back(other);
      continue;
    }
    same->set = [one = same->set, two = other.set](std::string const& text) {
      one(text);
      two(text);
    };
  }
  return first;
}

}  // namespace

Command bench_command() {
  auto settings = std::make_shared<BenchSettings>();
  auto& particles = settings->particles;
  particles.count = 100000;
  auto& plan = settings->ewald.plan;
  auto& fmm = settings->fmm.plan;
  Options const own = {
      {"WHAT", "",
       "ewald, fmm or poisson: whole solves; p2p, p2g, g2p, fft, m2l or fmm-p2p: one\n"
       "stage; peak: multiply-adds; overlap: of near part and transforms; schedulers:\n"
       "profiles side by side; plans: the chosen one beside others; steps: points that\n"
       "move; calibrate: task times, which schedulers of the dm family go by",
       [settings](std::string const& text) { settings->what = text; }, "Arguments", true},
      {"METHOD", "", "plans: ewald or fmm [both]", [settings](std::string const& text) { settings->method = text; },
       "Arguments"},
      {"--method", "NAME", "steps: ewald or fmm [ewald]",
       [settings](std::string const& text) { settings->method = text; }},
      {"--steps", "N", "steps: how many [20]",
       [settings](std::string const& text) { settings->steps = small_count_option("--steps", text, 1); }},
      {"--step", "LENGTH", "steps: how far along each direction, at most, by the longest edge of the box [0.001]",
       [settings](std::string const& text) { settings->step_length = number_option("--step", text); }},
      {"--systems", "N", "steps: so many systems take turns, each moved while others are solved for [1]",
       [settings](std::string const& text) { settings->systems = small_count_option("--systems", text, 1); }},
      {"--count", "N", "Particles [100000]",
       [&particles](std::string const& text) {
         particles.count = static_cast<std::size_t>(count_option("--count", text, 1));
       }},
      {"--distribution", "NAME", "As of nearfar generate [uniform]",
       [&particles](std::string const& text) { particles.distribution = distribution_from_name(text); }},
      {"--seed", "S", "Another seed gives other particles [1]",
       [&particles](std::string const& text) {
         particles.seed = static_cast<std::uint64_t>(count_option("--seed", text, 0));
       }},
      {"--repeat", "R", "Timed solves, after one to warm up [5]",
       [settings](std::string const& text) {
         settings->repeat = small_count_option("--repeat", text, 1);
         settings->repeats = settings->repeat;
       }},
      {"--neighbours", "N", "p2p: points within the cutoff of one, which sets --cutoff",
       [settings](std::string const& text) {
         settings->neighbours = static_cast<double>(count_option("--neighbours", text, 1));
       }},
      {"--message-delay", "MS", "overlap, for tests: what comes from another rank comes that much later",
       [settings](std::string const& text) {
         settings->runtime.message_delay = 1e-3 * static_cast<double>(count_option("--message-delay", text, 0));
       }},
      {"--profiles", "A,B", "schedulers: these, beside the first [overlap,prio,lws,heteroprio, with\nGPUs dmdas]",
       [settings](std::string const& text) { settings->profiles = words_of(text); }},
      {"--rounds", "R",
       "schedulers: of --repeat solves under each profile in turn [15]; plans: in\nwhich the last ones take turns [9]",
       [settings](std::string const& text) {
         settings->rounds = small_count_option("--rounds", text, 1);
         settings->race.rounds = settings->rounds;
       }},
      {"--others", "N", "plans: beside the chosen one, at most [32]",
       [settings](std::string const& text) { settings->race.most = small_count_option("--others", text, 1); }},
      {"--cpu-time", "", "plans: judge by CPU time, where the machine does other work too",
       [settings](std::string const&) { settings->race.by_cpu = true; }},
      {"--all", "", "plans: the 24 requests by which they are judged",
       [settings](std::string const&) { settings->all_cases = true; }},
      {"--quick", "", "plans: two small ones", [settings](std::string const&) { settings->quick_cases = true; }},
      {"--variant", "A,B",
       "p2p, p2g, g2p: ways to write it side by side, or all. p2p: of bare functions:\nsequential, xsimd, kokkos-for, "
       "kokkos-reduce, kokkos-nested,\nkokkos-hierarchical, with Kokkos >= 4 kokkos-simd, "
       "and those of Kokkos with\n-device where it was built for a GPU; with a GPU gpu-global, gpu-shared,\n"
       "gpu-global-parts, gpu-shared-parts; p2g: tuned, portable, source-ordered,\nhybrid; g2p: tuned, portable. With "
       "--gpus the stage of Ewald sums on a GPU, p2p:\ntuned, global-1d, shared-1d, global-2d, shared-2d; p2g: tuned, "
       "source-ordered,\ngrid-ordered, hybrid; g2p: tuned, target-ordered",
       [settings](std::string const& text) { settings->variants = words_of(text); }},
      {"--function", "NAME",
       "p2p --variant: inverse-distance, inverse-square, logarithm, exponential,\nrank-one, stokeslet; in three "
       "dimensions erfc, erfc-rational-6 or -13,\nerfc-polynomial-6 or -13; or all "
       "[inverse-distance]",
       [settings](std::string const& text) { settings->function = text; }},
      {"--dimensions", "D", "p2p --variant: 2 or 3 [3]",
       [settings](std::string const& text) { settings->dimensions = small_count_option("--dimensions", text, 2); }},
      {"--check", "", "--variant: compare results with sums in long double, or with those of portable",
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
       [settings](std::string const&) { settings->ewald.precision = Precision::single; }},
      {"--json", "", "Print one line of JSON", [settings](std::string const&) { settings->json = true; }}};
  auto kernels = kernel_options(plan.kernel, plan.gradient);
  for (auto& option : kernels)
    if (option.flag == "--kernel")
      option.set = [settings, set = option.set](std::string const& text) {
        set(text);
        settings->kernel = settings->ewald.plan.kernel;
      };
  return {
      "bench",
      "Repeatable measurements, on stdout",
      "ewald, fmm: the time of one solve, submit to end, points set before. Median, least and most of the\n"
      "repetitions. Defaults of kernel, periodic and box are those of the method: see its own command. They run under\n"
      "mpirun, as overlap does: each rank gives the particles of its part of the box.\n"
      "poisson: in free space, 64^3 to 256^3 cells or --grid, beside FFTW's transforms of the padded grid there and "
      "back\n"
      "on as many threads; CPU times too, for machines that do other work, and best with --cpus 1.\n"
      "p2p, p2g, g2p, fft (Ewald), fmm-p2p, m2l (multipoles): what the tasks of the stage take in such solves, summed\n"
      "over workers, of which there is one if --cpus does not say otherwise. Rates are per core. fft: all components\n"
      "there and back, and the multiplication between.\n"
      "peak: what one core reaches, in multiply-adds by the instruction set in use (NEARFAR_SIMD).\n"
      "schedulers: ewald and fmm (laplace with gradient) as above, and 'overlap', ewald with so few particles (6250 "
      "for\n"
      "each CPU worker) that its stages wait for each other and P2P has gaps to fill. All under one plan, that of the\n"
      "first profile; 'beside' is the median, over the rounds, of a time by that of the first profile in the same "
      "round.\n"
      "overlap: Ewald's near part alone, far part alone and both together, by turns, and the share of the time of\n"
      "transforms and messages in which P2P ran on the same rank, from the traces of all ranks.\n"
      "plans: how good the plan is that is chosen: 'ratio' is its time by that of the fastest of itself and --others\n"
      "plans around it (cutoff, grid, window and blocks; order, depth, capacity and separation) that keep the\n"
      "tolerance. Always as JSON, a line for each request and method.\n"
      "steps: points diffuse, in their box; every step sets them anew, moves them, and solves. Medians of each, their\n"
      "shares of a solve, CPU times, and how much of the time of moving had a solve of another system in flight.\n"
      "calibrate: solves of all kernels (or of --kernel) with up to --count particles, in both precisions and by both\n"
      "methods, fill StarPU's models of task times, which schedulers of the dm family go by; then predictions are\n"
      "compared. What plans are chosen by is measured by 'nearfar tune'.",
      "nearfar bench ewald --kernel stokeslet --count 1e6 --tolerance 1e-6 --json",
      join({own,
            both(join({std::move(kernels), box_options(plan.box), ewald_options(settings->ewald)}),
                 join({kernel_options(fmm.kernel, fmm.gradient), fmm_options(settings->fmm)})),
            runtime_options(settings->runtime), network_options(settings->runtime),
            both(ewald_expert_options(settings->ewald), fmm_expert_options(settings->fmm))}),
      [settings] { return run(*settings); },
      true};
}

}  // namespace nearfar::cli
