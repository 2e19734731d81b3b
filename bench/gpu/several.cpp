// SPDX-License-Identifier: BSD-3-Clause
// What several GPUs gain, by where the caller's arrays are.
#include "bench/gpu/cases.hpp"
#include "bench/gpu/own_arrays.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nearfar::bench {

namespace {

/// Seconds of solves, and of points set and moved, with arrays in these places.
struct Places {
  double first = 0, host = 0, pinned = 0, each = 0, set = 0, moved = 0;
};

/// Each GPU's points are a slab along x, or a stretch of a curve.
template <class Plan>
Places time_places(Plan plan, std::size_t count, int in, int out, bool curve, int gpus, Checks& checks) {
  Particles<double> p = in_order(Particles<double>(count, in), in, curve);
  std::vector<double> u(count * std::size_t(out)), there(u.size());
  Places t;
  OnEachGpu<double> const x(p.x, 3, gpus);
  plan.set_points(x.arrays<double const>());
  std::optional<decltype(plan.set_points(x.arrays<double const>()))> points;
  t.set = median_of(5, [&] { points = plan.set_points(x.arrays<double const>()); });
  t.moved = median_of(5, [&] { points = plan.move_points(*points, x.arrays<double const>()); });
  auto const on_host = [&] { return plan.submit(*points, std::span<double const>(p.f), std::span<double>(u)); };
  t.host = time_solves(on_host).seconds();
  auto const expect = [&](std::vector<double> const& found, char const* where) {
    checks.expect(found == u, std::string("results ") + where + " and on the host differ");
  };
  {
    DeviceArray<double> const f{std::span<double const>(p.f)}, result(u.size());
    t.first = time_solves([&] { return plan.submit(*points, f.span(), result.span()); }).seconds();
    result.download(there);
    expect(there, "on the first GPU");
  }
  {
    OnEachGpu<double> const f(p.f, std::size_t(in), gpus), result(u, std::size_t(out), gpus);
    t.each =
        time_solves([&] { return plan.submit(*points, f.arrays<double const>(), result.arrays<double>()); }).seconds();
    expect(result.download(), "on each GPU");
  }
  {
    PinnedPages const pinned(p.f.data(), sizeof(double) * p.f.size()),
        also(there.data(), sizeof(double) * there.size());
    std::ranges::fill(there, 0.0);
    auto const submit = [&] { return plan.submit(*points, std::span<double const>(p.f), std::span<double>(there)); };
    t.pinned = time_solves(submit).seconds();
    expect(there, "in pinned memory");
  }
  return t;
}

}  // namespace

void print_gpus(Settings const& settings, Checks& checks) {
  std::printf(
      "## One GPU and several\n\nTolerance 1e-6. Milliseconds, medians of five: arrays on the first GPU, of the host, "
      "of the host in pinned memory, on each GPU with its own points; and to set and to move these, when they have "
      "been before.\n\n"
      "| method | kernel | points | GPUs | on the first | on the host | pinned | on each | set points | move points |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n");
  using enum Kernel;
  for (int gpus = 1; gpus <= devices(); gpus *= 2) {
    Runtime const runtime({.scheduler = "overlap", .gpus = gpus});
    auto const row = [&](char const* method, std::string const& kernel, std::size_t count, Places const& t) {
      std::printf("| %s | %s | %zu | %d | %.2f | %.2f | %.2f | %.2f | %.1f | %.1f |\n", method, kernel.c_str(), count,
                  gpus, 1e3 * t.first, 1e3 * t.host, 1e3 * t.pinned, 1e3 * t.each, 1e3 * t.set, 1e3 * t.moved);
      std::fflush(stdout);
    };
    std::size_t const many = settings.quick ? 4000000 : 16000000;
    for (auto const& [kernel, outputs] :
         {std::pair{stokes, Outputs()}, std::pair{laplace, Output::potential | Output::gradient}}) {
      EwaldCase const c{kernel, outputs, Periodicity::xyz, many, 1e-6};
      row("Ewald", title(kernel, outputs), many,
          time_places(Ewald(runtime, c.options()), many, c.in(), c.out(), false, gpus, checks));
    }
    FmmCase const c{laplace, Output::potential | Output::gradient, false, many / 2, 1e-6};
    row("multipoles", title(c.kernel, c.outputs), c.points,
        time_places(Fmm(runtime, c.options()), c.points, c.in(), c.out(), true, gpus, checks));
  }
  std::printf("\n");
}

}  // namespace nearfar::bench
