// SPDX-License-Identifier: BSD-3-Clause
// The transforms of planes as GPUs do them, on the host.
#include "codelets/spectral/fft/fft.cu"

#include "tests/codelets/spectral/planes.hpp"

using namespace nearfar;
using namespace nearfar::test;

namespace {

struct AsOnGpu {
  std::size_t part_bytes;

  template <class T>
  static std::vector<GpuComplex<T>*> tiles(Planes<T>& planes) {
    std::vector<GpuComplex<T>*> all;
    for (auto& tile : planes.tile) all.push_back(reinterpret_cast<GpuComplex<T>*>(tile.data()));
    return all;
  }
  template <class T>
  void forward(Planes<T>& planes) const {
    launch_fft<T>({planes.layout, planes.slab, components}, planes.field.data(), tiles(planes), nullptr, part_bytes);
  }
  template <class T>
  void inverse(Planes<T>& planes) const {
    launch_ifft<T>({planes.layout, planes.slab, components}, tiles(planes), planes.field.data(), nullptr, part_bytes);
  }
};

}  // namespace

TEST_CASE("planes: as GPUs transform them, whole and in parts") {
  for (std::size_t const part_bytes : {std::size_t(1), std::size_t(3000), std::size_t(1) << 30}) {
    AsOnGpu const transform{part_bytes};
    CAPTURE(part_bytes);
    for (auto const& c : cases) {
      CAPTURE(c.size[1]);
      CAPTURE(c.free);
      check_planes<AsOnGpu, double>(make_layout(c), 1e-15, transform);
      check_planes<AsOnGpu, float>(make_layout(c), 5e-7, transform);
      check_band<AsOnGpu, double>(make_layout(c), 1e-15, transform);
    }
    check_planes<AsOnGpu, double>(two_sections(), 1e-15, transform);
    check_band<AsOnGpu, double>(two_sections(), 1e-15, transform);
  }
}
