// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/pair_function.hpp>

#include <atomic>
#include <thread>
#include <vector>

namespace nearfar::test {

/// A solve that does not end before it is let go.
class Held {
 public:
  explicit Held(Runtime const& runtime) : solve(direct(runtime, Waits{&go_}, source_, target_, strength_, result_)) {}
  ~Held() { let_go(); }
  void let_go() { go_ = true; }

 private:
  struct Waits {
    static constexpr int dimensions = 3, strengths = 1, results = 1;
    std::atomic<bool> const* go;
    template <class V>
    void operator()(V const*, V, V, V const*, V*) const {
      while (!*go) std::this_thread::yield();
    }
  };

  std::atomic<bool> go_ = false;
  std::vector<double> source_{0, 0, 0}, target_{1, 0, 0}, strength_{1}, result_{0};

 public:
  Solve solve;
};

}  // namespace nearfar::test
