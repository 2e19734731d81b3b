// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>

namespace nearfar {

/// A real three-dimensional transform by FFTW alone, forward and back, in place, on the given number of threads: the
/// reference for the time of Poisson solves. The constructor makes the plans (FFTW_MEASURE, which may take longer than
/// all transforms). It throws Error{bad_input} for sizes or threads below 1 and Error{no_resource} if there is too
/// little memory. Not thread-safe. T is double or float.
template <class T>
class BareTransform {
 public:
  BareTransform(std::array<int, 3> const& size, int threads);
  ~BareTransform();
  BareTransform(BareTransform const&) = delete;
  BareTransform& operator=(BareTransform const&) = delete;

  void run();

 private:
  struct Plans;
  std::unique_ptr<Plans> plans_;
};

extern template class BareTransform<double>;
extern template class BareTransform<float>;

}  // namespace nearfar
