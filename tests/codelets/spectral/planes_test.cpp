// SPDX-License-Identifier: BSD-3-Clause
#include "tests/codelets/spectral/planes.hpp"
#include "codelets/spectral/fft/fft.hpp"
#include "tests/codelets/local_buffers.hpp"

using namespace nearfar;
using namespace nearfar::test;

namespace {

struct Portable {
  template <class T>
  void forward(Planes<T>& planes) const {
    AlignedVector<std::complex<T>> scratch(std::size_t(PlaneScratch(planes.layout).size), std::complex<T>(NAN, NAN));
    LocalBuffers buffers;
    buffers.access().add(planes.field).access().add(scratch).access();
    for (auto& t : planes.tile) buffers.add(t);
    Fft<T>::portable(buffers.view(), {planes.layout, planes.slab, components});
  }
  template <class T>
  void inverse(Planes<T>& planes) const {
    AlignedVector<std::complex<T>> scratch(std::size_t(PlaneScratch(planes.layout).size), std::complex<T>(NAN, NAN));
    LocalBuffers buffers;
    buffers.access();
    for (auto& t : planes.tile) buffers.add(t);
    buffers.access().add(scratch).access().add(planes.field);
    Ifft<T>::portable(buffers.view(), {planes.layout, planes.slab, components});
  }
};

}  // namespace

TEST_CASE("planes: forward against its definition, inverse back, ghosts as the plane repeats itself") {
  for (auto const& c : cases) {
    CAPTURE(c.size[1]);
    CAPTURE(c.free);
    check_planes<Portable, double>(make_layout(c), 1e-15);
    check_planes<Portable, float>(make_layout(c), 5e-7);
  }
}

TEST_CASE("planes: modes beyond a band are left out") {
  for (auto const& c : cases) {
    CAPTURE(c.size[1]);
    CAPTURE(c.free);
    check_band<Portable, double>(make_layout(c), 1e-15);
  }
  check_band<Portable, float>(two_sections(), 5e-7);
}

TEST_CASE("planes: modes with paddings of their own") {
  check_planes<Portable, double>(two_sections(), 1e-15);
  check_planes<Portable, float>(two_sections(), 5e-7);
}
