// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/check.hpp"

#include "codelets/near/check/check.hpp"
#include "codelets/near/check/soft_check.hpp"
#include "core/fmm/packed.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/softened.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

namespace {

/// Fewest targets for a meaningful sample, without and with images; and numbers of pairs that may be summed in any
/// case: about a millisecond's, or a few with images. Targets come in whole SIMD vectors.
constexpr double min_sample = 96, min_periodic_sample = 16, few_pairs = 1 << 20, few_periodic_pairs = 1 << 23,
                 batch = 16;

/// Images of the cell on either side that are summed pair by pair: one more than in the solve, so that the lattice
/// operator's contribution from those beyond is far more accurate.
int images_of(TreeShape const& shape) { return shape.periodic ? shape.separation + 1 : 0; }

template <class T>
Inserter<Check<double, Laplace>> check_stage(FmmOptions const& options) {
  return visit_multipole_kernel(options.kernel, options.outputs,
                                []<class K>(K) -> Inserter<Check<double, Laplace>> { return inserter<Check<T, K>>(); });
}

template <class T>
Inserter<SoftCheck<double, Laplace>> soft_check_stage(FmmOptions const& options) {
  Inserter<SoftCheck<double, Laplace>> stage;
  visit_multipole_kernel(options.kernel, options.outputs, [&]<class K>(K) {
    if constexpr (may_be_softened<K>) stage = inserter<SoftCheck<T, K>>();
  });
  return stage;
}

/// The sample's candidates are so many times as many, where the tree is on the host and its leaves are alike.
constexpr std::size_t candidates_per_target = 16;

/// The rows of a sample among those of its candidates; both are in ascending order.
template <class T>
PlacedRows<T> rows_of(Sample const& sample, std::vector<std::uint32_t> const& candidates, PlacedRows<T> const& rows) {
  PlacedRows<T> found;
  auto at = candidates.begin();
  for (std::uint32_t const target : sample.targets) {
    at = std::lower_bound(at, candidates.end(), target);
    auto const row = 3 * (at - candidates.begin());
    found.near.insert(found.near.end(), rows.near.begin() + row, rows.near.begin() + row + 3);
    found.relative.insert(found.relative.end(), rows.relative.begin() + row, rows.relative.begin() + row + 3);
  }
  return found;
}

/// Squares of the distances of places in a root from the centres of their leaves, relative to a leaf's longest edge.
template <class T>
std::vector<double> from_centres(std::span<T const> places, TreeShape const& shape) {
  std::vector<double> squares;
  for (std::size_t i = 0; i < places.size(); i += 3) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      double const leaves = double(1 << shape.depth),
                   along = 0.5 * (double(places[i + d]) / (shape.half * shape.aspect[d]) + 1) * leaves,
                   off = (along - std::floor(along) - 0.5) * shape.aspect[d];
      square += off * off;
    }
    squares.push_back(square);
  }
  return squares;
}

}  // namespace

template <class T>
PlacedRows<T> placed(std::span<std::uint32_t const> numbers, RowsInRoot<T> const& given, Ranks const& ranks) {
  PointsInRoot<T> const& root = given.root;
  PlacedRows<T> mine, stores;
  ranks.together([&] {
    std::vector<std::uint32_t> own;
    for (std::uint32_t const number : numbers)
      if (number >= root.first() && number < root.first() + given.rows.size() / 3)
        own.push_back(std::uint32_t(number - root.first()));
    auto const rows = rows_on_host<T>(given.rows, 3, own);
    for (std::size_t i = 0; i < own.size(); ++i) {
      T near[3] = {}, relative[3] = {};
      root.place_row(&rows[3 * i], root.first() + own[i], relative, near);
      mine.near.insert(mine.near.end(), near, near + 3);
      mine.relative.insert(mine.relative.end(), relative, relative + 3);
    }
  });
  Parts const parts = ranks.parts(mine.near.size() / 3);
  auto const near = ranks.join(std::span<T const>(mine.near), parts, 3, stores.near),
             relative = ranks.join(std::span<T const>(mine.relative), parts, 3, stores.relative);
  return {{near.begin(), near.end()}, {relative.begin(), relative.end()}};
}

