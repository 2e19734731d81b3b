// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/description.hpp"
#include "core/plan/constants.hpp"
#include "core/plan/machine.hpp"
#include "tasks/check/rounding_error.hpp"
#include "tasks/engine/chain/captured_chains.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/engine/solve/submit.hpp"
#include "tasks/particles/given_strengths.hpp"
#include "tasks/particles/ladder.hpp"
#include "tasks/particles/particle_solve.hpp"
#include "tasks/particles/row_sums.hpp"
#include "tasks/particles/staged_rows.hpp"
#include "tasks/particles/submission.hpp"
#include "tasks/points/expect.hpp"
#include "tasks/points/views/packed_points.hpp"
#include "tasks/points/worker_loop.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace nearfar::detail {

/// What plans of all methods that sum over particles share: points from rows and views, solves and their review. `Plan`
/// derives from it and is the method (PointSet is a Rung and PlannedPoints):
///
///   set_given, set_rows(sources, targets, which)        points of rows as given, if ranks are not connected; of any
///   move_given(before, sources, targets, which), move_views(before, sources, targets)
///   region()                                            where points may be
///   points_for(points, submission)                      these points, or the same in a plan for these strengths.
///                                                       Collective
///   is_reviewed(submission)                             whether the result is; may fill in `checked`. Under the mutex
///   predicted(submission)                               seconds of the solve
///   build(graph, submission, arrays)                    inserts the tasks
///   errors_found(submission)                            of the result, and of its energy if known. Collective
///   error_of_virial(submission, energy)                 that of the virial, if it adds up errors of forces; else 0.
///                                                       Collective
///   judged(points, error, rounding)                     such an error above the tolerance, and what rounding adds
///   negligible(points)                                  for each field of a row, so much of the first field that the
///                                                       field counts as zero; or nothing
///   of_forces(points)                                   what single precision of forces does to a virial
///                                                       (RoundedSums)
///   finer(points, missed)                               a rung above these points, or none. Collective
///   keep(points)                                        a solve with these has met the tolerance
template <class Plan, class T, class PointSet, class Options>
class ParticlePlan : public std::enable_shared_from_this<Plan> {
 public:
  using Points = std::shared_ptr<PointSet>;
  using Submitted = Submission<T, PointSet>;

  Points set_points(OnHost<T> const& sources, OnHost<T> const& targets, Targets which) {
    if (!ranks_.connected()) {
      expect_arrays_of_points(sources.arrays(), targets.arrays());
      return plan().set_given(sources, targets, which);
    }
    auto const [from, to] = views_of(ranks_, sources, targets);
    return set_views(from, which == Targets::sources ? nullptr : &to);
  }
  /// From views of 3 columns; the sources are the targets where there are none.
  Points set_points(RowsIn const& sources, RowsIn const* targets) {
    expect_views(ranks_, sources, targets);
    return set_views(sources, targets);
  }
  Points move_points(Points const& before, OnHost<T> const& sources, OnHost<T> const& targets, Targets which) {
    ranks_.together([&] {  // as often as for views, which other ranks may give
      expect_arrays_of_points(sources.arrays(), targets.arrays());
      expect_moved(before.get(), &plan(), ranks_.rank(), sources.size(), targets.size(), which);
    });
    return plan().move_given(before, sources, targets, which);
  }
  Points move_points(Points const& before, RowsIn const& sources, RowsIn const* targets) {
    ranks_.together([&] {
      expect_moved(before.get(), &plan(), ranks_.rank(), 3 * sources.rows(),
                   targets != nullptr ? 3 * targets->rows() : 0, targets == nullptr ? Targets::sources : Targets::own);
    });
    expect_views(ranks_, sources, targets);
    return plan().move_views(before, sources, targets);
  }

