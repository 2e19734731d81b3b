// SPDX-License-Identifier: BSD-3-Clause
// Several vectors of strengths in one Ewald solve: each has the bits that it has alone.
#include "tests/oracle/random_points.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace nearfar;

namespace {

constexpr std::size_t sources = 400, targets = 90;
constexpr int vectors = 3;

struct Sum {
  Kernel kernel;
  Outputs outputs;
  Periodicity periodicity;
};

/// Every kernel with all outputs; in each periodicity some, among them those whose axes turn.
std::vector<Sum> sums() {
  std::vector<Sum> all;
  constexpr Periodicity periodicities[] = {Periodicity::xyz, Periodicity::none, Periodicity::x,
                                           Periodicity::yz,  Periodicity::y,    Periodicity::xz};
  int next = 0;
  for (Kernel const kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::rotlet, Kernel::doublet,
                              Kernel::laplace, Kernel::dipole, Kernel::charge_dipole, Kernel::yukawa})
    for (Outputs const outputs : {Outputs(first_output(kernel)), outputs_of(kernel)})
      all.push_back({kernel, outputs, periodicities[next++ % 6]});
  all.push_back({Kernel::stresslet, outputs_of(Kernel::stresslet), Periodicity::xyz});   // with the mode k = 0
  all.push_back({Kernel::rotlet, Output::velocity | Output::gradient, Periodicity::y});  // some of what is computed
  return all;
}

EwaldOptions options_for(Sum const& sum) {
  EwaldOptions o{.kernel = sum.kernel, .outputs = sum.outputs, .periodicity = sum.periodicity};
  o.box = {1, 1.2, 0.9};
  o.tolerance = 1e-3;
  if (sum.kernel == Kernel::yukawa) o.screening = 3;
  return o;
}

/// Strengths whose size differs between vectors, so that their units do.
template <class T>
std::vector<T> strengths_of(Kernel kernel, int vector) {
  auto const random =
      random_points(sources * std::size_t(strength_components(kernel)), {2, 2, 2}, 20u + unsigned(vector));
  std::vector<T> strengths;
  for (std::size_t i = 0; i < random.size(); i += 3) strengths.push_back(T(random[i] - 1));
  for (T& s : strengths) s *= T(vector * vector * 1000 + 1);
  return strengths;
}

template <class T>
std::vector<T> side_by_side(std::vector<std::vector<T>> const& all, std::size_t count) {
  std::vector<T> rows;
  std::size_t const width = all[0].size() / count;
  for (std::size_t i = 0; i < count; ++i)
    for (auto const& one : all)
      for (std::size_t c = 0; c < width; ++c) rows.push_back(one[i * width + c]);
  return rows;
}

template <class T>
void expect_same_bits(Runtime const& runtime, EwaldOptions const& o, bool separate, Part part, int several = vectors) {
  BasicEwald<T> plan(runtime, o);  // for however many: any number may be summed
  auto const x = random_points(sources, o.box, 3), y = random_points(targets, o.box, 4);
  std::vector<T> const from(x.begin(), x.end()), to(y.begin(), y.end());
  auto const points = separate ? plan.set_points(from, to) : plan.set_points(from);
  std::size_t const width = std::size_t(result_components(o.kernel, o.outputs));
  std::vector<std::vector<T>> given, alone;
  for (int v = 0; v < several; ++v) {
    given.push_back(strengths_of<T>(o.kernel, v));
    auto& result = alone.emplace_back(points.targets() * width);
    plan.submit(points, given.back(), result, part).wait();
  }
  auto const rows = side_by_side(given, sources);
  std::vector<T> found(points.targets() * width * std::size_t(several));
  auto const report = plan.submit(points, rows, found, part).report();
  CHECK(found == side_by_side(alone, points.targets()));
  CHECK(!report.energy);
}

}  // namespace

TEST_CASE("vectors: each of several in one Ewald solve has the bits that it has alone") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  for (bool const separate : {false, true})
    for (Sum const& sum : sums()) {
      CAPTURE(name(sum.kernel));
      CAPTURE(name(sum.outputs));
      CAPTURE(name(sum.periodicity));
      CAPTURE(separate);
      expect_same_bits<double>(runtime, options_for(sum), separate, Part::whole);
    }
}

