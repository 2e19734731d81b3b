// SPDX-License-Identifier: BSD-3-Clause
// How good the chosen plans are: each raced against others around it, in one run.
#include "bench/plans/plans.hpp"

#include "cli/io/particles/particles.hpp"
#include "cli/progress.hpp"
#include "cli/standard_output.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace nearfar::cli {

namespace {

constexpr double good = 1.1, bearable = 1.2;  // chosen / best
constexpr double near = 0.3;                  // predicted / measured - 1

char const* method_of(PlanCase const& c) { return c.ewald ? "ewald" : "fmm"; }

template <class T>
RaceResult race_of(PlansSettings const& settings, Runtime const& runtime, PlanCase const& c) {
  tune_once<T>(runtime, 4 * c.count);  // first, so that no plan of this size triggers measurements later
  auto particles = settings.particles;
  particles.kernel = c.kernel;
  particles.count = c.count;
  particles.distribution = c.distribution;
  auto const field_of = [&](auto options, auto const& make) {
    options.kernel = c.kernel;
    options.outputs = c.outputs;
    options.tolerance = c.tolerance;
    if (std::ranges::count(options.box, 0) == 0) particles.box = options.box;
    Rows<T> const rows{particles};
    PlanField const field = make(options, rows);
    RaceResult result = race(field.chosen, field.others, settings.race);
    result.predicted = field.predicted;
    return result;
  };
  if (c.ewald)
    return field_of(settings.ewald.plan,
                    [&](auto const& o, auto const& rows) { return ewald_field<T>(runtime, o, rows); });
  return field_of(settings.fmm.plan, [&](auto const& o, auto const& rows) { return fmm_field<T>(runtime, o, rows); });
}

std::vector<PlanCase> cases_of(PlansSettings const& settings) {
  auto const asked = [&](PlanCase const& c) { return settings.method.empty() || settings.method == method_of(c); };
  std::vector<PlanCase> all;
  if (settings.all_cases || settings.quick_cases) {
    for (auto const& c : plan_cases(settings.quick_cases))
      if (asked(c)) all.push_back(c);
    return all;
  }
  for (bool const ewald : {true, false}) {
    auto const of = [&](auto const& plan) {
      expect_outputs(plan.kernel, plan.outputs);
      return PlanCase{
          ewald, plan.kernel, plan.outputs, settings.particles.count, plan.tolerance, settings.particles.distribution};
    };
    auto const c = ewald ? of(settings.ewald.plan) : of(settings.fmm.plan);
    if (asked(c)) all.push_back(c);
  }
  return all;
}

void print_case(PlansSettings const& settings, Runtime const& runtime, PlanCase const& c, RaceResult const& r) {
  auto json = conditions("plans", measurement_on(runtime));
  json["method"] = method_of(c);
  add_request(json, {c.kernel, c.outputs, c.ewald ? settings.ewald.plan.periodicity : settings.fmm.plan.periodicity,
                     name_of(settings.ewald.precision), c.distribution, c.count});
  json["tolerance"] = c.tolerance;
  json["ratio"] = r.ratio;
  json["cpu_ratio"] = r.cpu_ratio;
  json["judged_by"] = settings.race.by_cpu ? "cpu" : "clock";
  json["others"] = r.others;
  json["dropped"] = r.dropped;
  json["chosen"] = nlohmann::ordered_json::parse(r.chosen);
  json["chosen"]["seconds"] = r.chosen_time.seconds;
  json["chosen"]["cpu_seconds"] = r.chosen_time.cpu_seconds;
  json["chosen"]["predicted_cpu_seconds"] = r.predicted;
  json["best"] = nlohmann::ordered_json::parse(r.best);
  json["best"]["seconds"] = r.best_time.seconds;
  json["best"]["cpu_seconds"] = r.best_time.cpu_seconds;
  print_line(json);
  std::fflush(results());
}

}  // namespace

void bench_plans(PlansSettings const& settings) {
  if (!settings.method.empty() && settings.method != "ewald" && settings.method != "fmm")
    throw Error{Fault::bad_input,
                "nearfar-bench plans has no method '" + settings.method + "'; take ewald or fmm, or none for both"};
  auto asked = settings;
  settle_box(asked.fmm);
  Runtime const runtime{settings.runtime};
  Progress progress{false};
  std::size_t within_good = 0, within_bearable = 0, predicted = 0;
  auto const cases = cases_of(asked);
  for (auto const& c : cases) {
    progress.step(std::string("plans of ") + method_of(c) + ", " + std::string(name(c.kernel)) + ", " +
                  std::to_string(c.count) + " particles");
    auto const r = asked.ewald.precision == Precision::double_ ? race_of<double>(asked, runtime, c)
                                                               : race_of<float>(asked, runtime, c);
    double const ratio = asked.race.by_cpu ? r.cpu_ratio : r.ratio;
    within_good += ratio <= good ? 1 : 0;
    within_bearable += ratio <= bearable ? 1 : 0;
    predicted += std::abs(r.predicted / r.chosen_time.cpu_seconds - 1) <= near ? 1 : 0;
    print_case(asked, runtime, c, r);
  }
  progress.end();
  if (!asked.all_cases && !asked.quick_cases) return;
  nlohmann::ordered_json json;
  json["bench"] = "plans";
  json["cases"] = cases.size();
  json["within_10_percent"] = within_good;
  json["within_20_percent"] = within_bearable;
  json["predicted_within_30_percent"] = predicted;
  print_line(json);
}

}  // namespace nearfar::cli
