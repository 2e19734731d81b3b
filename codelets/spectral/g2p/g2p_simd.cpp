// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/g2p/g2p_simd.hpp"

#include "codelets/spectral/window_simd.hpp"
#include "core/kernels/kernels.hpp"

#include <type_traits>

namespace nearfar {

namespace {

/// Targets whose windows are computed together. Then one component after the other is gathered: the nodes that a few
/// targets read of one component stay in the L1 cache, those of all components would not.
constexpr int together = 16;

/// Not inlined: it has many divisions, which are better kept out of the loops over windows.
template <class T>
[[gnu::noinline]] SlabView<T> slab_with(G2PBuffers<T> const& b, G2PArgs const& args, int plane) {
  return b.plane(args, plane);
}

/// The windows of one target, and where they lie.
template <int Numbers, bool Gradient, class V, class T>
struct Target {
  struct None {};
  using OfWindow = Windows<Row<V, Numbers>::vectors, V, T>;
  OfWindow value;
  [[no_unique_address]] std::conditional_t<Gradient, OfWindow, None> slope;
  std::int64_t corner;
  int first;
  SlabView<T> slab;  ///< where the first plane is

  /// `before`: a target that is likely to be near, or null.
  [[gnu::always_inline]] inline void set(G2PBuffers<T> const& b, G2PArgs const& args, Positions<T> position,
                                         Target const* before) {
    Grid const& g = args.grid;
    auto const x = footprint<T>(g, 0, position[0]);
    auto const y = footprint<T>(g, 1, position[b.stride]);
    auto const z = footprint<T>(g, 2, position[2 * b.stride]);
    T const s[3] = {x.s, y.s, z.s};
    value.set_values(*b.window, s);
    if constexpr (Gradient) slope.set_slopes(*b.window, s);
    first = x.first;
    int const plane = before == nullptr ? -1 : before->slab.plane + first - before->first;
    if (plane >= 0 && plane < before->slab.planes) slab = {before->slab.data, plane, before->slab.planes};
    else slab = slab_with(b, args, first);
    corner = std::int64_t(y.first) * g.layout.row_length + z.first;
  }
};

/// Calls body(ix, first, second) for each pair of planes, ix and ix + 1, of a target's window, with the first rows of
/// the window there: what is read of the windows serves two planes. If their number is odd, the last plane is passed
/// twice; the second time its weight is zero, since the window has ended.
template <int Numbers, bool Gradient, class V, class T, class Body>
[[gnu::always_inline]] inline void for_pairs_of_planes(G2PBuffers<T> const& b, G2PArgs const& args, int m,
                                                       Target<Numbers, Gradient, V, T> const& at, Body const& body) {
  Grid const& g = args.grid;
  auto slab = at.slab;
  auto const row = [&](int ix) {
    if (slab.plane == slab.planes) slab = slab_with(b, args, at.first + ix);
    return slab.data + (m * std::int64_t(slab.planes) + slab.plane++) * g.layout.plane_size() + at.corner;
  };
  for (int ix = 0; ix < g.window; ix += 2) {
    T const* const first = row(ix);
    body(ix, first, ix + 1 < g.window ? row(ix + 1) : first);
  }
}

/// Sums a component over x and y, plane by plane, so that the sums of several planes can overlap.
template <int Numbers, bool Gradient, class V, class T>
[[gnu::always_inline]] inline void gather(G2PBuffers<T> const& b, G2PArgs const& args, int m,
                                          Target<Numbers, Gradient, V, T> const& at, T* result) {
  int const length = args.grid.layout.row_length, window = args.grid.window;
  using OfWindow = Row<V, Numbers>;
  OfWindow sum = OfWindow::zero();
  for_pairs_of_planes(b, args, m, at, [&](int ix, T const* first, T const* second) {
    OfWindow one = OfWindow::zero(), other = one;
    for (int iy = 0; iy < window; ++iy, first += length, second += length) {
      one.add(at.value.at[1][iy], OfWindow::load(first));
      other.add(at.value.at[1][iy], OfWindow::load(second));
    }
    sum.add(at.value.at[0][ix], one);
    sum.add(at.value.at[0][ix + 1], other);
  });
  *result = sum.dot(at.value.at[2]);
}

/// Whether registers hold so many sums in each of two planes, a row of each, and the weights. Then both rows are loaded
/// before either is used, since weights are loaded again after each load_once.
template <class OfWindow, int Sums>
constexpr bool fit_registers() {
  constexpr int bytes = OfWindow::lanes * int(sizeof(typename OfWindow::T)), registers = bytes == 64 ? 32 : 16;
  return (2 * Sums + 2) * OfWindow::vectors + Sums <= registers;
}

/// The sums over y in one plane: with the window, and with its slope.
template <class OfWindow>
struct PlaneSums {
  OfWindow values = OfWindow::zero(), slopes = OfWindow::zero();

