// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/virial.hpp"

#include <array>
#include <vector>

namespace nearfar {

/// How the sums over images that are not near (core/fmm/lattice.hpp) change with a symmetric strain of the lattice,
/// x_a + eps_ab x_b in place of x_a, at fixed positions in the cell: the derivatives of lattice_sums, packed, of all
/// even degrees from 2, and of lattice_constant; xx, yy, zz, xy, xz, yz. Arguments as there.
std::array<std::vector<double>, virial_size> lattice_sums_by_strain(int degree, int separation,
                                                                    std::array<double, 3> const& edge = {1, 1, 1},
                                                                    double splitting = 1);
std::array<double, virial_size> lattice_constant_by_strain(int separation,
                                                           std::array<double, 3> const& edge = {1, 1, 1},
                                                           double splitting = 1);

/// The table of stage `lattice_virial`: the six sums after each other, each as make_lattice_table has them.
std::vector<double> make_lattice_strain_table(int order, int separation,
                                              std::array<double, 3> const& aspect = {1, 1, 1});

}  // namespace nearfar
