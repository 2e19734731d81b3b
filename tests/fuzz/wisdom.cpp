// SPDX-License-Identifier: BSD-3-Clause
// Any file as FFTW's wisdom, and a transform by it.
#include "codelets/spectral/transform/fftw.hpp"
#include "tests/fuzz/input_file.hpp"

#include <cmath>
#include <vector>

using namespace nearfar;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using F = Fftw<double>;
  static fuzz::Folder const folder;
  fftw_forget_wisdom();
  F::import_wisdom(folder.file("wisdom", data, size).c_str());
  constexpr int n = 12;
  std::vector<double> real(n, 1.0);
  std::vector<double> modes(2 * (n / 2 + 1));
  auto* const out = reinterpret_cast<F::Complex*>(modes.data());
  int const length[1] = {n};
  auto const plan = F::many_forward(1, length, 1, real.data(), nullptr, 1, n, out, nullptr, 1, n, FFTW_ESTIMATE);
  fuzz::expect(plan != nullptr);
  F::forward(plan, real.data(), out);
  fuzz::expect(std::fabs(modes[0] - n) < 1e-12 && std::fabs(modes[2]) < 1e-12);
  fftw_destroy_plan(plan);
  return 0;
}
