// SPDX-License-Identifier: BSD-3-Clause
#include "bench/plans/plan_race.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace nearfar::cli {

namespace {

constexpr double clearly_slower = 1.4;  // in the first solve, which also touches new memory
constexpr double far_slower = 2;        // more than touching new memory explains
constexpr double close = 1.12;          // relative to the chosen plan after the first heat
constexpr std::size_t finalists = 5;    // kept in memory at the same time
constexpr int max_repeats = 25;
constexpr double long_solve = 0.3;  // seconds; longer solves have little relative noise, so half the rounds suffice
constexpr int sifting = 3;          // rounds of the final after which only those `near_best` continue
constexpr double near_best = 1.04;

double median(std::vector<double> values) {
  auto const middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Solves of a plan in the rounds of one heat.
struct Rounds {
  std::vector<double> seconds, cpu_seconds;

  /// Medians of the solves of one round.
  void add(Entrant const& entrant, int repeats) {
    std::vector<double> elapsed, cpu;
    for (int i = 0; i < repeats; ++i) {
      Timing const time = entrant.solve();
      elapsed.push_back(time.seconds);
      cpu.push_back(time.cpu_seconds);
    }
    seconds.push_back(median(elapsed));
    cpu_seconds.push_back(median(cpu));
  }
  Timing typical() const { return {median(seconds), median(cpu_seconds)}; }
};

double ratio(std::vector<double> const& one, std::vector<double> const& other) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < one.size(); ++i) ratios.push_back(one[i] / std::max(1e-9, other[i]));
  return median(ratios);
}

class Race {
 public:
  Race(MakeEntrant const& chosen, RaceRules const& rules) : rules_(rules), chosen_(*chosen()) {
    result_.chosen = result_.best = chosen_.parameters;
    seen_.insert(chosen_.parameters);
    chosen_.solve();
    Timing const time = result_.chosen_time = result_.best_time = chosen_.solve();
    usual_ = pace(time);
    rounds_ = time.seconds < long_solve ? rules.rounds : (rules.rounds + 1) / 2;
    repeats_ = std::clamp(int(rules.shortest / time.seconds), 1, max_repeats);
  }

  RaceResult run(std::vector<MakeEntrant> const& others) {
    for (MakeEntrant const& make : others)
      if (result_.others < rules_.most) first_heat(make);
    std::ranges::sort(fast_, {}, &Fast::ratio);
    if (fast_.size() > finalists) fast_.resize(finalists);
    if (fast_.empty()) return result_;
    if (Fast const winner = final(); winner.ratio < 1) decide(winner.make);
    return result_;
  }

 private:
  struct Fast {
    MakeEntrant make;
    double ratio;  // to the time of the chosen plan
  };

  double pace(Timing const& time) const { return rules_.by_cpu ? time.cpu_seconds : time.seconds; }
  double by_chosen(Rounds const& other, Rounds const& chosen) const {
    return rules_.by_cpu ? ratio(other.cpu_seconds, chosen.cpu_seconds) : ratio(other.seconds, chosen.seconds);
  }

  void first_heat(MakeEntrant const& make) {
    auto const entrant = make();
    if (!entrant || !seen_.insert(entrant->parameters).second) return;
    ++result_.others;
    double const first = pace(entrant->solve());
    if (first > far_slower * usual_ ||
        (first > clearly_slower * usual_ && pace(entrant->solve()) > clearly_slower * usual_)) {
      ++result_.dropped;
      return;
    }
    Rounds other, chosen;
    for (int round = 0; round < (repeats_ > 1 ? 3 : 1); ++round) {
      chosen.add(chosen_, repeats_);
      other.add(*entrant, repeats_);
    }
    if (double const r = by_chosen(other, chosen); r < close) fast_.push_back({make, r});
  }

  static auto const& fastest(auto const& all) {
    return *std::ranges::min_element(all, {}, [](auto const& f) { return f.fast.ratio; });
  }

  /// All remaining plans take turns, in alternating order, so that none always follows the same one. Returns the
  /// fastest.
  Fast final() {
    struct Finalist {
      Fast fast;
      Entrant entrant;
      Rounds rounds{};
    };
    std::vector<Finalist> all;
    for (Fast const& f : fast_) all.push_back({f, *f.make()});
    Rounds chosen;
    for (Finalist const& f : all) f.entrant.solve();
    for (int round = 0; round < rounds_; ++round) {
      chosen.add(chosen_, repeats_);
      std::ranges::reverse(all);
      for (Finalist& f : all) f.rounds.add(f.entrant, repeats_);
      for (Finalist& f : all) f.fast.ratio = by_chosen(f.rounds, chosen);
      if (round + 1 != sifting) continue;
      double const best = fastest(all).fast.ratio;
      std::erase_if(all, [&](Finalist const& f) { return f.fast.ratio > near_best * best; });
    }
    result_.chosen_time = result_.best_time = chosen.typical();
    return fastest(all).fast;
  }
  void decide(MakeEntrant const& make) {
    auto const best = make();
    best->solve();
    Rounds other, chosen;
    for (int round = 0; round < rounds_; ++round) {
      if (round % 2 == 0) chosen.add(chosen_, repeats_);
      other.add(*best, repeats_);
      if (round % 2 != 0) chosen.add(chosen_, repeats_);
    }
    result_.chosen_time = result_.best_time = chosen.typical();
    if (by_chosen(other, chosen) >= 1) return;
    result_.best = best->parameters;
    result_.best_time = other.typical();
    result_.ratio = ratio(chosen.seconds, other.seconds);
    result_.cpu_ratio = ratio(chosen.cpu_seconds, other.cpu_seconds);
  }

  RaceRules rules_;
  Entrant chosen_;
  RaceResult result_;
  double usual_ = 0;
  int repeats_ = 1, rounds_ = 1;
  std::set<std::string> seen_;
  std::vector<Fast> fast_;
};

}  // namespace

RaceResult race(MakeEntrant const& chosen, std::vector<MakeEntrant> const& others, RaceRules const& rules) {
  return Race(chosen, rules).run(others);
}

}  // namespace nearfar::cli
