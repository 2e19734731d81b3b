// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/job.hpp"

#include "codelets/points/merge/merge.hpp"
#include "codelets/points/moment/moment.hpp"
#include "core/geometry/mutual.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/packed_source.hpp"
#include "core/kernels/several.hpp"
#include "core/plan/ewald/work.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/ewald/stages.hpp"

#include <algorithm>

namespace nearfar::detail {

namespace {

/// Which data shared between ranks the tasks of this rank touch.
class Touched {
 public:
  template <class T>
  Touched(PointSet<T> const& points, Ranks const* ranks)
      : rank_(ranks != nullptr ? ranks->rank() : everywhere), owners_(points.owners()),
        block_(owners_.block.size(), rank_ == everywhere), targets_(block_), chunk_(owners_.chunk.size(), block_[0]) {
    if (rank_ == everywhere) return;
    for (std::size_t b = 0; b < block_.size(); ++b) {
      block_[b] = std::ranges::binary_search(owners_.holders[b], rank_);
      targets_[b] = std::ranges::binary_search(owners_.target_holders[b], rank_);
    }
    for (std::size_t i = 0; i < chunk_.size(); ++i) chunk_[i] = owners_.chunk[i] == rank_;
  }

  bool block(std::size_t b) const { return block_[b]; }                 ///< strengths
  bool moment(std::size_t b) const { return block_[b] || rank_ == 0; }  ///< rank 0 adds them all
  bool chunk(std::size_t i) const { return chunk_[i]; }                 ///< parts of results
  /// The mutual contributions of chunk i to another block.
  bool mutual(std::size_t i, int other) const { return owners_.chunk[i] == rank_ || targets_[std::size_t(other)]; }

