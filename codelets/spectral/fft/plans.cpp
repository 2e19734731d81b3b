// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/fft/plans.hpp"

#include "codelets/spectral/fft/layout_plans.hpp"

namespace nearfar {

template <class T>
void prepare_plans(SpectralLayout const& layout) {
  layout_plans<T>(layout);
}

template <class T>
std::string learned_plans() {
  return TransformPlanning<T>().learned();
}

template <class T>
void learn_plans(std::string const& learned) {
  TransformPlanning<T>().learn(learned);
}

template std::string learned_plans<double>();
template std::string learned_plans<float>();
template void learn_plans<double>(std::string const&);
template void learn_plans<float>(std::string const&);
template void prepare_plans<double>(SpectralLayout const&);
template void prepare_plans<float>(SpectralLayout const&);

}  // namespace nearfar
