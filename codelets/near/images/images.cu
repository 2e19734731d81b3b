// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/near/images/images_gpu.hpp"
#include "core/kernels/pairs/force_kernels.hpp"

namespace nearfar {

template <class K, class T, class A>
void launch_images(ImagesLaunch<T, A> const& task, LaunchList<SourceView<A>> const& sources, void* stream) {
  using Program = ImagesTeam<T, K, A>;
  int const parts = task.parts();
  GpuWorkSpace const space(sizeof(double) * image_sums * std::size_t(parts), stream, "the images of a virial");
  ImagesLaunchOf<T, A> launch{task, sources};
  launch.task.part = reinterpret_cast<double*>(space.data());
  gpu_run_teams<Program, double>(parts, stream, launch, "sums over images");
  gpu_run_teams<ImagesGatherTeam<T, A>, double>(1, stream, launch, "adds the parts of sums over images");
}

#define NEARFAR_INSTANTIATE(T, A, K) \
  template void launch_images<K>(ImagesLaunch<T, A> const&, LaunchList<SourceView<A>> const&, void*);
NEARFAR_EACH_FORCE_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar
