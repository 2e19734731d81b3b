// SPDX-License-Identifier: BSD-3-Clause
// The programs of the GPU bodies on the host: every task of real solves, against the tuned bodies.
#include "tests/codelets/fmm/host_blocks.hpp"
#include "tests/tasks/fmm/checked_stages.hpp"

#include <doctest/doctest.h>

using namespace nearfar;

namespace {

struct OnHost {
  static test::Differences& differences() {
    static test::Differences all;
    return all;
  }
  template <class S>
  static void run(Buffers const& buffers, typename S::Args const& args) {
    test::HostBlocks<S>::run(buffers, args);
  }
};

}  // namespace

TEST_CASE("what the threads of GPUs do together gives what CPUs compute, stage by stage") {
  Runtime const runtime({.gpus = 0});
  test::check_all_stages<OnHost>(runtime);
}
