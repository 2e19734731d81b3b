// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <span>
#include <vector>

/// Values of ewald.md, Sec. 9, computed by a program of its own to 13 digits: three points, targets = sources.
namespace nearfar::golden {

inline std::vector<double> const points{.1, .2, .3, .7, .5, .9, .4, .85, .15};
inline std::vector<double> const force{1, -.5, .25, -.3, .8, .6, .45, -.2, -.9};
inline std::vector<double> const dipole{.5,  .1,  -.7, 0,    0,  1,     //
                                        -.2, .9,  .3,  .6,   .8, 0,     //
                                        .6,  -.4, .2,  -.48, .6, .64};  // q, n
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
inline Fields const periodic{{-3.434402805571, 0.5439787789317, -0.6349731247955,  //
                              0.4361174163553, -2.878561807904, -1.662735740345,   //
                              -2.049610546721, 0.3376515790507, 2.504454891924},
                             {-1.480684833379, 3.38486793962, 15.03583859602,   //
                              17.73271524361, -1.683639364622, 14.37940946603,  //
                              15.4778198896, 5.974955496312, 6.684449136772},
                             {-2.026213547091, 3.918454765289, -4.304332433812, -0.4862710349321,  //
                              4.288541771178, -1.463816540314, 1.236143121596, 2.515601722093,     //
                              -3.654265422162, -4.564058563945, 4.517745784669, 3.678316319412}};

/// Box (1, 1, 1), periodic along x and y; gauges as in BasicEwald.
inline Fields const periodic_xy{{-4.572042879496, -3.004561459377, -0.1755299006021,  //
                                 -10.02993682951, 1.049142879828, -2.424849983075,    //
                                 -2.321743656398, -5.544813768152, 2.717669621543},
                                {-6.000956448851, 11.11507057304, 13.64005548794,  //
                                 -11.21742863356, 1.661710919554, 12.31625868112,  //
                                 6.976062475819, 2.233476246335, 6.51407172934},
                                {1.43829524282, 2.933674081816, -3.066247241277, -16.41870728707,        //
                                 -3.109426836678, 0.00768196723235, -0.08137980966764, -15.26985690322,  //
                                 2.073666568555, -1.945540098234, 1.935658414628, -9.41400434624}};

/// Box (1, 1, 1), periodic along x; gauges as in BasicEwald.
inline Fields const periodic_x{{-2.896632030863, 1.107203665819, 1.33490446337,      //
                                -3.084169614254, -0.3825475547009, -1.495905224344,  //
                                -2.553667953729, -1.409382599712, 1.34127610363},
                               {4.901636960548, -2.483085742007, 1.665110051843,  //
                                -4.082471927965, 2.320511866438, 5.275731629214,  //
                                0.9275857964914, 0.9390308674174, -0.4262370694721},
                               {-0.5749387896469, 0.5694622489304, 1.771727787667, -5.964252926001,  //
                                1.795885879879, 0.01957097505069, 0.2714054685446, -5.740162052239,  //
                                -0.2988345446132, -0.353546865886, -0.8192779003852, -3.677380785652}};

inline Fields const free_space{{0.7349023925309, 1.020841012511, -0.2717736792302,  //
                                1.909439100159, -0.2947177496948, -0.767388419043,  //
                                1.013656843098, 0.0802975651505, 1.135247092883},
                               {1.065269126536, 0.2961946758526, 1.278065025209,     //
                                0.1276199061771, 0.3998069544532, -0.1747773950512,  //
                                0.4637584502834, 0.834598728722, -0.07868910293893},
                               {-0.1714644411482, -0.4961329007323, 1.668529606712, -2.221069352103,  //
                                2.814996613852, -1.482613849196, 0.3579740449125, -2.471966721755,    //
                                -0.9046754829389, -1.64606319844, -0.6350543445916, -1.815242727605}};

}  // namespace nearfar::golden
