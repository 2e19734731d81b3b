// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/laboratory/pair_sums.hpp"

namespace nearfar {

template void sum_pairs<double>(std::string_view, std::string_view, int, std::span<double const>,
                                std::span<double const>, std::span<double>);

std::vector<std::string> pair_variants() {
  std::vector<std::string> names;
  for (auto const& way : named_pair_variants<InverseDistance<2>, double>()) names.emplace_back(way.name);
  return names;
}

bool pair_on_gpu(std::string_view variant) { return variant.starts_with("gpu-") || variant.ends_with("-device"); }

int pair_threads(std::string_view variant) {
  start_kokkos();
  return variant.starts_with("kokkos") && !pair_on_gpu(variant) ? int(PortableSpace().concurrency()) : 1;
}

std::string pair_space(std::string_view variant) {
  return variant.ends_with("-device") ? Kokkos::DefaultExecutionSpace::name() : PortableSpace::name();
}

}  // namespace nearfar