  template <class At>
  [[gnu::always_inline]] inline void add(At const& at, int iy, OfWindow const& row) {
    values.add(at.value.at[1][iy], row);
    slopes.add(at.slope.at[1][iy], row);
  }
};

/// The same with its gradient, by the slopes of the window. These are derivatives with respect to the grid point; those
/// with respect to the target have the opposite sign.
template <int Numbers, class V, class T>
[[gnu::always_inline]] inline void gather_with_slopes(G2PBuffers<T> const& b, G2PArgs const& args, int m,
                                                      Target<Numbers, true, V, T> const& at, T* result, T* slopes) {
  Grid const& g = args.grid;
  int const length = g.layout.row_length;
  using OfWindow = Row<V, Numbers>;
  OfWindow sum[3] = {OfWindow::zero(), OfWindow::zero(), OfWindow::zero()};  // wx wy, wx' wy, wx wy'
  for_pairs_of_planes(b, args, m, at, [&](int ix, T const* first, T const* second) {
    PlaneSums<OfWindow> one, other;
    for (int iy = 0; iy < g.window; ++iy, first += length, second += length) {
      if constexpr (fit_registers<OfWindow, 2>()) {
        OfWindow const here = OfWindow::load_once(first), there = OfWindow::load_once(second);
        one.add(at, iy, here);
        other.add(at, iy, there);
      } else {
        one.add(at, iy, OfWindow::load_once(first));
        other.add(at, iy, OfWindow::load_once(second));
      }
    }
    auto const add = [&](int i, PlaneSums<OfWindow> const& plane) {
      sum[0].add(at.value.at[0][i], plane.values);
      sum[1].add(at.slope.at[0][i], plane.values);
      sum[2].add(at.value.at[0][i], plane.slopes);
    };
    add(ix, one);
    add(ix + 1, other);
  });
  *result = sum[0].dot(at.value.at[2]);
  slopes[0] = -T(g.layout.scale(0)) * sum[1].dot(at.value.at[2]);
  slopes[b.result_stride] = -T(g.layout.scale(1)) * sum[2].dot(at.value.at[2]);
  slopes[2 * b.result_stride] = -T(g.layout.scale(2)) * sum[0].dot(at.slope.at[2]);
}

/// Also with the second slopes of the window.
template <int Numbers, class V, class T>
struct TargetWithSeconds : Target<Numbers, true, V, T> {
  typename Target<Numbers, true, V, T>::OfWindow second;

  [[gnu::always_inline]] inline void set(G2PBuffers<T> const& b, G2PArgs const& args, Positions<T> position,
                                         TargetWithSeconds const* before) {
    Target<Numbers, true, V, T>::set(b, args, position, before);
    T s[3];
    for (int d = 0; d < 3; ++d) s[d] = footprint<T>(args.grid, d, position[d * b.stride]).s;
    second.set_seconds(*b.window, s);
  }
};

/// The sums over y in one plane: also with the second slope of the window.
template <class OfWindow>
struct CurvedSums {
  OfWindow values = OfWindow::zero(), slopes = OfWindow::zero(), seconds = OfWindow::zero();

