// SPDX-License-Identifier: BSD-3-Clause
// Electric field gradients in rutile (TiO2) of point charges: what nuclei with a quadrupole moment feel in NMR. The
// tensor at an ion is the Hessian of the potential of all others, and by symmetry its axes are [110], [1-10] and c.
// Ordered by size, the largest number and (Vxx - Vyy) / Vzz, the asymmetry, describe it; they sum to 0.
// The report of the solve has the energy of the ions, which Madelung's constant tells too, and their virial W: W / V is
// what they add to the pressure tensor. Its trace is the energy, as 1/r makes it, so the ions pull the crystal together
// with the pressure E / (3 V), which the repulsion of their shells has to balance.
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
                                 .tolerance = 1e-10,
                                 .virial = true});
  std::vector<double> field(6 * 10);  // of each ion: potential, gradient, and Hessian as xx, xy, xz, yy, yz, zz
  nearfar::SolveReport const report = ewald.submit(ewald.set_points(ions), charges, field).report();

  constexpr double coulomb = 14.399645, gigapascal = 160.21766;  // e^2 / (4 pi epsilon0) in eV A, and eV / A^3
  double const energy = coulomb * *report.energy, volume = a * a * c;
  double const trace = coulomb * ((*report.virial)[0] + (*report.virial)[1] + (*report.virial)[2]);
  double const bond = (2 * std::hypot(u * a, u * a) + 4 * std::hypot((0.5 - u) * a, (0.5 - u) * a, c / 2)) / 6;
  double const madelung = -energy / 2 * bond / (coulomb * 2 * 2);  // of one TiO2; charges are multiples of 2
  std::printf("energy %.4f eV per ion; Madelung's constant %.3f, about 4.8 in tables: %s\n", energy / 6, madelung,
              std::abs(madelung - 4.8) < 0.02 ? "yes" : "no");
  std::printf("pressure %.2f GPa; the trace of the virial is the energy: %s\n", gigapascal * trace / (3 * volume),
              std::abs(trace / energy - 1) < 1e-9 ? "yes" : "no");

  for (int const ion : {0, 2}) {
    double const* const hessian = &field[std::size_t(ion) * 10 + 4];
    std::array<double, 3> v{hessian[0] + hessian[1], hessian[0] - hessian[1], hessian[5]};
    std::ranges::sort(v, {}, [](double x) { return std::abs(x); });
    std::printf("%s: %.6f e/A^3, asymmetry %.6f, trace below 1e-8: %s\n", ion == 0 ? "Ti" : "O", v[2],
                (v[0] - v[1]) / v[2], std::abs(v[0] + v[1] + v[2]) < 1e-8 ? "yes" : "no");
  }
}
