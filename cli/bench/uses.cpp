// SPDX-License-Identifier: BSD-3-Clause
// Which measurement reads which option: what one would ignore is refused.
#include "cli/bench/bench.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <initializer_list>

namespace nearfar::cli {

namespace {

using Flags = std::vector<std::string>;

Flags flags_of(Options const& table) {
  Flags flags;
  for (auto const& option : table) flags.push_back(option.flag);
  return flags;
}

Flags joined(std::initializer_list<Flags> lists) {
  Flags all;
  for (auto const& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

Flags without(Flags all, Flags const& some) {
  std::erase_if(all, [&](std::string const& flag) { return std::ranges::count(some, flag) > 0; });
  return all;
}

bool is_one_of(std::string const& what, std::initializer_list<char const*> names) {
  return std::ranges::any_of(names, [&](char const* name) { return what == name; });
}

/// Of every measurement. So many workers bind those that start none, too.
Flags of_all() { return {"WHAT", "--repeat", "--number-runs", "--json", "--cpus", "--gpus"}; }
Flags of_precision() { return {"--precision", "--use-float"}; }
Flags of_particles() { return {"--count", "--number-of-particles", "--distribution", "--seed"}; }

Flags of_runtime() {
  RuntimeOptions runtime;
  return joined({flags_of(runtime_options(runtime)), flags_of(network_options(runtime))});
}

Flags of_ewald() {
  EwaldSettings s;
  return joined({of_precision(), flags_of(kernel_options(s.plan.kernel, s.plan.outputs)),
                 flags_of(box_options(s.plan.box)), flags_of(ewald_options(s)), flags_of(ewald_expert_options(s))});
}

Flags of_fmm() {
  FmmSettings s;
  return joined({of_precision(), flags_of(kernel_options(s.plan.kernel, s.plan.outputs)), flags_of(fmm_options(s)),
                 flags_of(fmm_expert_options(s))});
}

Flags of_variants(std::string const& what, bool on_gpus) {
  Flags const own{"--variant", "--check"};
  if (what == "p2p" && !on_gpus)
    return joined({of_all(), of_particles(), of_precision(), own, {"--function", "--dimensions"}});
  return joined({of_all(), of_particles(), of_runtime(), without(of_ewald(), {"--part", "--implementation"}), own});
}

/// Of a measurement, by the method that it takes.
Flags used_by(std::string const& what, std::string const& method) {
  Flags const solves = joined({of_all(), of_particles(), of_runtime()});
  Flags const outputs{"--outputs", "--gradient"};
  if (what == "ewald") return joined({solves, of_ewald(), {"--vectors"}});
  if (is_one_of(what, {"fmm", "fmm-p2p", "m2l"})) return joined({solves, of_fmm()});
  auto const ewald = without(of_ewald(), {"--part"});
  if (what == "p2p") return joined({solves, ewald, {"--neighbours"}});
  if (is_one_of(what, {"p2g", "g2p", "fft"})) return joined({solves, ewald});
  if (what == "overlap") return joined({solves, ewald, {"--message-delay"}});
  if (what == "steps")
    return joined({without(solves, {"--repeat", "--number-runs"}),
                   method == "fmm" ? of_fmm() : ewald,
                   {"--method", "--steps", "--step", "--systems"}});
  if (what == "schedulers")
    return joined({without(joined({solves, ewald, of_fmm()}), of_precision()), {"--profiles", "--rounds"}});
  if (what == "operators") return without(joined({solves, ewald}), joined({outputs, of_precision()}));
  if (what == "calibrate")
    return without(joined({solves, ewald}), joined({outputs, of_precision(), {"--distribution"}}));
  if (what == "poisson") return joined({of_all(), of_precision(), of_runtime(), {"--grid"}});
  return joined({of_all(), of_precision()});  // peak
}

/// "bench ewald, p2p", all that read an option.
std::string readers_of(std::string const& flag) {
  std::string names;
  auto const add = [&](std::string const& name, Flags const& used) {
    if (std::ranges::count(used, flag) > 0) names += (names.empty() ? "bench " : ", ") + name;
  };
  for (auto const& what : measurements())
    if (what != "steps") add(what, used_by(what, {}));
  for (auto const* method : {"ewald", "fmm"}) add("steps --method " + std::string(method), used_by("steps", method));
  for (auto const* what : {"p2p", "p2g", "g2p"}) add(std::string(what) + " --variant", of_variants(what, false));
  return names;
}

}  // namespace

std::vector<std::string> measurements() {
  auto all = bench_stages();
  all.insert(all.begin(), {"ewald", "fmm", "poisson", "peak"});
  all.insert(all.end(), {"overlap", "schedulers", "steps", "operators", "calibrate"});
  return all;
}

void expect_used(BenchSettings const& settings) {
  bool const compares = !settings.variants.empty() && is_one_of(settings.what, {"p2p", "p2g", "g2p"});
  auto const used =
      compares ? of_variants(settings.what, settings.runtime.gpus > 0) : used_by(settings.what, settings.method);
  for (auto const& flag : settings.given)
    if (std::ranges::count(used, flag) == 0)
      throw Error{Fault::bad_input, flag + " means nothing to 'bench " + settings.what +
                                        (compares ? " --variant" : "") + "': it is for " + readers_of(flag) +
                                        "; leave it out"};
}

}  // namespace nearfar::cli
