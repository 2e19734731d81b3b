// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/spectral/fft/column_plan.hpp"
#include "codelets/spectral/fft/small_dft.hpp"

#include <algorithm>

namespace nearfar {

/// Columns of complex numbers: where they come from, what happens to their modes, where they go.
/// - `in` and `out`: components, `forward` and `inverse`: which transforms;
/// - `count()` of columns, and `rows()` of the field, behind which there are zeros on the way there;
/// - `place(column)`, a Place, and `load(component, row, place)` and `store(component, row, place, value)`, where rows
///   are modes if there is no forward, or no inverse transform;
/// - where there are both, `modes(column)`, and `apply(modes, x, re, im)` on mode x of it, or -x.
template <class Columns>
struct ColumnLaunch {
  using T = typename Columns::Number;
  ColumnPlan<T> plan;
  int log_width = 0;  ///< 2^log_width columns for a team
  Columns columns;

  static constexpr int most = Columns::in > Columns::out ? Columns::in : Columns::out;
  /// Rows of a component in shared memory.
  NEARFAR_FUNCTION int room() const { return plan.length + plan.length / 8; }
  std::size_t bytes() const { return (sizeof(GpuComplex<T>) * std::size_t(most * room())) << log_width; }
  int teams() const { return (columns.count() + (1 << log_width) - 1) >> log_width; }
};

/// What the threads of a GPU block do for some adjacent columns: these are read once, transformed,
/// changed and transformed back in shared memory, and written once; padding and intermediate modes never
/// go to device memory. The inverse is the forward transform with real and imaginary parts swapped.
/// Stages are those of Cooley and Tukey, in place: decimation in frequency on the way there, which
/// leaves modes in an order of their own, and in time on the way back, which starts from that order.
template <class Columns>
struct ColumnTeam {
  using Launch = ColumnLaunch<Columns>;
  using T = typename Columns::Number;
  using Complex = GpuComplex<T>;
  using State = NoState;
  static constexpr int threads = 256, resident = 3, in = Columns::in, out = Columns::out, most = Launch::most;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, Launch const& launch, int block, Complex* memory) {
    Block<Team>{team, launch, launch.columns, launch.plan, memory, block << launch.log_width}.run();
  }

 private:
  struct Pass {
    typename ColumnPlan<T>::Stage const& stage;
    bool back, first, last;
  };

  template <class Team>
  struct Block {
    Team& team;
    Launch const& launch;
    Columns const& columns;
    ColumnPlan<T> const& plan;
    Complex* memory;
    int first;

    NEARFAR_FUNCTION void run() {
      int const stages = plan.stages, passes = (Columns::forward ? stages : 0) + (Columns::inverse ? stages : 0);
      for (int number = 0; number < passes; ++number) {
        bool const back = !Columns::forward || number >= stages;
        if constexpr (Columns::forward && Columns::inverse)
          if (number == stages) apply();
        Pass const pass{plan.stage[back ? passes - 1 - number : number], back, number == 0, number + 1 == passes};
        switch (pass.stage.radix) {
          case 2: transform<2>(pass); break;
          case 3: transform<3>(pass); break;
          case 4: transform<4>(pass); break;
          case 5: transform<5>(pass); break;
          case 6: transform<6>(pass); break;
          case 7: transform<7>(pass); break;
          case 8: transform<8>(pass); break;
          default: transform<9>(pass); break;
        }
      }
    }

    NEARFAR_FUNCTION int width() const { return 1 << launch.log_width; }
    /// One row is left empty after every eight: rows that are read at the same time are then in different banks.
    NEARFAR_FUNCTION Complex& at(int component, int row, int column) const {
      return memory[((component * launch.room() + row + (row >> 3)) << launch.log_width) + column];
    }
    NEARFAR_FUNCTION static Complex swapped(Complex v) { return {v.im, v.re}; }

    /// In the order of the first stage, or after the last one.
    NEARFAR_FUNCTION Complex load(int component, int row, typename Columns::Place const& place) const {
      if constexpr (!Columns::forward) return swapped(columns.load(component, plan.mode[row], place));
      else return row < columns.rows() ? columns.load(component, row, place) : Complex{T(0), T(0)};
    }
    NEARFAR_FUNCTION void store(int component, int row, typename Columns::Place const& place, Complex value) const {
      if constexpr (!Columns::inverse) columns.store(component, plan.mode[row], place, value);
      else if (row < columns.rows()) columns.store(component, row, place, swapped(value));
    }

