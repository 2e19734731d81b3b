// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/fft/plans.hpp"

#include "codelets/spectral/fft/fftw_plans.hpp"

#include <cstdlib>
#include <new>

namespace nearfar {

template <class T>
void prepare_plans(SpectralLayout const& layout) {
  fftw_plans<T>(layout);
}

template <class T>
std::string learned_plans() {
  FftwPlanning<T> const planning;
  char* const text = Fftw<T>::export_text();
  if (text == nullptr) throw std::bad_alloc();
  std::string learned = text;
  std::free(text);
  return learned;
}

template <class T>
void learn_plans(std::string const& learned) {
  FftwPlanning<T> const planning;
  Fftw<T>::import_text(learned.c_str());
}

template std::string learned_plans<double>();
template std::string learned_plans<float>();
template void learn_plans<double>(std::string const&);
template void learn_plans<float>(std::string const&);
template void prepare_plans<double>(SpectralLayout const&);
template void prepare_plans<float>(SpectralLayout const&);

}  // namespace nearfar
