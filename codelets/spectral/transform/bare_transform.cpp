// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/transform/cpu_transform.hpp"
#include "codelets/spectral/transform/fftw.hpp"

#include <nearfar/bare_transform.hpp>
#include <nearfar/error.hpp>

#include <algorithm>
#include <mutex>
#include <new>
#include <string>

namespace nearfar {

namespace {

template <class T>
struct Threaded;

template <>
struct Threaded<double> {
  static constexpr auto begin = fftw_init_threads;
  static constexpr auto threads = fftw_plan_with_nthreads;
  static constexpr auto forward = fftw_plan_dft_r2c;
  static constexpr auto inverse = fftw_plan_dft_c2r;
};

template <>
struct Threaded<float> {
  static constexpr auto begin = fftwf_init_threads;
  static constexpr auto threads = fftwf_plan_with_nthreads;
  static constexpr auto forward = fftwf_plan_dft_r2c;
  static constexpr auto inverse = fftwf_plan_dft_c2r;
};

}  // namespace

template <class T>
struct BareTransform<T>::Plans {
  typename Fftw<T>::Complex* modes = nullptr;
  typename Fftw<T>::Plan forward = nullptr, inverse = nullptr;

  ~Plans() {
    std::lock_guard const planning(transform_planner());
    if (forward != nullptr) Fftw<T>::destroy(forward);
    if (inverse != nullptr) Fftw<T>::destroy(inverse);
    Fftw<T>::release(modes);
  }
  T* real() const { return reinterpret_cast<T*>(modes); }
};

template <class T>
BareTransform<T>::BareTransform(std::array<int, 3> const& n, int threads) : plans_(std::make_unique<Plans>()) {
  if (std::ranges::min(n) < 1 || threads < 1)
    throw Error(Fault::bad_input, "a transform of " + std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " +
                                      std::to_string(n[2]) + " points by " + std::to_string(threads) +
                                      " threads has nothing to do, or nobody to do it; give 1 or more of each");
  std::size_t const modes = std::size_t(n[0]) * std::size_t(n[1]) * std::size_t(n[2] / 2 + 1);
  plans_->modes = static_cast<typename Fftw<T>::Complex*>(Fftw<T>::allocate(modes * sizeof(*plans_->modes)));
  if (plans_->modes == nullptr)
    throw Error(Fault::no_resource, "there is not enough memory for a transform of " + std::to_string(modes) +
                                        " modes; take a smaller grid");
  std::lock_guard const planning(transform_planner());
  static bool const threaded = Threaded<T>::begin() != 0;
  Threaded<T>::threads(threaded ? threads : 1);
  plans_->forward = Threaded<T>::forward(3, n.data(), plans_->real(), plans_->modes, FFTW_MEASURE);
  plans_->inverse = Threaded<T>::inverse(3, n.data(), plans_->modes, plans_->real(), FFTW_MEASURE);
  Threaded<T>::threads(1);  // like all other plans of this process
  if (plans_->forward == nullptr || plans_->inverse == nullptr || (threads > 1 && !threaded))
    throw Error(Fault::bug, "FFTW made no plan for a transform of " + std::to_string(n[0]) + " x " +
                                std::to_string(n[1]) + " x " + std::to_string(n[2]) + " points");
  std::fill(plans_->real(), plans_->real() + 2 * modes, T(0));
}

template <class T>
BareTransform<T>::~BareTransform() = default;

template <class T>
void BareTransform<T>::run() {
  Fftw<T>::forward(plans_->forward, plans_->real(), plans_->modes);
  Fftw<T>::inverse(plans_->inverse, plans_->modes, plans_->real());
}

template class BareTransform<double>;
template class BareTransform<float>;

}  // namespace nearfar
