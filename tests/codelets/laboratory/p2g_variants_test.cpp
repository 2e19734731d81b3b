// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/codelet.hpp"
#include "codelets/near/p2p/p2p.hpp"
#include "tests/codelets/spectral/grid_cases.hpp"

#include <nearfar/error.hpp>
#include <nearfar/runtime.hpp>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// All bodies of the table against the portable one. Sources in the same order give each grid point the same sum.
template <class T, Spreading S>
void check_variants(int strengths, double tolerance) {
  for (auto const& variant : stage_of<P2G<T, S>>().cpu_variants()) {
    CAPTURE(name(variant.implementation));
    bool const same_order = variant.implementation == source_ordered;
    for (auto const& c : grid_cases)
      check_spread<T, S>(c, strengths, same_order ? 1e-300 : tolerance, typed_as<CpuVariant<P2GArgs>>(variant).body);
  }
}

}  // namespace

TEST_CASE("p2g: all variants against the portable one") {
  Runtime const runtime({.cpus = 1, .gpus = 0});  // the portable bodies run through its Kokkos
  check_variants<double, Spreading::plain>(1, 1e-13);
  check_variants<double, Spreading::plain>(3, 1e-13);
  check_variants<double, Spreading::double_layer>(6, 1e-13);
  check_variants<double, Spreading::double_layer>(9, 1e-13);
  check_variants<float, Spreading::plain>(3, 1e-5);
  check_variants<float, Spreading::double_layer>(9, 1e-5);
  check_variants<double, Spreading::dipoles>(3, 1e-13);
  check_variants<float, Spreading::dipoles>(4, 1e-5);
  check_variants<double, Spreading::force_dipoles>(9, 1e-13);
}

TEST_CASE("variants: the one that is asked for is number 0, the others follow where StarPU may choose") {
  using Stage = P2G<double, Spreading::plain>;
  auto const number = [](Implementation wanted, unsigned n) { return stage_of<Stage>().variant_name(wanted, n, true); };
  CHECK(number(Implementation::tuned, 0) == "tuned");
  CHECK(number(Implementation::portable, 0) == "portable");
  CHECK(number(hybrid, 0) == "hybrid");
  CHECK(number(Implementation::any, 0) == "tuned");
  CHECK(number(Implementation::any, 1) == "portable");
  CHECK(number(Implementation::any, 2) == "source-ordered");
  CHECK(number(Implementation::any, 3) == "hybrid");
  CHECK(stage_of<G2P<double, Laplace::Gather>>().variant_name(hybrid, 0, true) == "tuned");  // it has no such body
  starpu_codelet const& codelet = codelet_of<Stage>();
  for (int i = 0; i < 4; ++i) CHECK((codelet.cpu_funcs[i] != nullptr));

  for (unsigned n = 0; n < 4; ++n) {
    CHECK(implementation_allowed(Implementation::any, true, n));
    CHECK(implementation_allowed(Implementation::any, false, n));
    for (auto wanted : {Implementation::tuned, Implementation::portable, source_ordered, hybrid}) {
      CHECK(implementation_allowed(wanted, true, n) == (n == 0));
      CHECK(implementation_allowed(wanted, false, n) == (n == 0 && wanted != Implementation::portable));
    }
  }
}

#if defined(NEARFAR_WITH_GPUS)
TEST_CASE("variants on GPUs: likewise, and those beyond what StarPU takes by their names alone") {
  using Near = P2P<double, Laplace>;
  using Far = P2G<double, Spreading::plain>;
  CHECK(stage_of<Far>().variant_name(Implementation::tuned, 0, false) == "gpu");
  CHECK(stage_of<Far>().variant_name(grid_ordered, 0, false) == "grid-ordered");
  CHECK(stage_of<Far>().variant_name(shared_1d, 0, false) == "gpu");  // it has no such body
  CHECK(stage_of<Far>().variant_name(Implementation::any, 3, false) == "hybrid");
  CHECK(stage_of<Near>().variant_name(shared_2d, 0, false) == "shared-2d");
  CHECK(stage_of<Near>().variant_name(Implementation::any, 3, false) == "global-2d");
  starpu_codelet const& codelet = codelet_of<Near>();
#if defined(NEARFAR_WITH_CUDA) && defined(STARPU_USE_CUDA)
  for (int i = 0; i < 4; ++i) CHECK((codelet.cuda_funcs[i] != nullptr && codelet.cuda_flags[i] == STARPU_CUDA_ASYNC));
#elif defined(NEARFAR_WITH_HIP) && defined(STARPU_USE_HIP)
  for (int i = 0; i < 4; ++i) CHECK((codelet.hip_funcs[i] != nullptr && codelet.hip_flags[i] == STARPU_HIP_ASYNC));
#endif
}
#endif

TEST_CASE("variants: names there and back") {
  CHECK(implementations().size() == 11);
  for (auto implementation : implementations())
    CHECK(from_name<Implementation>(name(implementation)) == implementation);
  CHECK_THROWS_AS(from_name<Implementation>("magic"), Error);
}
