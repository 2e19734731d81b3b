// SPDX-License-Identifier: BSD-3-Clause
// Trees that GPUs make of points that move (here by tasks of CPUs): in the data of trees that are gone, with the same
// content as in new data.
#include "tasks/fmm/gpu/gpu_tree.hpp"
#include "tasks/points/spare_rooms.hpp"
#include "tests/tasks/motion.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

using namespace nearfar;
using namespace nearfar::detail;

namespace {

using Content = std::vector<std::vector<char>>;

/// A tree whose boxes all have points, so that trees of other points have tables of the same sizes.
struct TreeOfPoints {
  MadeOnGpu<double> made;

  TreeOfPoints(std::shared_ptr<RuntimeState> const& runtime, std::vector<double> const& x,
               std::shared_ptr<KeptRoom> room)
      : made(make(runtime, x, std::move(room))) {}

  static MadeOnGpu<double> make(std::shared_ptr<RuntimeState> const& runtime, std::vector<double> const& x,
                                std::shared_ptr<KeptRoom> room) {
    FmmOptions const options{.tolerance = 1e-3};
    FmmRoot const root{.centre = {0.5, 0.5, 0.5}, .half = 0.51};
    GpuTree<double> tree(runtime, x, {}, std::move(room));
    PointsInRoot<double> const points(options, root, x, "source");
    tree.sort({points, points}, 16, 3);
    TreeShape shape = points.shape();
    shape.centre = root.centre;
    shape.depth = 3;
    shape.separation = 1;
    return tree.make(shape, 5, {points, points});
  }

  std::vector<Handle> handles() const {
    std::vector<Handle> all;
    for (int b = 0; b < made.points[0].blocks(); ++b)
      if (made.points[0].groups(b) > 0)
        for (Handle const handle : made.points[0].handles(b)) all.push_back(handle);
    for (GpuBlock const& block : made.tables.blocks)
      for (Data const* const data :
           {&block.source_leaves, &block.m2m, &block.l2l, &block.m2l, &block.p2p, &block.m2p, &block.p2l})
        if (*data != nullptr) all.push_back(*data);
    return all;
  }

  Content content() const {
    Content all;
    for (Handle const handle : handles()) {
      auto const* const bytes = static_cast<char const*>(acquire_on_host(handle));
      all.emplace_back(bytes, bytes + starpu_data_get_size(handle));
      release_on_host(handle);
      CHECK(is_constant(handle));
    }
    return all;
  }
};

}  // namespace

TEST_CASE("trees of points that move are in two rooms in turn, with what trees in new data have") {
  Runtime const owner({.gpus = 0});
  auto const runtime = owner.shared();
  constexpr std::size_t count = 20000;
  SpareRooms rooms;
  std::optional<TreeOfPoints> last;
  std::vector<std::vector<Handle>> handles;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    auto const x = test::inside_unit_box(count, 0, seed).x;
    TreeOfPoints moved(runtime, x, rooms.take(count));
    handles.push_back(moved.handles());
    CHECK(moved.content() == TreeOfPoints(runtime, x, nullptr).content());
    last.emplace(std::move(moved));
  }
  CHECK(handles[0] != handles[1]);
  CHECK(handles[2] == handles[0]);
  CHECK(handles[3] == handles[1]);
}
