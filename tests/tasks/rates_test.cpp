// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/rates.hpp"

#include "codelets/simd.hpp"
#include "tasks/fmm_plan.hpp"
#include "tasks/fmm_prediction.hpp"
#include "tasks/fmm_rates.hpp"
#include "tasks/kept_rates.hpp"
#include "tasks/machine_shape.hpp"
#include "tasks/rate_fit.hpp"
#include "tasks/sample.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

using namespace nearfar;

namespace {

namespace fs = std::filesystem;

/// An empty folder for what is kept, and rates that are measured.
struct Folder {
  fs::path const path = fs::temp_directory_path() / "nearfar-rates-test";
  Folder() {
    fs::remove_all(path);
    unsetenv("NEARFAR_RATES");
    setenv("NEARFAR_CACHE", path.c_str(), 1);
  }
  ~Folder() {
    fs::remove_all(path);
    setenv("NEARFAR_RATES", "default", 1);
  }

  int files(std::string const& prefix) const {
    int count = 0;
    for (auto const& file : fs::directory_iterator(path)) count += file.path().filename().string().starts_with(prefix);
    return count;
  }
};

}  // namespace

// The other tests take the default rates, so that their plans are the same everywhere; here they are measured.
TEST_CASE("rates: measured on this machine, sane, and kept for the next process") {
  Folder const folder;
  Runtime const runtime;
  Rates const r = detail::measured_rates<double>(runtime.shared());
  using R = Rates;
  for (auto const rate :
       {&R::tested, &R::quad, &R::degree, &R::spread_scalar, &R::spread_vector, &R::spread_double_layer, &R::slab,
        &R::gather_scalar, &R::gather_gradient, &R::gather_vector, &R::plane, &R::column, &R::multiply}) {
    CHECK(r.*rate > 1e-13);
    CHECK(r.*rate < 1e-6);
  }
  for (auto const rate : {&R::near_point, &R::run, &R::number, &R::spread_point, &R::gather_point}) {
    CHECK(r.*rate > 0);
    CHECK(r.*rate < 1e-4);
  }
  CHECK(r.spread_vector > r.spread_scalar);
  CHECK(r.spread_double_layer > r.spread_vector);
  CHECK(r.gather_vector > r.gather_scalar);
  CHECK(r.lanes == simd_lanes<double>());
  CHECK(folder.files("rates-") == 1);
  CHECK(detail::measured_rates<double>(runtime.shared()).quad == r.quad);
}

TEST_CASE("rates: a fit finds what measurements were made of") {
  Rates truth;
  truth.near_point *= 3;
  truth.tested *= 0.5;
  truth.quad *= 2;
  std::vector<detail::Measured> measured;
  for (int i = 0; i < 6; ++i) {
    std::vector<Term> terms{{&Rates::near_point, 1e6}, {&Rates::tested, 2e10 * (i % 3)}, {&Rates::quad, 1e8 * i * i}};
    measured.emplace_back(terms, seconds_of(terms, truth));
  }
  Rates found;
  detail::fit_rates(found, measured);
  for (auto const rate : {&Rates::near_point, &Rates::tested, &Rates::quad})
    CHECK(found.*rate / truth.*rate == doctest::Approx(1).epsilon(0.05));
  CHECK(found.degree == Rates{}.degree);
  for (auto const& m : measured) CHECK(seconds_of(m.terms, found) / m.seconds == doctest::Approx(1).epsilon(0.01));
}

TEST_CASE("rates: what measurements leave open keeps its proportion, and none is negative") {
  std::vector<Term> const both{{&Rates::column, 1e6}, {&Rates::multiply, 1e6}};
  Rates found;
  detail::fit_rates(found, std::vector<detail::Measured>{{both, 5 * seconds_of(both, Rates{})}});
  CHECK(found.column / (5 * Rates{}.column) == doctest::Approx(1));
  CHECK(found.multiply / (5 * Rates{}.multiply) == doctest::Approx(1));
  // A stage that took less the more it had to do: noise.
  std::vector<Term> const more{{&Rates::column, 1e6}, {&Rates::multiply, 2e6}};
  found = {};
  detail::fit_rates(found, std::vector<detail::Measured>{{both, 2e-3}, {more, 1e-3}});
  CHECK(found.column > 0);
  CHECK(found.multiply > 0);
}

TEST_CASE("rates: the near part alone on one worker, under every scheduler") {
  for (char const* scheduler : {"lws", "overlap", "heteroprio", "dmdas"}) {
    CAPTURE(scheduler);
    Runtime const runtime({.scheduler = scheduler, .cpus = 2, .gpus = 0});
    for (unsigned worker : {0U, 1U}) {
      EwaldOptions options;
      options.tolerance = 1e-3;
      detail::EwaldSample<double> sample(runtime.shared(), options, 2000, 1, Part::near, worker);
      sample.measure();
      CHECK(sample.seconds({"p2p"}) > 0);
      CHECK(sample.seconds({"p2g"}) == 0);
      for (int w : sample.near_workers()) CHECK(w == int(worker));
      CHECK(!sample.near_workers().empty());
    }
  }
}