template <class T>
std::shared_ptr<CheckSample<T>> make_sample(FmmPointSet<T> const& points, RowsInRoot<T> const& targets, double seconds,
                                            double pair, Ranks const& ranks) {
  TreeShape const& shape = points.tree()->tree().shape;
  double const images = std::pow(2 * images_of(shape) + 1, 3),
               of_target = pair * double(sizeof(double) / sizeof(T)) * images * double(points.sources().size());
  double const least = std::max(
                   shape.periodic ? min_periodic_sample : min_sample,
                   (shape.periodic ? few_periodic_pairs : few_pairs) / (images * double(points.sources().size()))),
               wanted = batch * std::ceil(std::max(share_of_solve * seconds / of_target, least) / batch);
  std::vector<typename CheckSample<T>::Block> blocks;
  for (int b = 0; b < points.tree()->blocks(); ++b)
    blocks.push_back({points.sources().count(b), ranks.several() ? points.tree()->owner(b) : everywhere});
  // Expansions of a high order have most of their error in the corners of leaves, that of a small cell at a point or
  // two.
  bool const ranked = shape.capacity == 0 && !points.tree()->is_made_on_gpu();
  auto const most = std::size_t(std::min(wanted, 1e9));
  Sample sample{sample_of(points.targets().size(), ranked ? candidates_per_target * most : most)};
  PlacedRows<T> rows = placed<T>(sample.targets, targets, ranks);
  if (sample.targets.size() > most)
    ranks.together([&] {
      auto const candidates = std::move(sample.targets);
      sample = ranked_sample(candidates, from_centres(std::span<T const>(rows.relative), shape), most);
      rows = rows_of(sample, candidates, rows);
    });
  double const taken = double(sample.targets.size()) * of_target;
  std::shared_ptr<CheckSample<T>> made;
  ranks.together([&] {
    made = std::make_shared<CheckSample<T>>(std::move(sample), rows.near,
                                            shape.periodic ? std::span<T const>(rows.relative) : std::span<T const>(),
                                            blocks, taken);
  });
  return made;
}

namespace {

/// One rank's parts of the reference sums: pair by pair, and what the method itself adds for farther images.
struct CheckParts {
  std::vector<SolveData> pairs, others;
};

/// lattice -> l2p, cell: on the rank that has the root.
template <class T>
std::vector<SolveData> check_lattice(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, int root, bool here) {
  CheckSample<T> const& sample = *job.points.sample();
  auto const& aspect = job.shape().aspect;
  int const images = images_of(job.shape()), order = job.setup.order, rhs = job.solve.vectors * stages.rhs;
  std::int64_t const numbers = job.solve.vectors * stages.results.numbers * sample.stride();
  std::vector<SolveData> parts;
  auto const local = graph.solve().temporary<T>("check of lattice", expansion_size<T>(order, rhs, 1), root, here);
  stages.lattice(graph, {order, rhs, images}, {0, job.setup.flops.lattice * rhs, root}, read(job.setup.check_lattice),
                 read(job.work.multipole(0)), write(local));
  parts.push_back(graph.solve().temporary<T>("check of lattice", numbers, root, here));
  stages.l2p(
      graph,
      {order, job.solve.vectors, job.tree().tree().half(0), -job.shape().half, {aspect[0], aspect[1], aspect[2]}},
      {0, double(sample.stride()), root}, read(sample.leaf()), read(sample.relative()), read(local),
      write(parts.back()));
  graph.submit_chain();  // before `local` is let go
  if (job.setup.boundary == Boundary::vacuum) return parts;
  parts.push_back(graph.solve().temporary<T>("check of cell", numbers, root, here));
  stages.cell(graph,
              {job.solve.vectors, job.setup.check_constant, 2 * job.shape().half, {aspect[0], aspect[1], aspect[2]}},
              {0, double(sample.stride()), root}, read(job.dipoles), read(sample.leaf()), read(sample.relative()),
              write(parts.back()));
  return parts;
}

}  // namespace

template <class T>
void build_check(Graph& graph, FmmJob<T> const& job, FmmStages const& stages, FmmOptions const& options,
                 CheckedSums const& sums) {
  CheckSample<T> const& sample = *job.points.sample();
  auto const* const ranks = graph.solve().ranks();
  auto const& aspect = job.shape().aspect;
  double const edge = 2 * job.shape().half, flops = job.setup.flops.pair * job.solve.vectors;
  int const images = images_of(job.shape()), components = job.solve.vectors * stages.results.numbers;
  double const softening = job.points.unit().ours(job.setup.softening);
  std::vector<CheckParts> parts(std::size_t(ranks != nullptr ? ranks->count() : 1));
  for (std::size_t g = 0; g < sample.groups().size(); ++g) {
    auto const& group = sample.groups()[g];
    std::vector<LeafSources> sources;
    for (int b : group.blocks)
      sources.push_back({job.points.sources().near_position(b), job.strength_block[std::size_t(b)]});
    auto& pairs = parts[std::size_t(std::max(group.owner, 0))].pairs;
    pairs.push_back(graph.solve().temporary<double>("check", components * sample.stride(), group.owner,
                                                    ranks == nullptr || group.owner == ranks->rank()));
    auto const insert = [&](auto stage, auto const& args) {
      stage(graph, args,
            {int(g), flops * group.points * double(sample.targets().size()) * std::pow(2 * images + 1, 3), group.owner},
            read(sample.position()), read(sample.counts(g)), read(sources), write(pairs.back()));
    };
    CheckArgs const args{job.solve.vectors, images, edge, {aspect[0], aspect[1], aspect[2]}, softening * softening};
    if (softening > 0) insert(soft_check_stage<T>(options), args);
    else insert(check_stage<T>(options), args);
  }
  if (job.shape().periodic) {
    int const root = ranks != nullptr ? job.tree().owner(0) : everywhere;
    parts[std::size_t(std::max(root, 0))].others =
        check_lattice(graph, job, stages, root, ranks == nullptr || root == ranks->rank());
  }
  sums->assign(std::size_t(components * sample.stride()), 0);
  auto const all = SolveData::over("checked sums", sums->data(), std::int64_t(sums->size()));
  for (std::size_t r = 0; r < parts.size(); ++r)
    if (auto const& [pairs, others] = parts[r]; !pairs.empty() || !others.empty())
      graph.insert<CheckSum<T>>({components, stages.results},
                                {0, double(sums->size() * pairs.size()), ranks != nullptr ? int(r) : everywhere},
                                read(std::vector<Handle>(pairs.begin(), pairs.end())),
                                read(std::vector<Handle>(others.begin(), others.end())), read(job.solve.units.units),
                                write(all));
  graph.solve().bring_home(all);
}

namespace {

/// The next finer plan after that of `p` that has the error `wanted` for random points; or else the one that comes
/// closest. Boxes are separated by at least `least`.
template <class T>
std::optional<FinerPlan> first_with(FmmOptions const& options, FmmPlanning const& p, double wanted, int least) {
  if (options.periodicity == Periodicity::none && p.translations + p.evaluations + p.expansions == 0) return {};
  for (int separation = least; separation <= 2; ++separation) {
    if (!converges(options, separation)) continue;
    int const highest = highest_fmm_order<T>();
    int order = separation == p.well_separation ? p.order + 1 : 1;
    while (order < highest && fmm_error(options, order, separation) > wanted) ++order;
    if (order > highest || (separation < 2 && fmm_error(options, order, separation) > wanted)) continue;
    return FinerPlan{order, separation};
  }
  return std::nullopt;
}

}  // namespace

template <class T>
std::optional<FinerPlan> finer_plan(FmmOptions const& options, FmmPlanning const& p, double error, bool order_in_vain) {
  // The margin covers sampling, and errors that fall more slowly than for random points, which matters more for large
  // steps.
  double const margin = std::clamp(2 * error / options.tolerance, 2.0, 10.0);
  double const now = fmm_error(options, p.order, p.well_separation);
  auto finer = first_with<T>(options, p, now * options.tolerance / (margin * error), p.well_separation + order_in_vain);
  if (!finer && p.near_in_single && options.near_precision == NearPrecision::automatic)
    return FinerPlan{p.order, p.well_separation, options.tolerance / margin};
  if (finer)
    finer->error =
        std::max(options.tolerance / margin, error / now * fmm_error(options, finer->order, finer->separation));
  return finer;
}

template <class T>
std::optional<FinerPlan> plan_for_few(FmmOptions const& options, FmmPlanning const& p, double factor) {
  double const now = fmm_error(options, p.order, p.well_separation), expected = factor * p.estimated_error;
  if (expected <= options.tolerance) return std::nullopt;
  auto finer = first_with<T>(options, p, now * options.tolerance / expected, p.well_separation);
  if (finer) finer->error = expected / now * fmm_error(options, finer->order, finer->separation);
  return finer;
}

#define NEARFAR_INSTANTIATE(T)                                                                                      \
  template PlacedRows<T> placed(std::span<std::uint32_t const>, RowsInRoot<T> const&, Ranks const&);                \
  template std::shared_ptr<CheckSample<T>> make_sample(FmmPointSet<T> const&, RowsInRoot<T> const&, double, double, \
                                                       Ranks const&);                                               \
  template void build_check(Graph&, FmmJob<T> const&, FmmStages const&, FmmOptions const&, CheckedSums const&);     \
  template std::optional<FinerPlan> finer_plan<T>(FmmOptions const&, FmmPlanning const&, double, bool);             \
  template std::optional<FinerPlan> plan_for_few<T>(FmmOptions const&, FmmPlanning const&, double);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
