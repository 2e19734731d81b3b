// SPDX-License-Identifier: BSD-3-Clause
// P2P alone on the GPU, by the number of neighbours: timings, which scripts/gpu runs by name.
#include "codelets/near/p2p/p2p.hpp"
#include "codelets/spectral/tables.hpp"
#include "core/ewald/split/profile.hpp"
#include "core/kernels/kernels.hpp"
#include "core/math/constants.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/engine/gpu/p2p_variants.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <doctest/doctest.h>
#include <memory>
#include <vector>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// One block of evenly spread points, cut into cells as plans of that many neighbours are, in the memory of the GPU.
template <class K>
class GpuBlock {
 public:
  static constexpr int points = 200000, row = result_row(K::results);

  explicit GpuBlock(int neighbours) : cells_(cells(neighbours)) {
    std::vector<EwaldTables<double>> tables(1);
    Profile const profile(Split::pswf, 16, cells_.cutoff);
    tables[0].near = make_near_kernel<double>(profile, K::near_layers, 1e-8);
    tables[0].near_single = make_near_kernel<float>(profile, K::near_layers, 1e-8);
    BlockedSet<double> set(cells_, points, K::strengths, 7);
    auto const& block = set.block[0];
    add(tables);
    add(block.near);
    add(block.offset);
    add(block.rough);
    add(block.packed);
    add(block.packed_in_single);
    add(AlignedVector<double>(std::size_t(row) * points));
    memory_ = std::make_unique<DeviceMemory>(bytes_.size());
    memory_->upload(0, bytes_.data(), bytes_.size());
  }

  /// Billions of pairs within the cutoff in a second, the best of some runs.
  template <class A, class Launch>
  double rate(Launch const& launch) {
    Block const block{{0, 0, 0}};
    P2PArgs const args{cells_, block, {0, points}, neighbours(cells_, block)};
    LocalBuffers buffers;
    auto const put = [&](int i) { buffers.add(memory_->data() + place_[std::size_t(i)], size_[std::size_t(i)]); };
    for (int const i : {0, 1, 2}) {
      buffers.access();
      put(i);
    }
    buffers.access();
    for (int const i : {3, 2, sizeof(A) == 8 ? 4 : 5}) put(i);
    buffers.access();
    put(6);
    buffers.access();
    double best = 1e30;
    char end[8];
    for (int i = 0; i < 5; ++i) {
      auto const begin = std::chrono::steady_clock::now();
      launch(buffers.view(), args);
      memory_->download(place_[6], end, sizeof end);  // waits
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return 4 * pi<double> / 3 * std::pow(cells_.cutoff, 3) * points * double(points) / best / 1e9;
  }

 private:
  static Cells cells(int neighbours) {
    Cells c;
    c.cutoff = std::cbrt(3.0 * neighbours / (4 * pi<double> * points));
    for (int d = 0; d < 3; ++d) {
      c.edge[d] = c.face[d] = 1;
      c.count[d] = int((d < 2 ? 2 : 4) / c.cutoff);
      c.blocks[d] = 1;
    }
    return c;
  }
  template <class V>
  void add(V const& numbers) {
    bytes_.resize((bytes_.size() + 255) / 256 * 256);
    place_.push_back(bytes_.size());
    size_.push_back(numbers.size() * sizeof(numbers[0]));
    auto const* const begin = reinterpret_cast<char const*>(numbers.data());
    bytes_.insert(bytes_.end(), begin, begin + size_.back());
  }

  Cells cells_;
  std::vector<char> bytes_;
  std::vector<std::size_t> place_, size_;
  std::unique_ptr<DeviceMemory> memory_;
};

template <class K>
void print_rates(char const* kernel) {
  for (int neighbours : {100, 200, 500}) {
    GpuBlock<K> block(neighbours);
    double const in_double = block.template rate<double>(
                     [](Buffers const&b, P2PArgs const&args) { P2P<double, K>::gpu(b, args, nullptr); }),
                 in_single = block.template rate<float>(
                     [](Buffers const&b, P2PArgs const&args) { P2P<double, K, float>::gpu(b, args, nullptr); });
    std::printf("%-18s %10d %10.1f %10.1f\n", kernel, neighbours, in_double, in_single);
  }
}

template <class A>
void print_variants(GpuBlock<Stokes>& block, int neighbours) {
  for (P2PVariant const& v : p2p_variants<A>())
    std::printf("%s %10d %6d %8d %9d %10.1f\n", sizeof(A) == 8 ? "double" : "single", neighbours, v.tile, v.at_once,
                v.resident, block.rate<A>(v.launch));
}

}  // namespace

TEST_CASE("time of p2p: kernels and neighbours" * doctest::skip()) {
  std::printf("p2p of %d points, G pairs/s\n%-18s %10s %10s %10s\n", GpuBlock<Laplace>::points, "kernel", "neighbours",
              "double", "single");
  print_rates<Stokes>("stokes");
  print_rates<Stokeslet>("stokeslet");
  print_rates<Stresslet>("stresslet");
  print_rates<LaplaceGradient>("laplace gradient");
  print_rates<Laplace>("laplace");
}

TEST_CASE("time of p2p: shapes of the program, combined Stokes" * doctest::skip()) {
  std::printf("pairs in neighbours   tile  at once  resident  G pairs/s\n");
  for (int neighbours : {100, 200, 500}) {
    GpuBlock<Stokes> block(neighbours);
    print_variants<double>(block, neighbours);
    print_variants<float>(block, neighbours);
  }
}
