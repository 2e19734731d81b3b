// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/rates.hpp"

#include "tasks/fmm_plan.hpp"
#include "tasks/fmm_rates.hpp"
#include "tasks/kept_rates.hpp"

#include <doctest/doctest.h>

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
  for (double rate :
       {r.pair, r.pair_degree, r.near_point, r.spread, r.spread_point, r.gather, r.gather_point, r.grid}) {
    CHECK(rate > 0);
    CHECK(rate < 1e-4);
  }
  CHECK(r.pair != Rates{}.pair);
  CHECK(folder.files("rates-") == 1);
  CHECK(detail::measured_rates<double>(runtime.shared()).pair == r.pair);
}

TEST_CASE("rates: those of the multipole method are measured, sane, and kept too") {
  Folder const folder;
  Runtime const runtime;
  FmmRates const r = detail::measured_fmm_rates<double>(runtime.shared());
  for (double rate : {r.pair, r.translation, r.shift, r.point, r.evaluation}) {
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
  int measured = 0;
  auto const get = [&] {
    Kept kept(numbers);
    kept.get("two", Two{}, [&] { return ++measured, Two{0.1, 7}; });
    return kept.get("two", Two{}, [&] { return ++measured, Two{0.1, 7}; });
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
}

TEST_CASE("rates: a sum of all pairs is predicted to take their number times the cost of a pair") {
  setenv("NEARFAR_RATES", "default", 1);
  Runtime const runtime({.cpus = 2, .gpus = 0});
  constexpr std::size_t n = 50;
  std::vector<double> x, q(2 * n, 1), u(2 * n);
  for (std::size_t i = 0; i < 3 * n; ++i) x.push_back(double(i * i % 149) / 149);
  FmmRates rates = default_fmm_rates<double>();
  rates.pair = 1e-3;
  auto const plan = std::make_shared<detail::FmmPlan<double>>(runtime.shared(), FmmOptions{.depth = 0}, rates);
  auto const points = plan->set_points(x, {}, true);
  double const expected = n * n * 1e-3 * fmm_flops(Kernel::laplace, false, 1).pair;
  CHECK(points->parameters().seconds == doctest::Approx(expected));
  auto const predicted = [&](std::size_t vectors) {
    std::span const strengths(q.data(), vectors * n), result(u.data(), vectors * n);
    return plan->submit(points, strengths, result).report().predicted_seconds;
  };
  CHECK(predicted(1) == doctest::Approx(expected / 2));
  CHECK(predicted(2) == doctest::Approx(expected));
}

TEST_CASE("rates: the same rates give the same tree, and dear pairs a deeper one") {
  setenv("NEARFAR_RATES", "default", 1);
  Runtime const runtime;
  std::vector<double> x;
  for (std::size_t i = 0; i < 30000; ++i) x.push_back(std::fmod(double(i) * 0.6180339887498949, 1));
  FmmRates rates = default_fmm_rates<double>();
  auto const parameters = [&] {
    return std::make_shared<detail::FmmPlan<double>>(runtime.shared(), FmmOptions{.capacity = 0}, rates)
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
