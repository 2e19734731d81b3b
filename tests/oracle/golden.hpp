// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <span>
#include <vector>

/// Values of ewald.md, Sec. 9, computed by a program of its own to 13 digits: three points, targets = sources.
namespace nearfar::golden {

inline std::vector<double> const points{.1, .2, .3, .7, .5, .9, .4, .85, .15};
inline std::vector<double> const force{1, -.5, .25, -.3, .8, .6, .45, -.2, -.9};
inline std::vector<double> const dipole{.5,  .1, -.7, 0,  0,   1,  //
                                        -.2, .9, .3,  .6, .8,  0,  //
                                        .6,  -.4, .2, -.48, .6, .64};  // q, n
inline std::vector<double> const charge{1, -2, 1.5};

/// What to give a kernel: the rows above, joined for Kernel::stokes.
inline std::vector<double> strengths(Kernel kernel) {
  if (kernel == Kernel::stokeslet) return force;
  if (kernel == Kernel::stresslet) return dipole;
  if (kernel == Kernel::laplace) return charge;
  std::vector<double> joined;
  for (int n = 0; n < 3; ++n) {
    joined.insert(joined.end(), force.begin() + 3 * n, force.begin() + 3 * n + 3);
    joined.insert(joined.end(), dipole.begin() + 6 * n, dipole.begin() + 6 * n + 6);
  }
  return joined;
}

struct Fields {
  std::vector<double> stokeslet;
  std::vector<double> stresslet;
  std::vector<double> laplace;  ///< phi, gradient

  /// Rows as the library gives them.
  std::vector<double> rows(Kernel kernel) const {
    if (kernel == Kernel::laplace) return laplace;
    if (kernel == Kernel::stresslet) return stresslet;
    std::vector<double> sum = stokeslet;
    if (kernel == Kernel::stokes)
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += stresslet[i];
    return sum;
  }
};

/// Box (1, 1, 1), periodic in all directions; stresslet with zero face flux, Laplace with background.
inline Fields const periodic{
    {-3.434402805571, 0.5439787789317, -0.6349731247955,  //
     0.4361174163553, -2.878561807904, -1.662735740345,   //
     -2.049610546721, 0.3376515790507, 2.504454891924},
    {-1.480684833379, 3.38486793962, 15.03583859602,   //
     17.73271524361, -1.683639364622, 14.37940946603,  //
     15.4778198896, 5.974955496312, 6.684449136772},
    {-2.026213547091, 3.918454765289, -4.304332433812, -0.4862710349321,  //
     4.288541771178, -1.463816540314, 1.236143121596, 2.515601722093,     //
     -3.654265422162, -4.564058563945, 4.517745784669, 3.678316319412}};

inline Fields const free_space{
    {0.7349023925309, 1.020841012511, -0.2717736792302,   //
     1.909439100159, -0.2947177496948, -0.767388419043,   //
     1.013656843098, 0.0802975651505, 1.135247092883},
    {1.065269126536, 0.2961946758526, 1.278065025209,     //
     0.1276199061771, 0.3998069544532, -0.1747773950512,  //
     0.4637584502834, 0.834598728722, -0.07868910293893},
    {-0.1714644411482, -0.4961329007323, 1.668529606712, -2.221069352103,  //
     2.814996613852, -1.482613849196, 0.3579740449125, -2.471966721755,    //
     -0.9046754829389, -1.64606319844, -0.6350543445916, -1.815242727605}};

}  // namespace nearfar::golden