  Solve submit(Submitted s) {
    expect_own(s.points);
    double const begun = starpu_timing_now();
    KernelDescription const& kernel = describe(options_.kernel, options_.outputs);
    s.vectors = vectors_of(s, kernel);
    s.part = ranks_.decide([&] { return s.part; });
    expect_arrays(s, kernel);
    if (ranks_.connected() && (s.strengths.several() || s.result.several())) s = joined(std::move(s));
    s.points = plan().points_for(s.points->finest(), s);
    bool const on_gpus = s.points->all_on_gpus(), several = ranks_.several();
    auto const event = after_callers_stream(s.after, on_gpus && machine_.gpus == 1 && !several, s.memory());
    Awake awake;  // between the loop over strengths and the solve: strengths are on their way to GPUs
    if (several && on_gpus) awake.begin(runtime_);
    auto const given = std::make_shared<GivenStrengths<T>>(
        given_strengths<T>(ranks_, *s.points, s.strengths, kernel.unit.strengths, s.vectors,
                           worker_loop(runtime_, s.points->source_parts().of(ranks_.rank()))));

    std::lock_guard const lock(mutex_);
    bool const reviewed = plan().is_reviewed(s);
    if (reviewed) s.rows = std::make_shared<SolvedRows>();
    auto const seen = std::make_shared<Reviewed>();
    SubmitOptions const how{.implementation = options_.implementation,
                            .trial = s.trial,
                            .predicted = plan().predicted(s) + seconds_of_arrays(s),
                            .ranks = &ranks_,
                            .begun = begun,
                            .sent_bytes = given->sent_bytes,
                            .after_event = event,
                            .review = reviewed ? review(s, seen) : Review(),
                            .finally = s.finally};
    auto const staging = staging_.next();
    return submit_solve(runtime_, {this->shared_from_this(), s.points, given, staging}, how, [&](Graph& graph) {
      if (s.has_energy(kernel)) seen->energy = graph.solve().energy_memory(options_.virial);
      plan().build(graph, s, SolveArrays<T>{*given, s.result, staging.get()});
    });
  }

 protected:
  static double error_of_virial(Submitted const&, double const*) { return 0; }

  ParticlePlan(std::shared_ptr<RuntimeState> runtime, Ranks const& ranks, Options const& options)
      : runtime_(std::move(runtime)), options_(options), ranks_(ranks) {}
  /// To be called first when the plan is destroyed.
  void begin_to_go() { awake_.begin(runtime_); }

  /// Whether one GPU runs all stages, and takes about as long to launch the kernels of a solve as to run them.
  bool suits_chain(PointSet const& points) const {
    return points.all_on_gpus() && points.gpus() == 1 && !ranks_.connected() &&
           options_.implementation == Implementation::tuned &&
           suits_capture(runtime_->observer() != nullptr,
                         points.sources().size() + (points.same() ? 0 : points.targets().size()));
  }

  /// Such a solve becomes a chain, whose temporary data stay where they are: at most `bytes`.
  void chain(Graph& graph, Points const& points, std::shared_ptr<CapturedChains> const& captured,
             std::size_t bytes) const {
    if (!suits_chain(*points)) return;
    graph.chain_tasks(captured);
    graph.solve().keep_temporaries(
        captured->temporaries_for(graph.solve(), points, {points->sources().size(), points->targets().size()}, bytes));
  }

  void expect_own(Points const& points) const { expect_of_plan(points && points->belongs_to(&plan())); }
  /// `options` is the name of the public type.
  static void expect_parameters(bool any, std::string const& options) {
    if (any) return;
    throw Error(Fault::bad_input, "the plan has no parameters yet (they depend on how many points there are); set " +
                                      options + "::count, or call set_points first");
  }

  Points set_views(RowsIn const& sources, RowsIn const* targets) {
    return of_views(sources, targets, {},
                    [&](auto const& from, auto const& to, Targets which) { return plan().set_rows(from, to, which); });
  }
  /// The points that make(sources, targets, which) makes of packed views, which `offset` is subtracted from, or any.
  template <class Make>
  Points of_views(RowsIn const& sources, RowsIn const* targets, std::optional<Offset> const& offset, Make const& make) {
    auto const packed = packed_points<T>(ranks_, plan().region(), options_.kernel, options_.outputs, sources, targets,
                                         worker_loop(runtime_, sources.rows()), offset);
    Points const points = make(OnHost<T>(packed.sources), OnHost<T>(packed.targets),
                               targets == nullptr ? Targets::sources : Targets::own);
    points->set_packed(packed.offset, packed.moved);
    return points;
  }

  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Awake awake_;
  Options options_;
  Ranks const& ranks_;              ///< that share the work of this plan
  Machine machine_;                 ///< of all ranks: the sum of their CPU workers, the rest as on rank 0
  mutable std::mutex mutex_;        // tasks of one plan are submitted by one thread at a time
  mutable std::mutex finer_mutex_;  ///< for what later points take from finer plans of earlier ones

 private:
  Plan& plan() noexcept { return static_cast<Plan&>(*this); }
  Plan const& plan() const noexcept { return static_cast<Plan const&>(*this); }

