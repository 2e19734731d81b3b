// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// What the arithmetic of the stages costs on this machine, in seconds of one CPU worker; measured once
/// (tasks/rates.cpp), or these defaults. core/work.hpp tells how often each is paid.
struct Rates {
  // P2P
  double near_point = 6e-8;  ///< per target, however few its pairs
  double run = 4e-9;         ///< per target and run of sources around it
  double tested = 1e-11;     ///< per source that is tested, within the cutoff or not
  double quad = 1.9e-10;     ///< per pair that is evaluated and four numbers of a source's record
  double degree = 2.5e-11;   ///< per pair, polynomial and degree
  // bin, collect and merge
  double number = 4.8e-9;  ///< per strength of a source and result of a target
  // P2G and G2P, beside points per grid point of whole SIMD vectors, and one vector more in each row
  double spread_point = 1.5e-8;
  double spread_scalar = 5.4e-11;
  double spread_vector = 1.5e-10;
  double spread_double_layer = 2.4e-10;
  double slab = 7e-10;  ///< P2G: per number of the slabs, halo included, however few the points
  double gather_point = 5e-8;
  double gather_scalar = 4.1e-11;
  double gather_gradient = 8.2e-11;
  double gather_vector = 1.75e-10;
  // fft, scale and ifft
  double plane = 3.6e-9;     ///< fft, ifft: per mode of a plane and component
  double column = 2.2e-9;    ///< scale: per mode and component
  double multiply = 1.6e-9;  ///< scale: per mode

  double lanes = 8;  ///< numbers in a SIMD vector
};

}  // namespace nearfar
