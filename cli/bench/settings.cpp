// SPDX-License-Identifier: BSD-3-Clause
// Options that measurements have in common.
#include "cli/bench/bench.hpp"
#include "cli/io/number.hpp"

#include <algorithm>

namespace nearfar::cli {

namespace {

/// Merges two tables: an option that is in both sets both.
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

Options measurement_options(std::shared_ptr<BenchSettings> const& settings) {
  auto& particles = settings->particles;
  particles.count = 100000;
  return {{"--count", "N", "Number of particles [100000]",
           [&particles](std::string const& text) {
             particles.count = static_cast<std::size_t>(count_option("--count", text, 1));
           }},
          {"--distribution", "NAME", "As in nearfar generate [uniform]",
           [&particles](std::string const& text) { particles.distribution = distribution_from_name(text); }},
          {"--seed", "S", "Another seed gives other particles [1]",
           [&particles](std::string const& text) {
             particles.seed = static_cast<std::uint64_t>(count_option("--seed", text, 0));
           }},
          {"--repeat", "R", "Timed solves, after one warm-up [5]",
           [settings](std::string const& text) {
             settings->repeat = small_count_option("--repeat", text, 1);
             settings->repeats = settings->repeat;
           }},
          {"--json", "", "Print one line of JSON", [settings](std::string const&) { settings->json = true; }}};
}

Options solver_options(std::shared_ptr<BenchSettings> const& settings) {
  auto& plan = settings->ewald.plan;
  auto& fmm = settings->fmm.plan;
  auto kernels = kernel_options(plan.kernel, plan.outputs);
  for (auto& option : kernels)
    if (option.flag == "--kernel")
      option.set = [settings, set = option.set](std::string const& text) {
        set(text);
        settings->kernel = settings->ewald.plan.kernel;
      };
  return join({both(join({std::move(kernels), box_options(plan.box), ewald_options(settings->ewald)}),
                    join({kernel_options(fmm.kernel, fmm.outputs), fmm_options(settings->fmm)})),
               runtime_options(settings->runtime), network_options(settings->runtime),
               both(ewald_expert_options(settings->ewald), fmm_expert_options(settings->fmm))});
}

}  // namespace nearfar::cli
