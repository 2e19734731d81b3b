// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/fmm/translate/dense_gpu.hpp"
#include "codelets/fmm/translate/target_gpu.hpp"
#include "codelets/fmm/translate/translate_gpu.hpp"

#include <type_traits>

namespace nearfar {

namespace {

constexpr std::size_t max_bytes = std::size_t(1) << 30;  // of work space
constexpr std::int64_t least_dense = 4000;               // interactions that justify building whole matrices
constexpr int least_targets = 4096;                      // that have enough threads for a GPU

/// Calls f(team) with the team type for an order: the lower the order, the fewer registers it needs. Matrices go
/// through shared memory where it has room.
template <class T, class F>
void with_team(int order, F const& f) {
  constexpr int orders[] = {9, 15, 20, max_fmm_order};
  if (order <= orders[0]) f(std::type_identity<ShiftTeam<T, orders[0], true>>());
  else if (order <= orders[1]) f(std::type_identity<ShiftTeam<T, orders[1], true>>());
  else if (order <= orders[2] && gpu_shared_room() >= (100 << 10))
    f(std::type_identity<ShiftTeam<T, orders[2], true>>());
  else f(std::type_identity<ShiftTeam<T, orders[3], false>>());
}

}  // namespace

template <class T>
TranslateQueue<T>::TranslateQueue(TranslateLaunch<T> const& launch, int separation, std::int64_t interactions,
                                  void* stream)
    : launch_{launch, separation}, stream_(stream) {
  DenseLayout const layout = launch_.layout();
  bool const many = launch.shift == Shift::m2l && interactions >= least_dense;
  if (many && launch.targets() >= least_targets && shifts_by_targets<T>(launch.order)) {
    at_once_ = int(interactions);
    by_targets_ = TargetLaunch<T>{launch, separation};
    std::size_t const harmonics = std::size_t(by_targets_->numbers()) * sizeof(T);
    work_space_ = std::make_unique<GpuWorkSpace>(harmonics + notes_bytes(), stream, "translations");
    by_targets_->harmonics = reinterpret_cast<T*>(work_space_->data());
    by_targets_->base.note = reinterpret_cast<std::int32_t*>(work_space_->data() + harmonics);
    launch_harmonics(*by_targets_, stream);
    return;
  }
  if (many) lanes_ = dense_lanes<T>(launch.order);
  std::size_t const numbers = std::size_t(launch.rhs * (lanes_ > 0 ? layout.width() : launch.stride()));
  at_once_ = int(std::max<std::int64_t>(1, std::min(interactions, std::int64_t(max_bytes / (numbers * sizeof(T))))));
  std::size_t const shifted = std::size_t(at_once_) * numbers * sizeof(T),
                    matrices = lanes_ > 0 ? std::size_t(launch_.matrix_numbers()) * sizeof(T) : 0,
                    notes = notes_bytes();
  TranslateLaunch<T> all = launch;
  all.last = at_once_;
  std::size_t const pieces = lanes_ > 0 ? std::size_t(1 + all.max_pieces(lanes_)) * sizeof(DensePiece) : 0;
  work_space_ = std::make_unique<GpuWorkSpace>(shifted + matrices + notes + pieces, stream, "translations");
  launch_.base.shifted = reinterpret_cast<T*>(work_space_->data());
  launch_.matrices = reinterpret_cast<T*>(work_space_->data() + shifted);
  launch_.base.note = reinterpret_cast<std::int32_t*>(work_space_->data() + shifted + matrices);
  launch_.pieces = reinterpret_cast<DensePiece*>(work_space_->data() + shifted + matrices + notes);
  if (lanes_ > 0) launch_dense_matrices(launch_, stream);
}

template <class T>
TranslateQueue<T>::~TranslateQueue() = default;

template <class T>
std::size_t TranslateQueue<T>::notes_bytes() const {
  return std::size_t(launch_.base.targets()) * std::size_t(launch_.base.keys) * sizeof(std::int32_t);
}

template <class T>
void TranslateQueue<T>::shift(int first, int last, bool add, LaunchList<T const*> const& sources) {
  TranslateLaunch<T>& launch = by_targets_ ? by_targets_->base : launch_.base;
  launch.first = first;
  launch.last = last;
  launch.add = add;
  if (by_targets_) launch_target_shift(*by_targets_, sources, stream_);
  else if (lanes_ > 0) launch_dense_shift(launch_, sources, lanes_, stream_);
  else shift_by_turns(sources);
}

template <class T>
void TranslateQueue<T>::shift_by_turns(LaunchList<T const*> const& sources) {
  TranslateLaunch<T> const& launch = launch_.base;
  if (launch.last > launch.first)
    with_team<T>(launch.order, [&]<class Team>(std::type_identity<Team>) {
      // As many expansions side by side as there is room for. With many of them a thread handles several degrees or
      // orders, which evens out the work of the threads.
      int lanes = Team::threads / 4;
      using Program = TranslateTeam<Team, T>;
      auto const bytes = [&] { return std::size_t(Program::memory_size(launch.order, lanes)); };
      while (bytes() > gpu_shared_room()) lanes /= 2;
      gpu_run_teams<Program, void>(launch.max_pieces(lanes), bytes(), stream_, GpuArguments{launch, sources, lanes},
                                   "translates expansions");
    });
  using Gather = GatherTeam<T>;
  gpu_run_teams<Gather, void>(launch.targets(), std::size_t(Gather::memory_size(launch.keys)), stream_,
                              GpuArguments{launch}, "adds translated expansions");
}

template class TranslateQueue<double>;
template class TranslateQueue<float>;

}  // namespace nearfar
