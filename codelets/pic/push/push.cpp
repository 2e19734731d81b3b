// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/push/push.hpp"

#include "codelets/common/names.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <string>

namespace nearfar {

namespace {

/// A particle of a block, out of its arrays.
template <class T>
struct Particle {
  T x[3], v[3], field[3];

  Particle(T const* phase, T const* fields, std::int64_t count, std::int64_t i) {
    for (int d = 0; d < 3; ++d) {
      x[d] = phase[d * count + i];
      v[d] = phase[(3 + d) * count + i];
      field[d] = fields[d * count + i];
    }
  }
};

void expect_step(std::int64_t taken, std::int64_t step) {
  if (taken == step) return;
  throw Error(Fault::bad_input, "a solve before has failed, and said why (some particles are not at step " +
                                    std::to_string(step) + "); begin again from where the state is known");
}

/// Where a particle would have gone.
template <class T>
Error too_far(PushArgs const& args, Particle<T> p, std::int64_t i) {
  Mover<T> const mover(args.motion);
  mover.accelerate(p.x, p.field, p.v);
  mover.rotate(p.v);
  mover.drift(p.x, p.v);
  int d = 2;
  for (int e = 1; e >= 0; --e)
    if (double const edge = args.motion.edge[e]; !(p.x[e] > -edge && p.x[e] < 2 * edge)) d = e;
  return Error(Fault::bad_input, "particle " + std::to_string(args.first + i) + " moves to " + "xyz"[d] + " = " +
                                     std::to_string(p.x[d]) + " in step " + std::to_string(args.step) +
                                     " (farther than the box is long, at a velocity of " + std::to_string(p.v[d]) +
                                     "); take a smaller time step");
}

}  // namespace

template <class T>
char const* Push<T>::symbol() {
  static std::string const s = "nearfar_push" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void Push<T>::portable(Buffers const& b, Args const& args) {
  expect_step(*b.get<std::int64_t const>(0), args.step - 1);
  std::int64_t const count = b.size<T>(2) / 6;
  T* const phase = b.get<T>(2);
  T const* const field = b.get<T const>(1);
  Mover<T> const mover(args.motion);
  // One that goes too far stays where it was: whatever is submitted already finds all particles in the box.
  std::int64_t lost = count;
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) {
    Particle<T> p(phase, field, count, i);
    bool const inside = mover.push(p.field, p.x, p.v);
    lost = inside ? lost : std::min(lost, i);
    for (int d = 0; d < 3; ++d) {
      phase[d * count + i] = inside ? p.x[d] : phase[d * count + i];
      phase[(3 + d) * count + i] = inside ? p.v[d] : phase[(3 + d) * count + i];
    }
  }
  if (lost < count) throw too_far(args, Particle<T>(phase, field, count, lost), lost);
}

template <class T>
char const* Kick<T>::symbol() {
  static std::string const s = "nearfar_kick" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void Kick<T>::portable(Buffers const& b, Args const& args) {
  *b.get<std::int64_t>(2) = args.step;
  if (args.begins) return;
  std::int64_t const count = b.size<T>(1) / 6;
  T* const phase = b.get<T>(1);
  T const* const field = b.get<T const>(0);
  Mover<T> const mover(args.motion);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) {
    Particle<T> p(phase, field, count, i);
    mover.kick(p.field, p.x, p.v);
    for (int d = 0; d < 3; ++d) phase[(3 + d) * count + i] = p.v[d];
  }
}

char const* Clock::symbol() { return "nearfar_clock"; }

void Clock::portable(Buffers const& b, Args const& args) {
  for (int block = 0; block < b.count(0); ++block) expect_step(*b.get<std::int64_t const>(0, block), args.step);
}

template struct Push<double>;
template struct Push<float>;
template struct Kick<double>;
template struct Kick<float>;

}  // namespace nearfar
