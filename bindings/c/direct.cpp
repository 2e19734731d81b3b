// SPDX-License-Identifier: BSD-3-Clause
// Direct sums in free space, of a kernel or of the caller's function.
#include "bindings/c/handles.hpp"
#include "bindings/c/kernel.hpp"
#include "bindings/c/rows.hpp"
#include "bindings/c/values.hpp"

#include <nearfar/direct.hpp>
#include <nearfar/pair_function.hpp>

namespace nearfar::c {

namespace {

/// The caller's arrays, of doubles.
struct DirectArrays {
  std::span<double const> sources, targets, strengths;
  std::span<double> result;
};

DirectArrays direct_arrays(double const* sources, size_t source_count, double const* targets, size_t target_count,
                           double const* strengths, size_t strengths_length, double* result, size_t result_length) {
  DirectArrays a{positions<double>(sources, source_count, "sources"),
                 positions<double>(targets, target_count, "targets"),
                 numbers<double const>(strengths, strengths_length, "strengths"),
                 numbers<double>(result, result_length, "result")};
  if (targets == nullptr) a.targets = a.sources;
  return a;
}

/// What tasks call for a function of the caller's, and its `user`.
struct PairSumOfCaller {
  nearfar_pair_sum sum;
  void const* user;
  static void add(void const* self, double const* sources, double const* strengths, std::size_t count,
                  double const* target, long double* sums) {
    auto const& caller = *static_cast<PairSumOfCaller const*>(self);
    caller.sum(caller.user, sources, strengths, count, target, sums);
  }
};

void expect_components(int number, char const* argument) {
  if (number < 1 || number > 16)
    throw Error(Fault::bad_input, std::string(argument) + " is " + std::to_string(number) +
                                      ", but a pair function has 1 to 16 numbers per point");
}

}  // namespace

}  // namespace nearfar::c

using namespace nearfar;

extern "C" {

int nearfar_direct_submit(nearfar_runtime const* runtime, int kernel, unsigned outputs, double const* sources,
                          size_t source_count, double const* targets, size_t target_count, double const* strengths,
                          size_t strengths_length, double* result, size_t result_length, nearfar_solve** solve) {
  return c::guarded([&] {
    c::expect_place(solve, "solve");
    auto const a = c::direct_arrays(sources, source_count, targets, target_count, strengths, strengths_length, result,
                                    result_length);
    auto const known = c::kernel(kernel);
    c::store(solve, "solve",
             direct(c::expect_runtime(runtime).runtime, known, c::outputs(outputs), a.sources, a.targets, a.strengths,
                    a.result));
  });
}

int nearfar_direct_submit_rows(nearfar_runtime const* runtime, int kernel, unsigned outputs,
                               nearfar_rows const* sources, nearfar_rows const* targets, nearfar_rows const* strengths,
                               nearfar_rows const* result, nearfar_solve** solve) {
  return nearfar_direct_submit_screened(runtime, kernel, outputs, 0, 0, sources, targets, strengths, result, solve);
}

int nearfar_direct_submit_screened(nearfar_runtime const* runtime, int kernel, unsigned outputs, double screening,
                                   double softening, nearfar_rows const* sources, nearfar_rows const* targets,
                                   nearfar_rows const* strengths, nearfar_rows const* result, nearfar_solve** solve) {
  return c::guarded([&] {
    c::expect_place(solve, "solve");
    auto const known = c::kernel(kernel);
    auto const from = c::rows_in(sources, "sources");
    auto const to = targets != nullptr ? c::rows_in(targets, "targets") : from;
    c::store(solve, "solve",
             direct(c::expect_runtime(runtime).runtime, known, c::outputs(outputs), from, to,
                    c::rows_in(strengths, "strengths"), c::rows_out(result, "result"), c::unless_zero(screening),
                    c::unless_zero(softening)));
  });
}

int nearfar_direct_submit_function(nearfar_runtime const* runtime, nearfar_pair_sum sum, void const* user,
                                   int strength_components, int result_components, double const* sources,
                                   size_t source_count, double const* targets, size_t target_count,
                                   double const* strengths, size_t strengths_length, double* result,
                                   size_t result_length, nearfar_solve** solve) {
  return c::guarded([&] {
    c::expect_place(solve, "solve");
    c::expect(sum, "sum", "a function");
    c::expect_components(strength_components, "strength_components");
    c::expect_components(result_components, "result_components");
    auto const a = c::direct_arrays(sources, source_count, targets, target_count, strengths, strengths_length, result,
                                    result_length);
    auto const caller = std::make_shared<c::PairSumOfCaller const>(c::PairSumOfCaller{sum, user});
    c::store(solve, "solve",
             detail::direct(c::expect_runtime(runtime).runtime,
                            {strength_components, result_components, caller, c::PairSumOfCaller::add}, a.sources,
                            a.targets, a.strengths, a.result));
  });
}
}