  template <class At>
  [[gnu::always_inline]] inline void add(At const& at, int iy, OfWindow const& row) {
    values.add(at.value.at[1][iy], row);
    slopes.add(at.slope.at[1][iy], row);
    seconds.add(at.second.at[1][iy], row);
  }
};

/// A potential with its gradient and Hessian.
template <int Numbers, class V, class T>
[[gnu::always_inline]] inline void gather_hessian(G2PBuffers<T> const& b, G2PArgs const& args,
                                                  TargetWithSeconds<Numbers, V, T> const& at, T* result) {
  Grid const& g = args.grid;
  int const length = g.layout.row_length;
  using OfWindow = Row<V, Numbers>;
  OfWindow sum[6];  // wx wy, wx' wy, wx wy', wx'' wy, wx' wy', wx wy''
  for (OfWindow& s : sum) s = OfWindow::zero();
  for_pairs_of_planes<Numbers, true>(b, args, 0, at, [&](int ix, T const* first, T const* second) {
    auto const add = [&](int i, CurvedSums<OfWindow> const& plane) {
      sum[0].add(at.value.at[0][i], plane.values);
      sum[1].add(at.slope.at[0][i], plane.values);
      sum[2].add(at.value.at[0][i], plane.slopes);
      sum[3].add(at.second.at[0][i], plane.values);
      sum[4].add(at.slope.at[0][i], plane.slopes);
      sum[5].add(at.value.at[0][i], plane.seconds);
    };
    if constexpr (fit_registers<OfWindow, 3>()) {
      CurvedSums<OfWindow> one, other;
      for (int iy = 0; iy < g.window; ++iy, first += length, second += length) {
        OfWindow const here = OfWindow::load_once(first), there = OfWindow::load_once(second);
        one.add(at, iy, here);
        other.add(at, iy, there);
      }
      add(ix, one);
      add(ix + 1, other);
    } else {
      auto const alone = [&](int i, T const* row) {
        CurvedSums<OfWindow> plane;
        for (int iy = 0; iy < g.window; ++iy, row += length) plane.add(at, iy, OfWindow::load_once(row));
        add(i, plane);
      };
      alone(ix, first);
      alone(ix + 1, second);
    }
  });
  T const x = T(g.layout.scale(0)), y = T(g.layout.scale(1)), z = T(g.layout.scale(2));
  T const *const value = at.value.at[2], *const slope = at.slope.at[2];
  T const numbers[10] = {sum[0].dot(value),         -x * sum[1].dot(value),
                         -y * sum[2].dot(value),    -z * sum[0].dot(slope),
                         x * x * sum[3].dot(value), x * y * sum[4].dot(value),
                         x * z * sum[1].dot(slope), y * y * sum[5].dot(value),
                         y * z * sum[2].dot(slope), z * z * sum[0].dot(at.second.at[2])};
  for (int m = 0; m < 10; ++m) result[m * b.result_stride] = numbers[m];
}

template <class V, int Numbers, class Gather, class T>
void gather_points(G2PBuffers<T> const& b, G2PArgs const& args) {
  std::conditional_t<Gather::seconds, TargetWithSeconds<Numbers, V, T>, Target<Numbers, Gather::slopes, V, T>>
      targets[together];
  for (int first = 0; first < args.chunk.count(); first += together) {
    int const count = args.chunk.count() - first < together ? args.chunk.count() - first : together;
    for (int i = 0; i < count; ++i) targets[i].set(b, args, b.position + first + i, i > 0 ? &targets[i - 1] : nullptr);
    if constexpr (Gather::seconds) {
      for (int i = 0; i < count; ++i) gather_hessian(b, args, targets[i], b.result + first + i);
      continue;
    }
    for (int m = 0; m < Gather::components; ++m) {
      T* const result = b.result + m * b.result_stride + first;
      T* const slopes = b.result + Gather::slope(m, 0) * b.result_stride + first;
      for (int i = 0; i < count; ++i)
        if constexpr (Gather::slopes) {
          if (m < Gather::sloped) gather_with_slopes(b, args, m, targets[i], result + i, slopes + i);
          else gather(b, args, m, targets[i], result + i);
        } else {
          gather(b, args, m, targets[i], result + i);
        }
    }
  }
}

}  // namespace

template <class Tag, class T, class Gather>
void g2p_simd(G2PBuffers<T> const& b, G2PArgs const& args) {
  using V = Batch<T, Tag>;
  with_row<V>(args.grid.window, [&]<int Numbers>() { gather_points<V, Numbers, Gather>(b, args); });
}

#define NEARFAR_INSTANTIATE(T, Gather) \
  template void g2p_simd<NEARFAR_SIMD_TAG, T, Gather>(G2PBuffers<T> const&, G2PArgs const&);
NEARFAR_EACH_GATHER(NEARFAR_INSTANTIATE)

}  // namespace nearfar
