// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/laboratory/pair_gpu.hpp"
#include "codelets/laboratory/pair_variants.hpp"
#include "codelets/laboratory/visit_function.hpp"

#include <nearfar/laboratory.hpp>

namespace nearfar {

/// For functions that nearfar itself has: also kernels for
/// GPUs; a user's function needs its own .cu file for that.
template <class F, class T>
std::vector<PairVariant<F, T>> named_pair_variants() {
  auto all = all_pair_variants<F, T>();
#if defined(NEARFAR_WITH_GPUS)
  if (pairs_have_gpu())
    all.insert(all.end(), {{"gpu-global", pairs_gpu<false, 1, F, T>},
                           {"gpu-shared", pairs_gpu<true, 1, F, T>},
                           {"gpu-global-parts", pairs_gpu<false, pair_parts, F, T>},
                           {"gpu-shared-parts", pairs_gpu<true, pair_parts, F, T>}});
#endif
  return all;
}

/// One source file for each precision, because Kokkos takes long to compile.
template <class T>
void sum_pairs(std::string_view function, std::string_view variant, int dimensions, std::span<T const> positions,
               std::span<T const> strengths, std::span<T> results) {
  visit_function(function, dimensions, [&]<class F>(F const& f) {
    auto const count = positions.size() / std::size_t(dimensions);
    auto const expect = [&](char const* what, std::size_t length, int numbers) {
      if (length == count * std::size_t(numbers)) return;
      throw Error(Fault::bad_input, std::string(what) + " has " + std::to_string(length) + " numbers (" +
                                        std::to_string(numbers) + " are needed for each of " + std::to_string(count) +
                                        " points)");
    };
    expect("positions", positions.size(), dimensions);
    expect("strengths", strengths.size(), F::strengths);
    expect("results", results.size(), F::results);
    start_kokkos();
    for (auto const& way : named_pair_variants<F, T>())
      if (variant == way.name)
        return way.sum({std::int64_t(count), positions.data(), strengths.data(), results.data()}, f);
    std::string known;
    for (auto const& way : named_pair_variants<F, T>()) known += std::string(known.empty() ? "" : ", ") + way.name;
    throw Error(Fault::bad_input, "the variant '" + std::string(variant) + "' is not known; take one of " + known);
  });
}

}  // namespace nearfar
