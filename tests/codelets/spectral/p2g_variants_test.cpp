// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/codelet.hpp"
#include "tests/codelets/spectral/grid_cases.hpp"

#include <nearfar/error.hpp>
#include <nearfar/runtime.hpp>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// All bodies of the table against the portable one. Sources in the same order give each grid point the same sum.
template <class T, bool D>
void check_variants(int strengths, double tolerance) {
  for (auto const& variant : cpu_variants<P2G<T, D>>()) {
    CAPTURE(name(variant.implementation));
    bool const same_order = variant.implementation == source_ordered;
    for (auto const& c : grid_cases) check_spread<T, D>(c, strengths, same_order ? 1e-300 : tolerance, variant.body);
  }
}

}  // namespace

TEST_CASE("p2g: all variants against the portable one") {
  Runtime const runtime({.cpus = 1, .gpus = 0});  // the portable bodies run through its Kokkos
  check_variants<double, false>(1, 1e-13);
  check_variants<double, false>(3, 1e-13);
  check_variants<double, true>(6, 1e-13);
  check_variants<double, true>(9, 1e-13);
  check_variants<float, false>(3, 1e-5);
  check_variants<float, true>(9, 1e-5);
}

TEST_CASE("variants: the one that is asked for is number 0, the others follow where StarPU may choose") {
  using Stage = P2G<double, false>;
  auto const number = [](Implementation wanted, unsigned n) { return variant_name<Stage>(wanted, n); };
  CHECK(number(Implementation::tuned, 0) == "tuned");
  CHECK(number(Implementation::portable, 0) == "portable");
  CHECK(number(hybrid, 0) == "hybrid");
  CHECK(number(Implementation::any, 0) == "tuned");
  CHECK(number(Implementation::any, 1) == "portable");
  CHECK(number(Implementation::any, 2) == "source-ordered");
  CHECK(number(Implementation::any, 3) == "hybrid");
  CHECK(variant_name<G2P<double, Kernel::laplace, false>>(hybrid, 0) == "tuned");  // it has no such body
  starpu_codelet const& codelet = codelet_of<Stage>();
  for (int i = 0; i < 4; ++i) CHECK((codelet.cpu_funcs[i] != nullptr));

  for (unsigned n = 0; n < 4; ++n) {
    CHECK(implementation_allowed(Implementation::any, true, n));
    CHECK(implementation_allowed(Implementation::any, false, n));
    for (auto wanted : {Implementation::tuned, Implementation::portable, source_ordered, hybrid}) {
      CHECK(implementation_allowed(wanted, true, n) == (n == 0));
      CHECK(implementation_allowed(wanted, false, n) == (n == 0 && wanted == Implementation::tuned));
    }
  }
}

TEST_CASE("variants: names there and back") {
  CHECK(implementations().size() == 5);
  for (auto implementation : implementations())
    CHECK(from_name<Implementation>(name(implementation)) == implementation);
  CHECK_THROWS_AS(from_name<Implementation>("magic"), Error);
}
