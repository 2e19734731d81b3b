// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>

namespace nearfar {

/// A real transform in three dimensions by FFTW alone, there and back, in place, by so many of its threads: what
/// Poisson solves are measured against. The constructor makes the plans (FFTW_MEASURE, which may take longer than all
/// the rest) and throws Error{bad_input} for sizes or threads below 1, Error{no_resource} where there is too little
/// memory. Not thread-safe. T is double or float.
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
