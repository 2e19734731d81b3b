// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fftw3.h>

namespace nearfar {

/// FFTW's two name spaces as one template.
template <class T>
struct Fftw;

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  static constexpr char const* wisdom = "fftw-wisdom-f64";
  static constexpr auto many_forward = fftw_plan_many_dft_r2c;
  static constexpr auto many_inverse = fftw_plan_many_dft_c2r;
  static constexpr auto many_complex = fftw_plan_many_dft;
  static constexpr auto forward = fftw_execute_dft_r2c;
  static constexpr auto inverse = fftw_execute_dft_c2r;
  static constexpr auto complex = fftw_execute_dft;
  static constexpr auto destroy = fftw_destroy_plan;
  static constexpr auto alignment = fftw_alignment_of;
  static constexpr auto allocate = fftw_malloc;
  static constexpr auto release = fftw_free;
  static constexpr auto import_wisdom = fftw_import_wisdom_from_filename;
  static constexpr auto export_wisdom = fftw_export_wisdom_to_filename;
  static constexpr auto import_text = fftw_import_wisdom_from_string;
  static constexpr auto export_text = fftw_export_wisdom_to_string;
};

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  static constexpr char const* wisdom = "fftw-wisdom-f32";
  static constexpr auto many_forward = fftwf_plan_many_dft_r2c;
  static constexpr auto many_inverse = fftwf_plan_many_dft_c2r;
  static constexpr auto many_complex = fftwf_plan_many_dft;
  static constexpr auto forward = fftwf_execute_dft_r2c;
  static constexpr auto inverse = fftwf_execute_dft_c2r;
  static constexpr auto complex = fftwf_execute_dft;
  static constexpr auto destroy = fftwf_destroy_plan;
  static constexpr auto alignment = fftwf_alignment_of;
  static constexpr auto allocate = fftwf_malloc;
  static constexpr auto release = fftwf_free;
  static constexpr auto import_wisdom = fftwf_import_wisdom_from_filename;
  static constexpr auto export_wisdom = fftwf_export_wisdom_to_filename;
  static constexpr auto import_text = fftwf_import_wisdom_from_string;
  static constexpr auto export_text = fftwf_export_wisdom_to_string;
};

}  // namespace nearfar
