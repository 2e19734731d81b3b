// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

namespace nearfar {

/// Kinds of work that differ in what limits them: the rows of the table of throughputs. Most are stages; points are
/// bin, reduce and merge; fft is ifft too; scale the columns there, multiplied, and back; shift m2m and l2l; evaluation
/// m2p and p2l.
enum class WorkRow { points, p2p, p2g, fft, scale, g2p, leaf_p2p, p2m, shift, m2l, l2p, evaluation };
inline constexpr std::array row_names{"points",   "p2p", "p2g",   "fft", "scale", "g2p",
                                      "leaf_p2p", "p2m", "shift", "m2l", "l2p",   "evaluation"};
inline constexpr auto all_rows = [] {
  std::array<WorkRow, row_names.size()> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = WorkRow(i);
  return rows;
}();
constexpr char const* name(WorkRow row) { return row_names[std::size_t(row)]; }

enum class WorkerKind { cpu, gpu };

/// One column of the table.
class Speeds {
 public:
  constexpr explicit Speeds(double all = 0) { value_.fill(all); }
  constexpr double& operator[](WorkRow row) { return value_[std::size_t(row)]; }
  constexpr double operator[](WorkRow row) const { return value_[std::size_t(row)]; }
  auto begin() { return value_.begin(); }
  auto end() { return value_.end(); }

 private:
  std::array<double, row_names.size()> value_{};
};

/// How fast the workers of a machine are, all that plans know of it: for each kind of work, the reference cores that
/// one worker is worth while all are busy. What work is to a reference core, in seconds, is written where its amount
/// is (core/plan/ewald/work.cpp, core/plan/fmm/costs.cpp). A plan depends on the ratios of these numbers alone.
///
/// What is here are the defaults for machines that were not measured, in double precision: a reference core is one of
/// 16 of a Xeon with AVX-512; the GPU is an H200, measured by `nearfar tune`.
struct Throughputs {
  Speeds cpu{1};
  Speeds gpu = [] {
    Speeds c;  // 0: no body there
    c[WorkRow::points] = 35;
    c[WorkRow::p2p] = 190;
    c[WorkRow::p2g] = 415;
    c[WorkRow::fft] = 139;
    c[WorkRow::scale] = 130;
    c[WorkRow::g2p] = 106;
    c[WorkRow::leaf_p2p] = 237;
    c[WorkRow::p2m] = 29;
    c[WorkRow::shift] = 12;
    c[WorkRow::m2l] = 65;
    c[WorkRow::l2p] = 125;
    return c;
  }();

  Speeds& of(WorkerKind kind) { return kind == WorkerKind::cpu ? cpu : gpu; }
  Speeds const& of(WorkerKind kind) const { return kind == WorkerKind::cpu ? cpu : gpu; }
};

/// The defaults for one precision. Single by double precision: on the GPU those of the same solves, where P2G gains
/// nothing, transforms nearly a factor of two; on CPUs what `nearfar tune` measures with AVX2 and AVX-512 alike, a
/// window's vectors being twice as long for P2G and G2P.
template <class T>
Throughputs default_throughputs() {
  Throughputs t;
  if (sizeof(T) == sizeof(double)) return t;
  for (WorkRow row : {WorkRow::leaf_p2p, WorkRow::p2m, WorkRow::shift, WorkRow::m2l, WorkRow::l2p, WorkRow::evaluation})
    t.cpu[row] = 2;
  t.cpu[WorkRow::points] = 1.3;
  t.cpu[WorkRow::p2p] = 1.25;
  t.cpu[WorkRow::p2g] = 1.75;
  t.cpu[WorkRow::fft] = 1.25;
  t.cpu[WorkRow::scale] = 1.2;
  t.cpu[WorkRow::g2p] = 1.7;
  t.gpu[WorkRow::points] = 61;
  t.gpu[WorkRow::p2p] = 244;
  t.gpu[WorkRow::p2g] = 415;
  t.gpu[WorkRow::fft] = 250;
  t.gpu[WorkRow::scale] = 187;
  t.gpu[WorkRow::g2p] = 159;
  t.gpu[WorkRow::leaf_p2p] = 325;
  t.gpu[WorkRow::p2m] = 33;
  t.gpu[WorkRow::shift] = 11;
  t.gpu[WorkRow::m2l] = 71;
  t.gpu[WorkRow::l2p] = 118;
  return t;
}

}  // namespace nearfar
