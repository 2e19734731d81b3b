// SPDX-License-Identifier: BSD-3-Clause
#include "core/kernels/description/description.hpp"

#include <nearfar/kernels.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace nearfar {

namespace {

std::vector<Periodicity> periodicities() {
  std::vector<Periodicity> all;
  for (int i = 0; name(Periodicity(i)) != "unknown"; ++i) all.push_back(Periodicity(i));
  return all;
}

/// Adds a description: one of a kernel that is in the list, with more outputs, or the first of a kernel.
template <class K>
void add(std::vector<KernelInfo>& list) {
  auto found = std::ranges::find(list, K::kernel, &KernelInfo::kernel);
  if (found == list.end()) {
    KernelDescription const& d = describe(K::kernel);
    std::vector<Periodicity> by_multipoles;
    if (d.rhs > 0) by_multipoles.push_back(Periodicity::none);
    if (d.repeats_by_multipoles()) by_multipoles.push_back(Periodicity::xyz);
    list.push_back({.kernel = K::kernel,
                    .outputs = {},
                    .fmm_outputs = {},
                    .periodicities = periodicities(),
                    .fmm_periodicities = std::move(by_multipoles),
                    .energy_outputs = {},
                    .virial_outputs = {},
                    .screening = d.screened,
                    .zero_mode = d.has_double_layer(),
                    .gauge_length = d.has_logarithm()});
    found = list.end() - 1;
  }
  found->outputs = found->outputs | K::outputs;
  if (K::Sums::rhs > 0) found->fmm_outputs = found->fmm_outputs | K::outputs;
  if (has_energy<K> && found->energy_outputs.empty()) found->energy_outputs = K::outputs;
  if (has_virial<K> && found->virial_outputs.empty()) found->virial_outputs = K::outputs;
}

template <class... K>
std::vector<KernelInfo> listed(KernelList<void, K...>) {
  std::vector<KernelInfo> list;
  (add<K>(list), ...);
  std::ranges::sort(list, {}, &KernelInfo::kernel);
  return list;
}

}  // namespace

std::vector<KernelInfo> const& kernel_list() {
  static std::vector<KernelInfo> const list = listed(Kernels());
  return list;
}

KernelInfo const& kernel_info(Kernel kernel) {
  auto const found = std::ranges::find(kernel_list(), kernel, &KernelInfo::kernel);
  if (found == kernel_list().end()) throw std::logic_error("no kernel has the number " + std::to_string(int(kernel)));
  return *found;
}

}  // namespace nearfar
