// SPDX-License-Identifier: BSD-3-Clause
// Electric field gradients in rutile (TiO2) of point charges: what nuclei with a quadrupole moment feel in NMR. The
// tensor at an ion is the Hessian of the potential of all others, and by symmetry its axes are [110], [1-10] and c.
// Ordered by size, the largest number and (Vxx - Vyy) / Vzz, the asymmetry, describe it; they sum to 0.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nearfar/nearfar.hpp>
#include <vector>

int main() {
  using nearfar::Output;
  double const a = 4.594, c = 2.959, u = 0.305;  // in Angstrom; u places oxygen
  double const along[6][3] = {{0, 0, 0},   {0.5, 0.5, 0.5},         {u, u, 0},
                              {-u, -u, 0}, {0.5 + u, 0.5 - u, 0.5}, {0.5 - u, 0.5 + u, 0.5}};
  std::vector<double> const charges{4, 4, -2, -2, -2, -2};
  std::vector<double> ions;
  for (auto const& at : along) ions.insert(ions.end(), {a * at[0], a * at[1], c * at[2]});

  nearfar::Runtime runtime;
  nearfar::Ewald ewald(runtime, {.kernel = nearfar::Kernel::laplace,
                                 .outputs = Output::potential | Output::gradient | Output::hessian,
                                 .box = {a, a, c},
                                 .tolerance = 1e-10});
  std::vector<double> field(6 * 10);  // of each ion: potential, gradient, and Hessian as xx, xy, xz, yy, yz, zz
  ewald.submit(ewald.set_points(ions), charges, field).wait();

  for (int const ion : {0, 2}) {
    double const* const hessian = &field[std::size_t(ion) * 10 + 4];
    std::array<double, 3> v{hessian[0] + hessian[1], hessian[0] - hessian[1], hessian[5]};
    std::ranges::sort(v, {}, [](double x) { return std::abs(x); });
    std::printf("%s: %.6f e/A^3, asymmetry %.6f, trace below 1e-8: %s\n", ion == 0 ? "Ti" : "O", v[2],
                (v[0] - v[1]) / v[2], std::abs(v[0] + v[1] + v[2]) < 1e-8 ? "yes" : "no");
  }
}
