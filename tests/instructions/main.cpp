// SPDX-License-Identifier: BSD-3-Clause
// For tests/instructions/check, which runs it under callgrind. Every piece of work gives a profile with its title, and
// on stdout how many units of work it is.
#include "codelets/common/kokkos/start_kokkos.hpp"
#include "codelets/common/simd/simd.hpp"
#include "tests/instructions/work.hpp"

#include <cstdio>
#include <fftw3.h>
#include <valgrind/callgrind.h>

int main() {
  using namespace nearfar::test;
  std::printf("level %s -\n", nearfar::simd_level_name().c_str());
  nearfar::start_kokkos();  // the portable bodies run through it
  fftw_set_timelimit(0);    // plans by rule: measured ones would be others every time
  auto const work = {near_work(), grid_work(), multipole_work()};
  for (auto const& some : work)
    for (auto const& w : some) w.run();  // makes what is made on first use
  CALLGRIND_START_INSTRUMENTATION;       // once: it costs a second translation of all code
  for (auto const& some : work)
    for (auto const& w : some) {
      CALLGRIND_TOGGLE_COLLECT;
      w.run();
      CALLGRIND_TOGGLE_COLLECT;
      CALLGRIND_DUMP_STATS_AT(w.title.c_str());
      std::printf("%s %s %.0f\n", w.title.c_str(), w.unit, w.units);
    }
}