  /// What arrays of the host take to GPUs that run all stages, and back.
  double seconds_of_arrays(Submitted const& s) const {
    if (!s.points->all_on_gpus() || ranks_.connected()) return 0;
    double bytes = 0;
    if (!is_on_gpu(s.strengths.data())) bytes += double(s.strengths.size_bytes());
    if (!is_on_gpu(s.result.data())) bytes += double(s.result.size_bytes());
    bool const pinned = StagedRows<T>::pay(s.strengths.size() + s.result.size());
    return bytes * (pinned ? gpu_constants.pinned_byte : gpu_constants.byte);
  }

  /// That of the rank that gives most. Collective.
  int vectors_of(Submitted const& s, KernelDescription const& kernel) const {
    std::size_t const sources = s.points->source_parts().of(ranks_.rank()), row = std::size_t(kernel.strengths);
    int const mine = sources > 0 ? std::max(1, int(s.strengths.size() / (sources * row))) : 0;
    int const vectors = std::max(1, int(ranks_.largest(std::uint64_t(mine))));
    if (options_.virial && vectors > 1)
      throw Error(Fault::bad_input, "there are " + std::to_string(vectors) +
                                        " vectors of strengths, and the plan is to find a virial (which is of one). "
                                        "Submit one vector, or make the plan without virial");
    return vectors;
  }

  void expect_arrays(Submitted const& s, KernelDescription const& kernel) const {
    int const rank = ranks_.rank(), results = asked_results(kernel, options_.outputs).numbers;
    ranks_.together([&] {
      if (s.refused) std::rethrow_exception(s.refused);
      expect_rows("strengths", s.strengths.size(), s.points->source_parts().of(rank), s.vectors * kernel.strengths);
      expect_rows("result", s.result.size(), s.points->target_parts().of(rank), s.vectors * results);
      expect_arrays_of("strengths", s.strengths, std::size_t(s.vectors * kernel.strengths));
      expect_arrays_of("results", s.result, std::size_t(s.vectors * results));
      std::vector<NamedArray> written, read;
      for (auto const& array : s.result.all()) written.emplace_back("the result", array);
      for (auto const& array : s.strengths.all()) read.emplace_back("the array of strengths", array);
      expect_apart(written, read);
      if (ranks_.several()) expect_on_host(s.memory());
    });
  }

  /// What reviews of a solve know of it besides its results.
  struct Reviewed {
    double rounding = 0;             ///< the error that the rounding of points causes
    double const* energy = nullptr;  ///< and virial, in memory of the solve, if it finds them
  };

  /// Collective.
  double error_of_rounding(Submitted const& s, Reviewed const& seen) const {
    double const of_forces = options_.virial ? plan().of_forces(*s.points) : 0;
    MovedPairs const none, &moved = s.points->moved() ? *s.points->moved() : none, &rounded = s.points->rounded();
    bool const any = ranks_.largest(std::uint64_t(!moved.empty() || !rounded.empty())) > 0;  // of other ranks' points
    if (!any && of_forces == 0) return 0;
    RoundedSums sums{options_.kernel, options_.outputs,   0,
                     s.vectors,       options_.tolerance, plan().negligible(*s.points),
                     seen.energy,     options_.virial,    of_forces};
    if constexpr (requires { options_.screening; }) sums.screening = options_.screening.value_or(0);
    return rounding_error<T>(ranks_, moved, rounded, sums, s.strengths, s.result.read_only());
  }

  /// A result that misses the tolerance is computed again on the next rung, by all ranks together.
  Review review(Submitted const& s, std::shared_ptr<Reviewed> const& seen) {
    Submitted const reviewed{.points = s.points,
                             .strengths = s.strengths,
                             .result = s.result,
                             .again = true,
                             .vectors = s.vectors,
                             .checked = s.checked,
                             .rows = s.rows,
                             .joined = s.joined};
    auto const errors = [this, reviewed, seen] {
      FoundErrors all = plan().errors_found(reviewed);
      double const found = std::max(all.of_result, plan().error_of_virial(reviewed, seen->energy));
      if (found > options_.tolerance) reviewed.points->set_missed(found);
      else plan().keep(reviewed.points);
      seen->rounding = error_of_rounding(reviewed, *seen);
      all.of_result = std::max(found, seen->rounding);
      return all;
    };
    auto const again = [this, reviewed, seen](double found) {
      Missed const missed = plan().judged(*reviewed.points, found, seen->rounding);
      Submitted next = reviewed;
      next.points = next_rung(*reviewed.points, missed, [&] { return plan().finer(reviewed.points, missed); });
      next.checked = nullptr;
      next.rows = nullptr;
      return next.points ? submit(std::move(next)) : Solve();
    };
    return {errors, options_.tolerance, again, ranks_.several()};
  }

  StagingMemories<T> staging_;
};

}  // namespace nearfar::detail