 private:
  int rank_;
  BlockOwners const& owners_;
  std::vector<bool> block_, targets_, chunk_;
};

/// Temporary data of each block of sources, `components` of type A for each point.
template <class A, class T>
std::vector<SolveData> block_data(SolveState& solve, char const* name, PointSet<T> const& points, int components,
                                  Touched const& here) {
  return temporaries<A>(
      solve, name, points.owners().block, [](int) { return true; },
      [&](int b) { return points.sources().stride(b) * components; },
      [&](int b) { return here.block(std::size_t(b)); });
}

/// The same of each chunk of targets; none for no components.
template <class A, class T>
std::vector<SolveData> chunk_data(SolveState& solve, char const* name, PointSet<T> const& points, int components,
                                  Touched const& here) {
  if (components == 0) return {};
  return temporaries<A>(
      solve, name, points.owners().chunk, [](int) { return true; },
      [&](int i) { return BlockedPoints<T>::stride_for(points.chunks()[std::size_t(i)].points.count()) * components; },
      [&](int i) { return here.chunk(std::size_t(i)); });
}

/// Rows of `row` numbers for the points of other blocks to which a chunk contributes mutually; nothing if row is 0.
template <class T>
std::vector<std::vector<MutualContribution>> mutual_data(SolveState& solve, Cells const& cells,
                                                         PointSet<T> const& points, int row, Touched const& here) {
  std::vector<std::vector<MutualContribution>> contributions;
  if (row == 0) return contributions;
  for (std::size_t i = 0; i < points.chunks().size(); ++i) {
    Block const block = block_at(cells, points.chunks()[i].block);
    Neighbours const around = neighbours(cells, block);
    auto& found = contributions.emplace_back();
    for (int n = 0; n < around.count(); ++n) {
      int const other = around.block(cells, n);
      if (sums_for_both(cells, block, block_at(cells, other)))
        found.push_back({other, solve.temporary<T>("contribution", points.targets().stride(other) * row,
                                                   points.owners().chunk[i], here.mutual(i, other))});
    }
  }
  return contributions;
}

std::vector<SolveData> moment_data(SolveState& solve, BlockOwners const& owners, bool wanted, Touched const& here) {
  if (!wanted) return {};
  return temporaries<double>(
      solve, "moment", owners.block, [](int) { return true; }, [](int) { return moment_size; },
      [&](int b) { return here.moment(std::size_t(b)); });
}

/// Owners of the groups of columns.
template <class T>
std::vector<int> column_owners(EwaldSetup<T> const& setup) {
  std::vector<int> owners;
  int const groups = setup.grid.layout.columns;
  for (int g = 0; g < groups; ++g) owners.push_back(setup.owners().of(g, groups));
  return owners;
}

/// What a request computes of pairs.
struct NearRequest {
  bool any;   ///< else only packed sources, which nobody reads
  bool once;  ///< for both points
};

template <class T>
std::shared_ptr<NearJob const> near_job(SolveState& solve, EwaldSetup<T> const& setup, PointSet<T> const& points,
                                        NearRequest const& how, int vectors, Touched const& here) {
  int const strengths = vectors * setup.kernel.strengths, row = result_row(vectors * setup.kernel.results);
  return std::make_shared<NearJob const>(
      NearJob{vectors, row,
              setup.parameters.near_in_single
                  ? block_data<float>(solve, "packed sources", points, PackedSource<T, float>::width(strengths), here)
                  : block_data<T>(solve, "packed sources", points, packed_width(strengths), here),
              chunk_data<T>(solve, "near", points, how.any ? row : 0, here),
              mutual_data(solve, setup.cells, points, how.once ? row : 0, here)});
}

/// How many of the vectors that are left are summed together: on CPUs, where the kernel has a stage for that.
template <class T>
int together(EwaldSetup<T> const& setup, PointSet<T> const& points, NearRequest const& how, int left) {
  bool const several = how.any && points.placement() == Placement::cpus && sums_several(setup.kernel);
  return several ? vectors_together(left) : 1;
}

}  // namespace

template <class T>
std::vector<EwaldJob<T>> make_ewald_jobs(SolveState& solve, EwaldSetup<T>& setup, PointSet<T> const& points,
                                         EwaldRequest const& how, SolveArrays<T> const& arrays) {
  bool const far_in_single = setup.parameters.far_in_single;
  int const results = setup.kernel.results;
  bool const near = how.part != Part::far, far = how.part != Part::near, zero_mode = far && setup.zero_face_flux;
  NearRequest const of_pairs{near, near && points.same() && how.mutual};
  Touched const here(points, solve.ranks());
  EnergyJob energy;
  if (how.energy)
    energy = energy_job(solve, setup.virial, points.owners().chunk,
                        setup.virial_of_modes() ? column_owners(setup) : std::vector<int>(), setup.owners().first());
  MergedRow const row{asked_results(setup.kernel, setup.asked).numbers, how.vectors};
  std::shared_ptr<ParticleSolve<T> const> const shared(new ParticleSolve<T>(make_particle_solve(
      solve, points, setup.kernel.unit, how.vectors, row, points.owners().chunk, arrays, std::move(energy))));
  std::vector<EwaldJob<T>> jobs;
  std::shared_ptr<NearJob const> pairs;
  for (int v = 0, first = 0; v < how.vectors; ++v) {
    if (pairs == nullptr || v - first == pairs->vectors) {
      pairs = near_job(solve, setup, points, of_pairs, together(setup, points, of_pairs, how.vectors - v), here);
      first = v;
    }
    jobs.push_back(
        {.setup = setup,
         .points = points,
         .work = setup.workspace_for(solve),
         .part = how.part,
         .vector = {v, how.vectors},
         .solve = shared,
         .strength_block = far_in_single
                               ? block_data<float>(solve, "strengths of block", points, setup.kernel.strengths, here)
                               : block_data<T>(solve, "strengths of block", points, setup.kernel.strengths, here),
         .near = pairs,
         .in_near = v - first,
         .far = far_in_single ? chunk_data<float>(solve, "far", points, far ? results : 0, here)
                              : chunk_data<T>(solve, "far", points, far ? results : 0, here),
         .moment = moment_data(solve, points.owners(), zero_mode, here),
         .moments = zero_mode ? solve.temporary<double>("moments", moment_size, setup.owners().first()) : SolveData()});
  }
  return jobs;
}

#define NEARFAR_INSTANTIATE(T)                                                                       \
  template std::vector<EwaldJob<T>> make_ewald_jobs(SolveState&, EwaldSetup<T>&, PointSet<T> const&, \
                                                    EwaldRequest const&, SolveArrays<T> const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