TEST_CASE("rates: P2P on one worker costs per flop, per target and per task") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  EwaldOptions options;
  options.kernel = Kernel::laplace;
  auto const rates = detail::measure_near<double>(runtime.shared(), options, 1, 20000);
  CHECK(rates.flop > 1e-12);
  CHECK(rates.flop < 1e-8);
  CHECK(rates.target > 0);
  CHECK(rates.target < 1e-5);
  CHECK(rates.latency > 0);
  CHECK(rates.task > 0);
  CHECK(rates.task < 1e-2);
}

TEST_CASE("rates: the fit of a GPU's P2P finds what its times were made of") {
  // Seconds of so many flops for so many targets in so many tasks.
  auto const time = [](double flops, double tasks, double targets, double latency, double task) {
    return detail::NearTime{task * tasks + 3e-9 * targets + (4e-13 + latency * tasks / targets) * flops, flops, tasks,
                            targets};
  };
  auto const fit = [&](double latency, double task) {
    return detail::fit_near_rates({time(1e11, 60, 1e6, latency, task), time(2e10, 60, 1e6, latency, task),
                                   time(1e10, 20, 1e5, latency, task), time(2e9, 20, 1e5, latency, task)});
  };
  for (double latency : {1e-9, 1e-10}) {
    auto const rates = fit(latency, 2e-5);
    CHECK(rates.task / 2e-5 == doctest::Approx(1));
    CHECK(rates.target / 3e-9 == doctest::Approx(1));
    CHECK(rates.latency / latency == doctest::Approx(1));
    CHECK(rates.flop / 4e-13 == doctest::Approx(1));
  }
  auto const filled = fit(0, 0);
  CHECK(filled.flop / 4e-13 == doctest::Approx(1).epsilon(0.01));
  CHECK(filled.target / 3e-9 == doctest::Approx(1).epsilon(0.01));
  CHECK(filled.latency > 0);  // kept numbers are above 0
  CHECK(filled.task > 0);
}

TEST_CASE("rates: without GPUs, or where a solve cannot use them, a plan has CPUs alone") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  MachineShape machine = detail::machine_shape<double>(runtime.shared(), {});
  CHECK(machine.cpus == 2);
  CHECK(machine.gpus == 0);
}

TEST_CASE("rates: those of the multipole method are measured, sane, and kept too") {
  Folder const folder;
  Runtime const runtime;
  FmmRates const r = detail::measured_fmm_rates<double>(runtime.shared());
  for (double rate : {r.pair, r.translation, r.shift, r.source, r.target, r.evaluation}) {
    CHECK(rate > 1e-13);
    CHECK(rate < 1e-7);
  }
  for (double rate : {r.link, r.particle}) {
    CHECK(rate > 0);
    CHECK(rate < 1e-4);
  }
  CHECK(r.pair != default_fmm_rates<double>().pair);
  CHECK(folder.files("fmm-rates-") == 1);
  CHECK(detail::measured_fmm_rates<double>(runtime.shared()).translation == r.translation);
}

TEST_CASE("rates: another process reads what one has kept, and measures again what is no number") {
  struct Two {
    double a = 1, b = 2;
  };
  Folder const folder;
  using Kept = detail::KeptRates<Two>;
  std::vector<double Two::*> const numbers{&Two::a, &Two::b};
  int measured = 0, modelled = 0;
  auto const get = [&] {
    Kept kept(numbers);
    auto const measure = [&] { return ++measured, Two{0.1, 7}; };
    auto const model = [&](Two const& rates) { return ++modelled, Two{2 * rates.a, rates.b}; };
    kept.get("two", Two{}, measure, model);
    return kept.get("two", Two{}, measure, model);
  };
  CHECK(get().a == 0.1);
  CHECK(get().b == 7);
  CHECK(measured == 1);
  for (char const* text : {"0.1\n-7\n", "0.1\nnan\n", "0.1\n"}) {
    std::ofstream(folder.path / "two") << text;
    measured = 0;
    CHECK(get().b == 7);
    CHECK(measured == 1);
  }
  setenv("NEARFAR_RATES", "default", 1);
  CHECK(get().b == 2);
  setenv("NEARFAR_RATES", "measure", 1);
  measured = 0;
  CHECK(get().b == 7);
  CHECK(measured == 1);
  // What StarPU's models say goes to those that are kept, once per process.
  CHECK(modelled == 0);
  setenv("NEARFAR_RATES", "models", 1);
  CHECK(get().a == 0.2);
  CHECK(measured == 1);
  CHECK(modelled == 1);
  unsetenv("NEARFAR_RATES");
  CHECK(get().a == 0.2);
  CHECK(modelled == 1);
}

