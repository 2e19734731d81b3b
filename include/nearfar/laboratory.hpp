// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearfar {

// Sums over all pairs of points by some bare functions, written in several ways that do the same: what
// `nearfar bench p2p --variant` compares (docs/laboratory.md). They need no StarPU, and run on the calling thread, or
// on the threads of Kokkos where it has a parallel backend.

/// What a pair function takes and gives.
struct PairShape {
  int strengths = 0, results = 0;  ///< numbers for each point
  double flops = 0;  ///< for each pair, with r (D), its square (2 D - 1) and inverse root (8); log and exp as 20
};

/// "inverse-distance" q/r, "inverse-square" q r/r^3, "logarithm" q log r, "exponential" q exp(-4 r),
/// "rank-one" (3 rr/r^5 - I/r) f, "stokeslet" (I/r + rr/r^3) f, r = target - source; each in two and three dimensions.
/// In three, for points of the unit cube, q erfc(3 r)/r: "erfc" by the library's function, "erfc-rational-6" and
/// "erfc-polynomial-6" by fits to 1e-6, "...-13" to 1e-13.
std::vector<std::string> pair_functions(int dimensions);

/// "sequential": one loop in the other, by which the others are judged; "xsimd": a target in each SIMD lane;
/// "kokkos-for": targets in parallel; "kokkos-reduce": sources in parallel; "kokkos-nested": a team for each target;
/// "kokkos-hierarchical": a team for each tile of targets, sources in its scratch memory;
/// "kokkos-simd", with Kokkos >= 4: targets in its batches. "-device" after those of Kokkos: on the GPU for which it
/// was built. Where nearfar is built for a GPU that is there: "gpu-global", a thread for each target; "gpu-shared":
/// sources in shared memory; with "-parts": several threads for each target. On GPUs points and sums are copied each
/// time.
std::vector<std::string> pair_variants();

/// Throws Error{bad_input} for a function or dimension that there is not.
PairShape pair_shape(std::string_view function, int dimensions);

/// The sum over all points but those at the target's own place, for each point. Arrays hold one component after the
/// other, as many numbers each as there are points. The same in the last digits by all variants. Throws
/// Error{bad_input} for unknown names, dimensions other than 2 and 3, and wrong lengths. Not thread-safe: Kokkos has
/// one set of threads, and is started by the first call. T is double or float.
template <class T>
void sum_pairs(std::string_view function, std::string_view variant, int dimensions, std::span<T const> positions,
               std::span<T const> strengths, std::span<T> results);

/// The same for point `number` alone, terms and sum in long double: `results` numbers. Throws likewise.
std::vector<double> exact_pairs(std::string_view function, int dimensions, std::span<double const> positions,
                                std::span<double const> strengths, std::size_t number);

/// Whether a variant runs on a GPU, the threads of the host that compute, and the name of Kokkos's execution space.
bool pair_on_gpu(std::string_view variant);
int pair_threads(std::string_view variant);
std::string pair_space(std::string_view variant);

extern template void sum_pairs<double>(std::string_view, std::string_view, int, std::span<double const>,
                                       std::span<double const>, std::span<double>);
extern template void sum_pairs<float>(std::string_view, std::string_view, int, std::span<float const>,
                                      std::span<float const>, std::span<float>);

}  // namespace nearfar
