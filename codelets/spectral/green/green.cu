// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/spectral/green/green_gpu.hpp"
#include "codelets/spectral/green/green_lines.hpp"

namespace nearfar {

namespace {

/// Size of the parts of the work: large enough for cuFFT's strided transforms, small compared with the table.
constexpr std::size_t part_bytes = std::size_t(64) << 20;

class StreamRunner {
 public:
  explicit StreamRunner(void* stream) : stream_(stream) {}

  class Space {
   public:
    Space(std::int64_t numbers, void* stream) : space_(std::size_t(numbers) * sizeof(double), stream, "samples") {}
    double* data() const { return reinterpret_cast<double*>(space_.data()); }

   private:
    GpuWorkSpace space_;
  };
  Space space(std::int64_t numbers) const { return {numbers, stream_}; }

  template <class Body>
  void for_all(std::int64_t count, Body const& body) const {
    gpu_for_all(count, stream_, body, "makes a Green's function");
  }

  void transform(int n, std::int64_t lines, GreenLines const& in, double* from, GreenLines const& out,
                 double* to) const {
    TransformShape const shape{
        true,      1, {1, n}, {{1, n}, int(in.point), int(in.line)}, {{1, n / 2 + 1}, int(out.point), int(out.line)},
        int(lines)};
    gpu_transform<double>(shape, Direction::forward, from, to, stream_);
  }

 private:
  void* stream_;
};

}  // namespace

void launch_green(GreenPlanesArgs const& args, SharedTerms const* shared, double* planes, void* stream) {
  StreamRunner runner(stream);
  GreenProgram<StreamRunner>(runner, args.green, shared, part_bytes).planes(args.first, args.count, planes);
}

template <class T>
void launch_green_columns(GreenColumnsArgs const& args, std::vector<GreenSlab> const& slabs, T* table, void* stream) {
  StreamRunner runner(stream);
  std::int64_t const plane = green_plane(args.green);
  // Without the runner itself, which has no name outside of this file while the closure has one.
  auto const fill = [&slabs, plane, stream](std::int64_t first, std::int64_t count, double* samples) {
    for (auto const& slab : slabs) {
      StreamRunner(stream).for_all(slab.count * count, CopyColumns{slab.planes, plane, first, count, samples});
      samples += slab.count * count;
    }
  };
  GreenProgram<StreamRunner>(runner, args.green, nullptr, part_bytes)
      .columns(args.first, args.count, args.factor, fill, table);
}

template void launch_green_columns(GreenColumnsArgs const&, std::vector<GreenSlab> const&, double*, void*);
template void launch_green_columns(GreenColumnsArgs const&, std::vector<GreenSlab> const&, float*, void*);

}  // namespace nearfar
