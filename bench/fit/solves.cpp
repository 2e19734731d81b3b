// SPDX-License-Identifier: BSD-3-Clause
#include "bench/fit/solves.hpp"

#include "tasks/tune/measure.hpp"
#include "tasks/tune/problems.hpp"

#include <algorithm>

namespace nearfar::bench {

namespace {

using detail::Problem;

constexpr int rounds = 5;

class Observer {
 public:
  Observer(Runtime const& runtime, std::size_t count, std::function<void(std::string const&)> const& begins)
      : runtime_(runtime.shared()), count_(count), begins_(begins) {}

  void ewald(std::string const& what, EwaldOptions const& options) {
    begins_("Ewald sums, " + what);
    observe(detail::ewald_problem<double>(runtime_, options, count_, WorkerKind::cpu));
  }
  void fmm(std::string const& what, FmmOptions const& options, double power = 1) {
    begins_("multipoles, " + what);
    observe(detail::fmm_problem<double>(runtime_, options, count_, WorkerKind::cpu, power));
  }

  std::array<std::vector<Observation>, row_names.size()> rows;

 private:
  void observe(Problem const& problem) {
    std::vector<Speeds> found;
    for (int i = 0; i <= rounds; ++i) {  // the first touches all memory
      Solve solve = problem.submit({});
      solve.wait();
      if (i > 0) found.push_back(detail::row_seconds(solve.state()->tasks(), WorkerKind::cpu));
    }
    auto const middle = found.begin() + rounds / 2;
    for (WorkRow row : all_rows) {
      std::ranges::nth_element(found, middle, {}, [=](Speeds const& f) { return f[row]; });
      Observation o{(*middle)[row], {}};
      double all = 0;
      for (FittedConstant const& c : constants_of(row)) {
        // Predictions are linear in the constants: with one of them alone they are its factor.
        WorkConstants alone = none();
        alone.*c.member = 1;
        o.factors.push_back(problem.reference(alone)[row]);
        all += o.factors.back();
      }
      if (o.seconds > 0 && all > 0) rows[std::size_t(row)].push_back(std::move(o));
    }
  }

  static WorkConstants none() {
    WorkConstants constants;
    for (FittedConstant const& c : fitted_constants) constants.*c.member = 0;
    return constants;
  }

  std::shared_ptr<detail::RuntimeState> runtime_;
  std::size_t count_;
  std::function<void(std::string const&)> begins_;
};

}  // namespace

std::array<std::vector<Observation>, row_names.size()> observe_solves(
    Runtime const& runtime, std::size_t points_of_worker, std::function<void(std::string const&)> const& begins) {
  std::size_t workers = 0;
  for (auto const& worker : runtime.workers()) workers += worker.kind == "cpu" ? 1 : 0;
  Observer o(runtime, points_of_worker * std::max<std::size_t>(1, workers), begins);
  for (double tolerance : {1e-3, 1e-6, 1e-9}) {
    char at[16];
    std::snprintf(at, sizeof at, "%.0e", tolerance);
    o.ewald(std::string("charges, potential, ") + at, {.kernel = Kernel::laplace, .tolerance = tolerance});
    o.ewald(std::string("charges, gradient, ") + at,
            {.kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .tolerance = tolerance});
    o.ewald(std::string("Stokeslets, ") + at, {.kernel = Kernel::stokeslet, .tolerance = tolerance});
    o.ewald(std::string("Stokeslets and stresslets, ") + at, {.kernel = Kernel::stokes, .tolerance = tolerance});
  }
  for (Influence influence : {Influence::direct, Influence::table}) {
    std::string const by = influence == Influence::table ? ", by a table" : "";
    o.ewald("charges in free space" + by,
            {.kernel = Kernel::laplace, .periodicity = Periodicity::none, .tolerance = 1e-4, .influence = influence});
    o.ewald("Stokeslets in free space" + by,
            {.kernel = Kernel::stokeslet, .periodicity = Periodicity::none, .tolerance = 1e-6, .influence = influence});
  }
  for (int order : {4, 8, 14, 22})
    o.fmm("charges, order " + std::to_string(order), {.kernel = Kernel::laplace, .order = order, .capacity = 0});
  for (int order : {6, 12})
    o.fmm("Stokeslets, order " + std::to_string(order), {.kernel = Kernel::stokeslet, .order = order, .capacity = 0});
  for (int order : {8, 14})
    o.fmm("charges in a cluster, order " + std::to_string(order),
          {.kernel = Kernel::laplace, .order = order, .capacity = 40}, 3);
  return std::move(o.rows);
}

}  // namespace nearfar::bench
