// SPDX-License-Identifier: BSD-3-Clause
#include "cli/pic/pic_loop.hpp"

#include "cli/commands/solves/run_outputs.hpp"
#include "cli/io/grids/grid_file.hpp"
#include "cli/io/particles/particles.hpp"
#include "cli/text.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>

namespace nearfar::cli {

namespace {

constexpr std::size_t max_pending = 4;
constexpr std::int64_t steps_at_once = 4;  // per solve, whose tasks all stay in memory until it has ended
constexpr std::int64_t rows = 100;

template <class T>
std::vector<double> as_double(std::vector<T> const& values) {
  return {values.begin(), values.end()};
}

/// Adds the work of one solve. Seconds and idle times are not added: they are measured for the whole loop.
void add(SolveReport& all, SolveReport const& one) {
  all.submit_seconds += one.submit_seconds;
  all.tasks += one.tasks;
  all.workers = one.workers;
  all.ranks = one.ranks;
  all.sent_bytes += one.sent_bytes;
  for (auto const& stage : one.stages) {
    auto sum = std::ranges::find(all.stages, stage.stage, &StageTime::stage);
    if (sum == all.stages.end()) sum = all.stages.insert(sum, StageTime{.stage = stage.stage});
    sum->tasks += stage.tasks;
    sum->seconds += stage.seconds;
    sum->flops += stage.flops;
  }
}

/// Makes the loop from a state. Errors in it name the file that it came from.
template <class T>
BasicPic<T> make_loop(Runtime const& runtime, PicStart const& s, std::string const& file) {
  std::vector<T> store[3];
  try {
    return BasicPic<T>(runtime, s.options, converted<T>(s.positions, store[0]), converted<T>(s.velocities, store[1]),
                       converted<T>(s.charges, store[2]), s.step);
  } catch (Error const& error) {
    if (file.empty()) throw;
    throw Error{error.fault(), file + ": " + error.what()};
  }
}

}  // namespace

template <class T>
PicLoop<T>::PicLoop(Runtime const& runtime, PicSettings const& settings, PicStart start, OutputFiles& outputs,
                    Progress& progress)
    : runtime_(runtime), settings_(settings), first_(runtime.rank() == 0), start_(std::move(start)), outputs_(outputs),
      progress_(progress), pic_(make_loop<T>(runtime, start_, settings.files.sources)),
      end_(start_.step + settings.steps),
      every_(settings.every > 0 ? settings.every : std::max<std::int64_t>(1, settings.steps / rows)) {
  start_.positions = {};
  start_.velocities = {};
  history_.first_step = start_.step;
  history_.last_step = end_;
  history_.charge = double(std::accumulate(start_.charges.begin(), start_.charges.end(), 0.0L));
}

template <class T>
PicHistory PicLoop<T>::run() {
  auto const begin = std::chrono::steady_clock::now();
  std::int64_t step = start_.step;
  submit_due(step);
  while (step < end_) {
    auto const steps = std::min({next_due(step) - step, steps_at_once, end_ - step});
    submit_steps(static_cast<int>(steps));
    step += steps;
    submit_due(step);
    while (pending_.size() > max_pending) finish_first();
  }
  while (!pending_.empty()) finish_first();
  auto& all = history_.all;
  all.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  double busy = 0;
  for (auto const& stage : all.stages) busy += stage.seconds;
  all.idle_fraction = std::max(0.0, 1 - busy / (all.seconds * all.workers));
  return std::move(history_);
}

template <class T>
std::int64_t PicLoop<T>::next_due(std::int64_t step) const {
  auto next = std::min(end_, start_.step + ((step - start_.step) / every_ + 1) * every_);
  for (auto const at : settings_.at)
    if (at > step) next = std::min(next, at);
  if (auto const k = settings_.checkpoint_every; k > 0) next = std::min(next, (step / k + 1) * k);
  return next;
}

template <class T>
bool PicLoop<T>::wants_picture(std::int64_t step) const {
  if (settings_.density.empty()) return false;
  if (settings_.at.empty()) return step == start_.step || step == end_;
  return std::ranges::find(settings_.at, step) != settings_.at.end();
}

template <class T>
bool PicLoop<T>::wants_checkpoint(std::int64_t step) const {
  if (settings_.checkpoint.empty()) return false;
  return step == end_ ||
         (settings_.checkpoint_every > 0 && step > start_.step && step % settings_.checkpoint_every == 0);
}

template <class T>
void PicLoop<T>::submit_due(std::int64_t step) {
  if ((step - start_.step) % every_ == 0 || step == end_) submit_totals(step);
  if (wants_picture(step)) submit_picture(step);
  if (wants_checkpoint(step)) submit_checkpoint(step);
}

template <class T>
void PicLoop<T>::submit_steps(int steps) {
  auto const from = pic_.step();
  auto& pending = pending_.emplace_back(Pending{from + steps, [] {}, pic_.advance(steps)});
  if (from == start_.step && !settings_.files.dag.empty())
    on_first(runtime_, [&] { write_dag(outputs_, settings_.files.dag, pending.solve); });
}

template <class T>
void PicLoop<T>::submit_totals(std::int64_t step) {
  auto& row = history_.rows.emplace_back(PicHistory::Row{step, {}});
  pending_.push_back({step, [] {}, pic_.read({.totals = first_ ? &row.totals : nullptr})});
}

template <class T>
void PicLoop<T>::submit_picture(std::int64_t step) {
  PicOptions const& o = start_.options;
  auto const cells = std::size_t(o.grid[0]) * std::size_t(o.grid[1]) * std::size_t(o.grid[2]);
  auto const density = std::make_shared<std::vector<T>>(first_ ? cells : 0);
  auto const write = [this, density, path = name_at(settings_.density, step)] {
    PicOptions const& options = start_.options;
    std::array<double, 3> spacing{};
    for (std::size_t d = 0; d < 3; ++d) spacing[d] = options.box[d] / options.grid[d];
    auto const values = as_double(*density);
    GridFields const fields{options.grid, spacing, {{"density", 1, values}}};
    outputs_.write_now(path, [&](std::string const& file) { write_grid_file(file, path, fields); });
  };
  pending_.push_back({step, write, pic_.read({.density = *density})});
}

template <class T>
void PicLoop<T>::submit_checkpoint(std::int64_t step) {
  struct Copy {
    std::vector<T> positions, velocities;
  };
  auto const copy =
      std::make_shared<Copy>(Copy{std::vector<T>(3 * pic_.particles()), std::vector<T>(3 * pic_.particles())});
  auto const write = [this, copy, step] {
    PicStart state{start_.options, start_.precision, step, as_double(copy->positions), as_double(copy->velocities),
                   start_.charges};
    outputs_.write_now(settings_.checkpoint,
                       [&](std::string const& file) { write_checkpoint(file, settings_.checkpoint, state); });
  };
  pending_.push_back({step, write, pic_.read({.positions = copy->positions, .velocities = copy->velocities})});
}

template <class T>
void PicLoop<T>::finish_first() {
  auto& first = pending_.front();
  first.solve.wait();
  on_first(runtime_, first.then);
  add(history_.all, first.solve.report());
  progress_.share(text("step %lld of %lld", static_cast<long long>(first.step), static_cast<long long>(end_)),
                  double(first.step - start_.step) / double(std::max<std::int64_t>(1, settings_.steps)));
  pending_.pop_front();
}

template class PicLoop<double>;
template class PicLoop<float>;

}  // namespace nearfar::cli