TEST_CASE("rates: a stage whose time is known is predicted to take that, whatever the kernel") {
  Rates rates;
  std::vector<double Rates::*> const stage{&Rates::column, &Rates::multiply, &Rates::slab};
  std::vector<Term> const terms{{&Rates::column, 1e6}, {&Rates::multiply, 3e6}};
  detail::Measured const tripled(terms, 3 * seconds_of(terms, Rates{}));
  detail::scale_rates(rates, stage, std::array{tripled});
  CHECK(seconds_of(terms, rates) == doctest::Approx(3 * seconds_of(terms, Rates{})));
  CHECK(rates.column / (3 * Rates{}.column) == doctest::Approx(1));
  CHECK(rates.slab / (3 * Rates{}.slab) == doctest::Approx(1));  // in no term here, but of the stage
  CHECK(rates.plane == Rates{}.plane);
  detail::scale_rates(rates, stage, std::array{detail::Measured(terms, 0)});  // not known
  CHECK(rates.column / (3 * Rates{}.column) == doctest::Approx(1));
  detail::scale_rates(rates, stage, std::array{detail::Measured(std::vector<Term>{}, 1)});
  CHECK(rates.column / (3 * Rates{}.column) == doctest::Approx(1));
}

TEST_CASE("rates: a sum of all pairs is predicted to take their number times the cost of a pair") {
  setenv("NEARFAR_RATES", "default", 1);
  Runtime const runtime({.cpus = 2, .gpus = 0});
  constexpr std::size_t n = 50;
  std::vector<double> x, q(2 * n, 1), u(2 * n);
  for (std::size_t i = 0; i < 3 * n; ++i) x.push_back(double(i * i % 149) / 149);
  FmmRates rates = default_fmm_rates<double>();
  rates.pair = 1e-3;
  auto const plan =
      std::make_shared<detail::FmmPlan<double>>(runtime.shared(), FmmOptions{.depth = 0}, FmmMachine{rates, 2});
  auto const points = plan->set_points(x, {}, true);
  double const expected = n * n * 1e-3 * fmm_flops(Kernel::laplace, false, 1).pair;
  CHECK(points->parameters().seconds == doctest::Approx(expected));
  auto const predicted = [&](std::size_t vectors) {
    std::span const strengths(q.data(), vectors * n), result(u.data(), vectors * n);
    return plan->submit(points, strengths, result).report().predicted_seconds;
  };
  // It is one task, in which no second worker helps.
  CHECK(predicted(1) == doctest::Approx(expected));
  CHECK(predicted(2) == doctest::Approx(2 * expected));
}

TEST_CASE("rates: the stages of the multipole method are a chain, level by level") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  std::vector<double> x;  // eight points in each of the 512 leaves
  for (int i = 0; i < 4096; ++i)
    for (int const at : {i / 256, i / 16 % 16, i % 16}) x.push_back(at);
  auto const plan = std::make_shared<detail::FmmPlan<double>>(runtime.shared(), FmmOptions{.depth = 3},
                                                              FmmMachine{default_fmm_rates<double>(), 2});
  auto const points = plan->set_points(x, {}, true);
  detail::FmmTree const& tree = *points->tree();
  double up = 0, down = 0, leaves = 0;  // of the largest blocks
  for (int b = 0; b < tree.blocks(); ++b) {
    if (tree.has_multipole(b)) up = std::max(up, tree.lists(b).m2m.work);
    down = std::max(down, tree.lists(b).l2l.work);
    if (tree.block(b).leaves) leaves = std::max(leaves, double(tree.block(b).targets));
  }
  // A second per shift, and per target: 512 children to their parents and back, 4096 points.
  FmmSeconds const seconds{.pair = 0, .link = 0, .shift = 1, .source = 0, .target = 1, .m2p = 0, .p2l = 0};
  auto const one = detail::predict_fmm(tree, seconds, {.cpus = 1}),
             thousand = detail::predict_fmm(tree, seconds, {.cpus = 1000});
  CHECK(one.work == doctest::Approx(2 * 512 + 4096));
  CHECK(one.chain == doctest::Approx(one.work));
  CHECK(thousand.chain == doctest::Approx(up + down + leaves));
  // P2P is no link of it.
  auto const pairs = detail::predict_fmm(tree, {1, 0, 0, 0, 0, 0, 0}, {.cpus = 1000});
  CHECK(pairs.work == doctest::Approx(double(points->parameters().pairs)));
  CHECK(pairs.chain < pairs.work);
  CHECK(pairs.last <= pairs.chain);
  CHECK(pairs.last >= pairs.work / tree.blocks());
}

TEST_CASE("rates: the same rates give the same tree, and dear pairs a deeper one") {
  setenv("NEARFAR_RATES", "default", 1);
  Runtime const runtime;
  std::vector<double> x;
  for (std::size_t i = 0; i < 30000; ++i) x.push_back(std::fmod(double(i) * 0.6180339887498949, 1));
  FmmRates rates = default_fmm_rates<double>();
  auto const parameters = [&] {
    return std::make_shared<detail::FmmPlan<double>>(runtime.shared(), FmmOptions{.capacity = 0}, FmmMachine{rates})
        ->set_points(x, {}, true)
        ->parameters();
  };
  FmmParameters const first = parameters(), again = parameters();
  CHECK(first.depth == again.depth);
  CHECK(first.blocks == again.blocks);
  CHECK(first.seconds == again.seconds);
  rates.pair *= 100;
  CHECK(parameters().depth > first.depth);
}