    /// Modes x and -x share their numbers in a table.
    NEARFAR_FUNCTION void apply() {
      team.step([&](int t, NoState&) {
        int const own = t & (width() - 1), n = plan.length;
        if (first + own >= columns.count()) return;
        auto modes = columns.modes(first + own);
        for (int x = t >> launch.log_width; x <= n / 2; x += threads >> launch.log_width)
          for (int side = 0; side < (x == 0 || 2 * x == n ? 1 : 2); ++side) {
            int const place = plan.place[side == 0 ? x : n - x];
            T re[most], im[most];
            NEARFAR_DEVICE_UNROLL(4)
            for (int m = 0; m < in; ++m) {
              re[m] = at(m, place, own).re;
              im[m] = at(m, place, own).im;
            }
            columns.apply(modes, side == 0 ? x : -x, re, im);
            NEARFAR_DEVICE_UNROLL(4)
            for (int m = 0; m < out; ++m) at(m, place, own) = {im[m], re[m]};
          }
      });
    }

    /// One stage of all columns; the first loads them, the last stores them. The powers of
    /// a root are applied before the small transforms on the way back, else after them.
    template <int R>
    NEARFAR_FUNCTION void transform(Pass const& pass) {
      team.step([&](int t, NoState&) {
        auto const& stage = pass.stage;
        int const c = t & (width() - 1), column = first + c, step = threads >> launch.log_width,
                  transforms = plan.length / R, all = (pass.back ? out : in) * transforms;
        if (column >= columns.count()) return;
        typename Columns::Place place{};
        if (pass.first || pass.last) place = columns.place(column);
        for (int i = t >> launch.log_width; i < all; i += step) {
          int const m = quotient(i, stage.by_transforms), j = i - m * transforms, group = quotient(j, stage.by_span),
                    k = j - group * stage.span, row = group * stage.span * R + k;
          Complex v[R];
          if (pass.first) {
            NEARFAR_DEVICE_UNROLL(16)
            for (int r = 0; r < R; ++r) v[r] = load(m, row + r * stage.span, place);
          } else {
            NEARFAR_DEVICE_UNROLL(16)
            for (int r = 0; r < R; ++r) v[r] = at(m, row + r * stage.span, c);
          }
          bool const turns = stage.span > 1;
          Complex const root = turns ? plan.roots[k * stage.turn] : Complex{T(1), T(0)};
          if (pass.back && turns) turn<R>(v, root);
          small_dft<R>(v);
          if (!pass.back && turns) turn<R>(v, root);
          if (pass.last) {
            NEARFAR_DEVICE_UNROLL(16)
            for (int r = 0; r < R; ++r) store(m, row + r * stage.span, place, v[r]);
          } else {
            NEARFAR_DEVICE_UNROLL(16)
            for (int r = 0; r < R; ++r) at(m, row + r * stage.span, c) = v[r];
          }
        }
      });
    }

    /// Multiplies v_r by root^r.
    template <int R>
    NEARFAR_FUNCTION static void turn(Complex* v, Complex root) {
      Complex power[R];
      power[1] = root;
      v[1] = detail::product(v[1], root);
      NEARFAR_DEVICE_UNROLL(16)
      for (int r = 2; r < R; ++r) {
        power[r] = detail::product(power[r / 2], power[r - r / 2]);
        v[r] = detail::product(v[r], power[r]);
      }
    }
  };
};

/// Runs it for all columns; false if not even one fits. Teams take columns that
/// fill rows of 128 bytes, or fewer, so that three teams share a multiprocessor.
template <class Columns>
bool run_columns(ColumnLaunch<Columns>& launch, void* stream, char const* what) {
  using Complex = GpuComplex<typename Columns::Number>;
  launch.log_width = sizeof(Complex) == 16 ? 3 : 4;
  std::size_t const most_bytes = std::min<std::size_t>(gpu_shared_room(), 2 * gpu_shared_bytes / 3);
  while (launch.bytes() > most_bytes && launch.log_width > 0) --launch.log_width;
  if (launch.bytes() > gpu_shared_room()) return false;
  gpu_run_teams<ColumnTeam<Columns>, Complex>(launch.teams(), launch.bytes(), stream, launch, what);
  return true;
}

}  // namespace nearfar