TEST_CASE("vectors: in single precision, of both parts or of the whole, and parts alone") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  for (Kernel const kernel : {Kernel::stokes, Kernel::laplace}) {
    CAPTURE(name(kernel));
    EwaldOptions o = options_for({kernel, outputs_of(kernel), Periodicity::xyz});
    expect_same_bits<float>(runtime, o, true, Part::whole);
    for (Part const part : {Part::near, Part::far}) expect_same_bits<double>(runtime, o, false, part);
    o.near_precision = NearPrecision::single;
    o.far_precision = FarPrecision::single;
    expect_same_bits<double>(runtime, o, false, Part::whole);
  }
}

TEST_CASE("vectors: pairs of two, three, four and more are summed together") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  for (Sum const& sum : {Sum{Kernel::stokeslet, Output::velocity, Periodicity::xyz},
                         Sum{Kernel::stokes, Output::velocity, Periodicity::x},
                         Sum{Kernel::laplace, Output::potential | Output::gradient, Periodicity::yz}})
    for (int const several : {2, 4, 5, 7})
      for (bool const separate : {false, true}) {
        CAPTURE(name(sum.kernel));
        CAPTURE(several);
        CAPTURE(separate);
        EwaldOptions o = options_for(sum);
        o.vectors = 4;
        for (NearPrecision const precision : {NearPrecision::single, NearPrecision::double_}) {
          o.near_precision = precision;
          expect_same_bits<double>(runtime, o, separate, Part::whole, several);
        }
        expect_same_bits<float>(runtime, options_for(sum), separate, Part::near, several);
      }
}

TEST_CASE("vectors: more than solves have work spaces for") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  Ewald plan(runtime, options_for({Kernel::laplace, Output::potential, Periodicity::xyz}));
  auto const x = random_points(sources, {1, 1.2, 0.9}, 3), q = random_strengths(Kernel::laplace, sources, 5);
  auto const points = plan.set_points(x);
  constexpr std::size_t many = 12;
  std::vector<double> alone(sources), rows, found(sources * many);
  for (std::size_t i = 0; i < sources; ++i)
    for (std::size_t v = 0; v < many; ++v) rows.push_back(std::ldexp(q[i], int(v)));
  plan.submit(points, q, alone).wait();
  plan.submit(points, rows, found).wait();
  for (std::size_t i = 0; i < sources; ++i)
    for (std::size_t v = 0; v < many; ++v) REQUIRE(found[i * many + v] == std::ldexp(alone[i], int(v)));
}

TEST_CASE("vectors: lengths that fit none, a bad number and a virial of several are refused") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  EwaldOptions o = options_for({Kernel::laplace, Output::potential | Output::gradient, Periodicity::xyz});
  auto const x = random_points(sources, o.box, 3);
  auto const refusal = [&](Ewald plan, std::vector<double> const& strengths, std::size_t results) {
    std::vector<double> result(results);
    try {
      plan.submit(plan.set_points(x), strengths, result).wait();
    } catch (Error const& e) {
      CHECK(e.fault() == Fault::bad_input);
      return std::string(e.what());
    }
    return std::string();
  };
  std::vector<double> two(2 * sources, 1);
  CHECK(refusal(Ewald(runtime, o), two, 4 * sources).find("result has 1600 numbers") != std::string::npos);
  CHECK(refusal(Ewald(runtime, o), std::vector<double>(2 * sources + 1, 1), 8 * sources).find("strengths has 801") !=
        std::string::npos);
  two[2 * 7 + 1] = std::nan("");
  CHECK(refusal(Ewald(runtime, o), two, 8 * sources).find("strength 0 of vector 1 of source 7") != std::string::npos);
  o.virial = true;
  two[2 * 7 + 1] = 1;
  CHECK(refusal(Ewald(runtime, o), two, 8 * sources).find("2 vectors of strengths") != std::string::npos);
}
