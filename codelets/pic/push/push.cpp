// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/push/push.hpp"

#include "codelets/pic/push/push_body.hpp"
#include "core/math/reject.hpp"

#include <algorithm>
#include <string>

namespace nearfar {

namespace {

void expect_step(std::int64_t taken, std::int64_t step) {
  if (taken != step) throw not_at_step(step);
}

}  // namespace

Error not_at_step(std::int64_t step) {
  return Error(Fault::bad_input, "a solve before has failed, and said why (some particles are not at step " +
                                     std::to_string(step) + "); begin again from where the state is known");
}

Error too_far(PushArgs const& args, LostParticle const& lost) {
  return Error(
      Fault::bad_input,
      in_words("particle ", args.first + lost.particle, " moves to ", "xyz"[lost.axis], " = ", lost.x, " in step ",
               args.step, " (farther than the box is long, at a velocity of ", lost.v, "); take a smaller time step"));
}

template <class T>
void Push<T>::portable(Buffers const& b, Args const& args) {
  expect_step(*b.get<std::int64_t const>(0), args.step - 1);
  std::int64_t const count = b.size<T>(2) / 6;
  PushBody<T> const body{Mover<T>(args.motion), b.get<T const>(1), b.get<T>(2), count};
  std::int64_t lost = count;
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) {
    bool const inside = body.push(i);
    lost = inside ? lost : std::min(lost, i);
  }
  if (lost < count) throw too_far(args, body.lost(args.motion, lost));
}

template <class T>
void Kick<T>::portable(Buffers const& b, Args const& args) {
  *b.get<std::int64_t>(2) = args.step;
  if (args.begins) return;
  std::int64_t const count = b.size<T>(1) / 6;
  PushBody<T> const body{Mover<T>(args.motion), b.get<T const>(0), b.get<T>(1), count};
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) body.kick(i);
}

void Clock::portable(Buffers const& b, Args const& args) {
  for (int block = 0; block < b.count(0); ++block) expect_step(*b.get<std::int64_t const>(0, block), args.step);
}

template struct Push<double>;
template struct Push<float>;
template struct Kick<double>;
template struct Kick<float>;

}  // namespace nearfar
