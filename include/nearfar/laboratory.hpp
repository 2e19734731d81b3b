// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearfar {

// Sums of bare functions over all pairs of points, implemented in several equivalent ways, which
// `nearfar bench p2p --variant` compares (docs/laboratory.md). They need no StarPU, and run on the calling thread, or
// on the threads of Kokkos if it has a parallel backend.

/// Inputs and outputs of a pair function.
struct PairShape {
  int strengths = 0, results = 0;  ///< numbers per point
  double flops = 0;  ///< per pair, including r (D), its square (2 D - 1) and inverse root (8); log and exp count 20
};

/// "inverse-distance" q/r, "inverse-square" q r/r^3, "logarithm" q log r, "exponential" q exp(-4 r),
/// "rank-one" (3 rr/r^5 - I/r) f, "stokeslet" (I/r + rr/r^3) f, r = target - source; each in two and three dimensions.
/// In three dimensions, for points of the unit cube, also q erfc(3 r)/r: "erfc" by the library function,
/// "erfc-rational-6" and "erfc-polynomial-6" by fits to 1e-6, "...-13" to 1e-13.
std::vector<std::string> pair_functions(int dimensions);

/// "sequential": two nested loops, the reference; "xsimd": a target in each SIMD lane; "kokkos-for":
/// targets in parallel; "kokkos-reduce": sources in parallel; "kokkos-nested": a team per target; "kokkos-
/// hierarchical": a team per tile of targets, with sources in its scratch memory; "kokkos-simd", with
/// Kokkos >= 4: targets in its batches. With "-device", those of Kokkos run on the GPU for which it was
/// built. If nearfar is built for a GPU and there is one: "gpu-global": a thread per target; "gpu-shared":
/// sources in shared memory; with "-parts": several threads per target. GPU variants copy points and sums
/// each time.
std::vector<std::string> pair_variants();

/// Throws Error{bad_input} for an unknown function or dimension.
PairShape pair_shape(std::string_view function, int dimensions);

/// For each point the sum over all points that are not at the same place. Arrays hold one component after the other,
/// with a number per point. All variants agree to rounding. Throws Error{bad_input} for unknown names, dimensions other
/// than 2 and 3, and wrong lengths. Not thread-safe: Kokkos has one set of threads, and the first call starts it. T is
/// double or float.
template <class T>
void sum_pairs(std::string_view function, std::string_view variant, int dimensions, std::span<T const> positions,
               std::span<T const> strengths, std::span<T> results);

/// The same for point `number` only, with terms and sum in long double: `results` numbers. Throws likewise.
std::vector<double> exact_pairs(std::string_view function, int dimensions, std::span<double const> positions,
                                std::span<double const> strengths, std::size_t number);

/// Whether a variant runs on a GPU, its number of host threads, and the name of its Kokkos execution space.
bool pair_on_gpu(std::string_view variant);
int pair_threads(std::string_view variant);
std::string pair_space(std::string_view variant);

extern template void sum_pairs<double>(std::string_view, std::string_view, int, std::span<double const>,
                                       std::span<double const>, std::span<double>);
extern template void sum_pairs<float>(std::string_view, std::string_view, int, std::span<float const>,
                                      std::span<float const>, std::span<float>);

}  // namespace nearfar
