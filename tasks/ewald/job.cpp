// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/job.hpp"

#include "codelets/points/merge/merge.hpp"
#include "codelets/points/moment/moment.hpp"
#include "core/geometry/mutual.hpp"
#include "core/kernels/description.hpp"
#include "core/kernels/packed_source.hpp"
#include "tasks/engine/gpu_workers.hpp"

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
std::vector<SolveData> block_data(char const* name, PointSet<T> const& points, int components, Touched const& here) {
  std::vector<SolveData> data;
  for (std::size_t b = 0; b < points.owners().block.size(); ++b)
    data.push_back(SolveData::temporary<A>(name, points.sources().stride(int(b)) * components, points.owners().block[b],
                                           here.block(b)));
  return data;
}

/// The same of each chunk of targets; none for no components.
template <class A, class T>
std::vector<SolveData> chunk_data(char const* name, PointSet<T> const& points, int components, Touched const& here) {
  std::vector<SolveData> data;
  if (components == 0) return data;
  for (std::size_t i = 0; i < points.chunks().size(); ++i)
    data.push_back(SolveData::temporary<A>(name,
                                           BlockedPoints<T>::stride_for(points.chunks()[i].points.count()) * components,
                                           points.owners().chunk[i], here.chunk(i)));
  return data;
}

/// Rows of `row` numbers for the points of other blocks to which a chunk contributes mutually; nothing if row is 0.
template <class T>
std::vector<std::vector<MutualContribution>> mutual_data(Cells const& cells, PointSet<T> const& points, int row,
                                                         Touched const& here) {
  std::vector<std::vector<MutualContribution>> contributions;
  if (row == 0) return contributions;
  for (std::size_t i = 0; i < points.chunks().size(); ++i) {
    Block const block = block_at(cells, points.chunks()[i].block);
    Neighbours const around = neighbours(cells, block);
    auto& found = contributions.emplace_back();
    for (int n = 0; n < around.count(); ++n) {
      int const other = around.block(cells, n);
      if (sums_for_both(cells, block, block_at(cells, other)))
        found.push_back({other, SolveData::temporary<T>("contribution", points.targets().stride(other) * row,
                                                        points.owners().chunk[i], here.mutual(i, other))});
    }
  }
  return contributions;
}

std::vector<SolveData> moment_data(BlockOwners const& owners, bool wanted, Touched const& here) {
  std::vector<SolveData> data;
  for (std::size_t b = 0; wanted && b < owners.block.size(); ++b)
    data.push_back(SolveData::temporary<double>("moment", moment_size, owners.block[b], here.moment(b)));
  return data;
}

/// Owners of the groups of columns.
template <class T>
std::vector<int> column_owners(EwaldSetup<T> const& setup) {
  std::vector<int> owners;
  int const groups = setup.grid.layout.columns;
  for (int g = 0; g < groups; ++g) owners.push_back(setup.owners().of(g, groups));
  return owners;
}

/// Strengths, results and units of all vectors.
template <class T>
EwaldRows<T> make_rows(SolveState& solve, EwaldSetup<T>& setup, PointSet<T> const& points, int vectors,
                       GivenStrengths<T> const& given, std::span<T> result, TravellingMemory<T>* travelling,
                       TravellingRows<T> sent) {
  std::span<T const> const strengths = given.rows;
  Home const of_strengths{memory_node_of(strengths.data())};
  bool const on_gpus = setup.parameters.on_gpus;
  bool const travel = travelling != nullptr && on_gpus && TravellingRows<T>::pay(strengths.size() + result.size());
  bool const sends = travel && given.are_callers() && of_strengths.node == STARPU_MAIN_RAM;
  if (sends)
    sent = TravellingRows<T>("sent strengths", points.sources().size(), vectors * setup.kernel.strengths,
                             travelling->strengths);
  int const ranges = on_gpus ? std::max(1, sent.count()) : 0;
  return {.strengths = SolveData::constant("strengths", strengths.data(), std::int64_t(strengths.size()), of_strengths),
          .results = MergedResults<T>(solve, points, points.owners().chunk, vectors,
                                      asked_results(setup.kernel, setup.asked).numbers, result, on_gpus,
                                      travel ? &travelling->results : nullptr),
          .sent = std::move(sent),
          .units = StrengthUnits(points.sources().size(), setup.kernel.unit, vectors, ranges, given.largest)};
}

}  // namespace

template <class T>
std::vector<EwaldJob<T>> make_ewald_jobs(SolveState& solve, EwaldSetup<T>& setup, PointSet<T> const& points,
                                         EwaldRequest const& how, GivenStrengths<T> const& given, std::span<T> result,
                                         TravellingMemory<T>* travelling, TravellingRows<T> sent) {
  bool const on_gpus = setup.parameters.on_gpus, far_in_single = setup.parameters.far_in_single;
  int const results = setup.kernel.results;
  bool const has_energy = how.part == Part::whole && points.same() && setup.kernel.has_energy && how.vectors == 1;
  int const near_row = result_row(results);
  bool const near = how.part != Part::far, far = how.part != Part::near;
  bool const once = near && points.same() && how.mutual, zero_mode = far && setup.zero_face_flux;
  Touched const here(points, solve.ranks());
  std::shared_ptr<EwaldRows<T>> const rows(  // in place, since results do not move
      new EwaldRows<T>(make_rows(solve, setup, points, how.vectors, given, result, travelling, std::move(sent))));
  std::vector<EwaldJob<T>> jobs;
  jobs.reserve(std::size_t(how.vectors));
  for (int v = 0; v < how.vectors; ++v)
    jobs.push_back(
        {.setup = setup,
         .points = points,
         .work = setup.workspace_for(solve),
         .part = how.part,
         .gpus = how.gpus && !on_gpus,
         .on_gpus = on_gpus,
         .rows = rows,
         .vector = {v, how.vectors},
         .strength_block = far_in_single ? block_data<float>("strengths of block", points, setup.kernel.strengths, here)
                                         : block_data<T>("strengths of block", points, setup.kernel.strengths, here),
         .packed = setup.parameters.near_in_single
                       ? block_data<float>("packed sources", points,
                                           PackedSource<T, float>::width(setup.kernel.strengths), here)
                       : block_data<T>("packed sources", points, packed_width(setup.kernel.strengths), here),
         .near_row = near_row,
         .near = chunk_data<T>("near", points, near ? near_row : 0, here),
         .far = far_in_single ? chunk_data<float>("far", points, far ? results : 0, here)
                              : chunk_data<T>("far", points, far ? results : 0, here),
         .mutual = mutual_data(setup.cells, points, once ? near_row : 0, here),
         .moment = moment_data(points.owners(), zero_mode, here),
         .moments =
             zero_mode ? SolveData::temporary<double>("moments", moment_size, setup.owners().first()) : SolveData(),
         .energy = has_energy ? energy_job(solve, setup.virial, points.owners().chunk,
                                           setup.virial_of_modes() ? column_owners(setup) : std::vector<int>(),
                                           setup.owners().first())
                              : EnergyJob()});
  return jobs;
}

#define NEARFAR_INSTANTIATE(T)                                                                                   \
  template std::vector<EwaldJob<T>> make_ewald_jobs(SolveState&, EwaldSetup<T>&, PointSet<T> const&,             \
                                                    EwaldRequest const&, GivenStrengths<T> const&, std::span<T>, \
                                                    TravellingMemory<T>*, TravellingRows<T>);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
