// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/laboratory/pair_sums.hpp"

namespace nearfar {

template void sum_pairs<float>(std::string_view, std::string_view, int, std::span<float const>, std::span<float const>,
                               std::span<float>);

}  // namespace nearfar
