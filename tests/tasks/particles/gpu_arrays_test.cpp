// SPDX-License-Identifier: BSD-3-Clause
// Positions, strengths and results in an array on each GPU, and on the host beside them, have the bits of one array.
#include "tasks/engine/arena.hpp"
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// Rows in an array on each of so many GPUs, which are not equally long, and the last rows on the host.
class Spread {
 public:
  Spread(std::vector<double> const& all, std::size_t row, int gpus, bool host) : gpus_(gpus) {
    std::size_t const rows = all.size() / row, parts = std::size_t(gpus) + (host ? 1 : 0);
    std::size_t first = 0;
    for (std::size_t k = 0; k < parts; ++k) {
      std::size_t const last = k + 1 == parts ? rows : rows * (k + 1) / parts - 37;
      parts_.emplace_back(all.begin() + std::ptrdiff_t(first * row), all.begin() + std::ptrdiff_t(last * row));
      if (k < std::size_t(gpus)) {
        there_.push_back(std::make_unique<DeviceMemory>(bytes(k), int(k)));
        there_[k]->upload(0, parts_[k].data(), bytes(k));
      }
      first = last;
    }
  }

  template <class Number>
  Arrays<Number> arrays() {
    std::vector<std::span<Number>> all;
    for (std::size_t k = 0; k < parts_.size(); ++k)
      all.emplace_back(on_gpu(k) ? reinterpret_cast<double*>(there_[k]->data()) : parts_[k].data(), parts_[k].size());
    return Arrays<Number>(all);
  }
  std::vector<double> joined() {
    std::vector<double> all;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (on_gpu(k)) there_[k]->download(0, parts_[k].data(), bytes(k));
      all.insert(all.end(), parts_[k].begin(), parts_[k].end());
    }
    return all;
  }

 private:
  bool on_gpu(std::size_t k) const { return k < std::size_t(gpus_); }
  std::size_t bytes(std::size_t k) const { return sizeof(double) * parts_[k].size(); }

  int gpus_;
  std::vector<std::vector<double>> parts_;
  std::vector<std::unique_ptr<DeviceMemory>> there_;
};

template <class Plan>
void expect_same_bits(Plan plan, std::size_t count, int gpus) {
  auto const& o = plan.options();
  auto const strengths = std::size_t(strength_components(o.kernel)),
             results = std::size_t(result_components(o.kernel, o.outputs));
  Problem<> p(count, int(strengths));
  std::vector<double> one(count * results);
  plan.submit(plan.set_points(p.x), p.f, one).wait();
  for (bool host : {false, true}) {
    CAPTURE(host);
    Spread x(p.x, 3, gpus, host), f(p.f, strengths, gpus, host),
        u(std::vector<double>(one.size(), -1), results, gpus, host);
    auto const points = plan.set_points(x.template arrays<double const>());
    for (int again = 0; again < 2; ++again)
      plan.submit(points, f.template arrays<double const>(), u.template arrays<double>()).wait();
    CHECK(u.joined() == one);
    auto const moved = plan.move_points(points, x.template arrays<double const>());
    std::vector<double> v(one.size());
    plan.submit(moved, f.template arrays<double const>(), Arrays<double>({v})).wait();
    CHECK(relative_difference(v, one) < 1e-6);
  }
  p.f[strengths * (count - 5)] = std::numeric_limits<double>::infinity();
  Spread f(p.f, strengths, gpus, false);
  std::string text;
  try {
    plan.submit(plan.set_points(p.x), f.template arrays<double const>(), Arrays<double>({one})).wait();
  } catch (Error const& e) {
    text = e.what();
  }
  CHECK(text.find("strength 0 of source " + std::to_string(count - 5) + " is inf") != std::string::npos);
}

}  // namespace

TEST_CASE("an array on each GPU, and one on the host, have the bits of one array") {
  for (int gpus = 1; gpus <= DeviceMemory::devices(); gpus *= 2) {
    CAPTURE(gpus);
    Runtime const runtime({.scheduler = "overlap", .cpus = 4, .gpus = gpus});
    expect_same_bits(Ewald(runtime, {.kernel = Kernel::stokes, .tolerance = 1e-4}), 60000, gpus);
    expect_same_bits(Ewald(runtime, {.kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient}),
                     60000, gpus);
    expect_same_bits(Fmm(runtime, {.kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient}), 60000,
                     gpus);
  }
}

TEST_CASE("a GPU reads and writes pinned arrays of the host itself, with the bits of others") {
  constexpr std::size_t count = 400000;  // enough that workers copy other arrays
  for (int gpus = 1; gpus <= DeviceMemory::devices(); gpus *= 2) {
    CAPTURE(gpus);
    Runtime const runtime({.scheduler = "overlap", .cpus = 4, .gpus = gpus});
    Ewald plan(runtime, {.kernel = Kernel::stokes, .tolerance = 1e-4});
    Problem<> const p(count, 9);
    auto const points = plan.set_points(p.x);
    std::vector<double> u(3 * count);
    auto const stages = [](Solve& solve) {
      int copies = 0;
      for (auto const& stage : solve.report().stages) copies += stage.stage.starts_with("copy_") ? stage.tasks : 0;
      return copies;
    };
    auto copied = plan.submit(points, p.f, u);
    copied.wait();
    CHECK(stages(copied) > 0);
    detail::Arena<double> f(p.f.size()), v(u.size());  // pinned, beside GPUs
    std::ranges::copy(p.f, f.data());
    auto direct = plan.submit(points, std::span<double const>(f.data(), f.size()), std::span(v.data(), v.size()));
    direct.wait();
    if (gpus == 1) CHECK(stages(direct) == 0);
    CHECK(std::ranges::equal(u, std::span(v.data(), v.size())));
  }
}
