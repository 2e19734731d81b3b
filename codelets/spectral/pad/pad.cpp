// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/pad/pad.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"

#include <nearfar/error.hpp>

#include <cmath>
#include <string>

namespace nearfar {

namespace {

/// From our cells to the caller's.
class CallersCells {
 public:
  explicit CallersCells(PoissonGrid const& g) : grid_(g) {
    for (std::size_t d = 0; d < 3; ++d) own_[d] = g.size[d] / (int(d) == g.mirrored ? 2 : 1);
    auto const users = outside(g.axes, own_);
    for (std::size_t d = 0; d < 3; ++d) {
      stride_[d] = 1;
      for (auto later = std::size_t(g.axes[d]) + 1; later < 3; ++later) stride_[d] *= users[later];
    }
  }

  /// Of our cell i along axis d, a cell of the mirror image being that of which it is one.
  struct Cell {
    std::int64_t at;  ///< its part of the place in the caller's array
    bool image;
  };
  Cell operator()(int d, int i) const {
    auto const axis = std::size_t(d);
    if (d != grid_.mirrored) return {i * stride_[axis], false};
    int const n = own_[axis];
    bool const image = grid_.mirror_below ? i < n : i >= n;
    int const real = grid_.mirror_below ? i - n : i;
    return {(image ? (grid_.mirror_below ? n - 1 - i : 2 * n - 1 - i) : real) * stride_[axis], image};
  }

  /// "(1, 2, 3)" of a place in the caller's array.
  std::string name(std::int64_t at) const {
    auto const users = outside(grid_.axes, own_);
    return "(" + std::to_string(at / users[2] / users[1]) + ", " + std::to_string(at / users[2] % users[1]) + ", " +
           std::to_string(at % users[2]) + ")";
  }

 private:
  PoissonGrid const& grid_;
  std::array<int, 3> own_{};
  std::array<std::int64_t, 3> stride_{};
};

}  // namespace

template <class T>
char const* Pad<T>::symbol() {
  static std::string const s = "nearfar_pad" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void Pad<T>::portable(Buffers const& b, Args const& args) {
  SpectralLayout const& l = args.layout;
  CallersCells const cells(args.grid);
  auto const* const density = b.get<T const>(0);
  int const first = l.first_plane(args.slab);
  portable_for(l.planes(args.slab) * l.size[1], [&](int row) {
    auto const x = cells(0, first + row / l.size[1]), y = cells(1, row % l.size[1]);
    T* const to = b.get<T>(1) + (row / l.size[1]) * l.plane_size() + (row % l.size[1]) * std::int64_t(l.row_length);
    for (int i = 0; i < l.size[2]; ++i) {
      auto const z = cells(2, i);
      T const value = density[x.at + y.at + z.at];
      if (!std::isfinite(value))
        throw Error(Fault::bad_input, "the density is " + std::to_string(value) + " in cell " +
                                          cells.name(x.at + y.at + z.at) +
                                          " (the whole potential would not be a number); all must be finite");
      to[i] = x.image || y.image || z.image ? -value : value;
    }
  });
}

template <class T>
char const* Restrict<T>::symbol() {
  static std::string const s = "nearfar_restrict" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void Restrict<T>::portable(Buffers const& b, Args const& args) {
  SpectralLayout const& l = args.layout;
  CallersCells const cells(args.grid);
  T* const out = b.get<T>(1);
  int const first = l.first_plane(args.slab), planes = l.planes(args.slab);
  for (int m = 0; m < args.components; ++m) {
    int const column = args.components == 3 ? args.grid.axes[std::size_t(m)] : m;
    portable_for(planes * l.size[1], [&](int row) {
      auto const x = cells(0, first + row / l.size[1]), y = cells(1, row % l.size[1]);
      if (x.image || y.image) return;
      T const* const from = b.get<T const>(0) +
                            (std::int64_t(args.first + m) * planes + row / l.size[1]) * l.plane_size() +
                            (row % l.size[1]) * std::int64_t(l.row_length);
      for (int i = 0; i < l.size[2]; ++i)
        if (auto const z = cells(2, i); !z.image) out[(x.at + y.at + z.at) * args.components + column] = from[i];
    });
  }
}

template struct Pad<double>;
template struct Pad<float>;
template struct Restrict<double>;
template struct Restrict<float>;

}  // namespace nearfar
