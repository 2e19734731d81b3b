// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/error_slot.hpp"

#include <nearfar/error.hpp>

#include <doctest/doctest.h>

#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace nearfar;

namespace {

template <class E>
void store(ErrorSlot& slot, char const* stage, E const& error) {
  slot.store(stage, 3, "CPU 0", std::make_exception_ptr(error));
}

std::string text_of(ErrorSlot const& slot, Fault fault) {
  try {
    slot.rethrow_if_failed();
  } catch (Error const& e) {
    CHECK(e.fault() == fault);
    return e.what();
  }
  FAIL("nothing was thrown");
  return {};
}

}  // namespace

TEST_CASE("error slot: the first error stays, with its stage, block and worker") {
  ErrorSlot slot;
  CHECK(!slot.failed());
  slot.rethrow_if_failed();  // nothing
  store(slot, "bin", Error(Fault::bad_input, "the first"));
  CHECK(slot.failed());
  store(slot, "merge", Error(Fault::bug, "the second"));
  store(slot, "fft", std::runtime_error("the third"));
  for (int again = 0; again < 2; ++again)
    CHECK(text_of(slot, Fault::bad_input) == "the first (stage bin, block 3, worker CPU 0)");
}

TEST_CASE("error slot: what is no Error is told as memory or as a bug") {
  ErrorSlot memory, bug, other;
  store(memory, "bin", std::bad_alloc());
  CHECK(text_of(memory, Fault::no_resource).find("memory") != std::string::npos);
  store(bug, "bin", std::runtime_error("wrong"));
  CHECK(text_of(bug, Fault::bug).starts_with("wrong (stage bin"));
  store(other, "bin", 5);
  CHECK(text_of(other, Fault::bug).find("no std::exception") != std::string::npos);
}

TEST_CASE("error slot: of errors from many threads at once one is kept whole") {
  for (int round = 0; round < 200; ++round) {
    ErrorSlot slot;
    std::vector<std::thread> threads;
    for (char const* name : {"bin", "fft", "merge", "p2p"})
      threads.emplace_back([&slot, name] { store(slot, name, Error(Fault::bad_input, name)); });
    for (auto& thread : threads) thread.join();
    auto const text = text_of(slot, Fault::bad_input);
    auto const stage = text.substr(0, text.find(' '));
    REQUIRE(text == stage + " (stage " + stage + ", block 3, worker CPU 0)");
  }
}
