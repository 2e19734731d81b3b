// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/energy/energy.hpp"

#include "codelets/points/energy/energy_body.hpp"

#include <algorithm>

namespace nearfar {

template <class T>
void Energy<T>::portable(Buffers const& b, Args const& args) {
  EnergyView<T> const view(b, args);
  double sum[energy_sums] = {};
  for (int i = 0; i < args.chunk.count(); ++i) view.add(i, sum);
  std::copy_n(sum, energy_sums, view.out);
}

void EnergySum::portable(Buffers const& b, Args const& args) {
  EnergySums all;
  for (int i = 0; i < b.count(0); ++i)
    for (int m = 0; m < energy_sums; ++m) all.of_points[m] += b.get<double const>(0, i)[m];
  for (int i = 0; i < b.count(1); ++i)
    for (int m = 0; m < image_sums; ++m) all.of_images[m] += b.get<double const>(1, i)[m];
  for (int i = 0; i < b.count(2); ++i)
    for (int m = 0; m < far_virial_size; ++m) all.of_modes[m] += b.get<double const>(2, i)[m];
  all.write(args, *b.get<StrengthUnit const>(3), b.get<double>(4));
}

template struct Energy<double>;
template struct Energy<float>;

}  // namespace nearfar
