// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/route/route.hpp"
#include "tasks/engine/solve/submit.hpp"
#include "tasks/points/row_routes.hpp"

#include <nearfar/solve.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace nearfar::detail {

namespace {

constexpr double route_flops = 10;  // of a point, an estimate

/// Points whose rows one GPU looks at.
struct Group {
  int gpu = 0, number = 0;  ///< for messages and pictures
  RoutedPoints points;
  std::vector<Handle> rows{};          ///< of the points of each block
  std::vector<std::uint32_t> first{};  ///< as CountRoutes finds it
  Data begins{};

  double flops() const noexcept { return route_flops * points.points(); }
  std::uint32_t count(std::size_t stretch) const noexcept { return first[stretch + 1] - first[stretch]; }
  void add(Handle rows_of_block, int count) {
    rows.push_back(rows_of_block);
    points.begin[points.blocks + 1] = points.begin[points.blocks] + count;
    ++points.blocks;
  }
};

RoutedPoints in_stretches(std::vector<Stretch> const& stretches) {
  RoutedPoints points{.stretches = int(stretches.size())};
  for (std::size_t s = 0; s < stretches.size(); ++s) points.row[s] = std::uint32_t(stretches[s].first);
  points.row[stretches.size()] = std::uint32_t(stretches.back().last);
  return points;
}

template <class Insert>
void run(std::shared_ptr<RuntimeState> const& runtime, Insert const& insert) {
  Solve solve = submit_solve(runtime, {}, {}, [&](Graph& graph) {
    if (!gpu_workers(codelet_of<RouteRows>()).empty()) graph.keep_to_gpus();  // else CPUs do it
    insert(graph);
  });
  solve.wait();
}

void insert_counts(Graph& graph, std::vector<Group>& groups) {
  for (Group& g : groups) {
    if (g.rows.empty()) continue;
    g.first.resize(std::size_t(g.points.stretches) + 1);
    g.begins = Data::temporary<std::int32_t>("rows of runs", g.points.begins());
    auto const first = SolveData::over("rows of stretches", g.first.data(), std::int64_t(g.first.size()));
    graph.insert<CountRoutes>(g.points, {g.number, g.flops(), g.gpu}, read(g.rows), write(g.begins), write(first));
    graph.solve().bring_home(first);
  }
}

}  // namespace

bool targets_by_tasks(std::vector<int> const& owners, std::vector<Stretch> const& stretches) {
  return starpu_worker_get_id() < 0 && std::ranges::find(owners, everywhere) == owners.end() &&
         stretches.size() <= RoutedPoints::max_stretches;
}

bool sources_by_tasks(std::vector<int> const& owners, std::vector<Stretch> const& stretches) {
  std::map<int, int> blocks;
  for (int const owner : owners) ++blocks[owner];
  return targets_by_tasks(owners, stretches) &&
         std::ranges::all_of(blocks, [](auto const& of) { return of.second <= RoutedPoints::max_blocks; });
}

/// On the way to SourceRoutes: for each GPU the points that it sorts.
class SourceRoutes::ByTasks {
 public:
  template <class T>
  ByTasks(BlockedPoints<T> const& sources, std::vector<int> const& owners, std::vector<Stretch> const& stretches)
      : owners_(owners), stretches_(stretches) {
    for (std::size_t b = 0; b < owners.size(); ++b) {
      if (sources.groups(int(b)) == 0) {
        routes_.rows_.emplace_back();
        continue;
      }
      auto group = std::ranges::find(groups_, owners[b], &Group::gpu);
      if (group == groups_.end()) {
        groups_.push_back({owners[b], owners[b], in_stretches(stretches)});
        group = groups_.end() - 1;
      }
      group->add(sources.index(int(b)), sources.count(int(b)));
      routes_.rows_.push_back(Data::temporary<std::uint32_t>("rows of strengths", sources.stride(int(b))));
    }
    std::ranges::sort(groups_, {}, &Group::gpu);
  }

  void count(Graph& graph) { insert_counts(graph, groups_); }

  void route(Graph& graph) {
    for (Group const& g : groups_) {
      RouteRowsArgs args{g.points};
      std::vector<Handle> chosen, places;
      routes_.cut_.resize(std::size_t(g.gpu) + 1, RowCut(RowCut::uneven));
      for (std::size_t s = 0; s < stretches_.size(); ++s) {
        if (g.count(s) == 0) continue;
        args.listed[s] = true;
        routes_.cut_.back().first[chosen.size()] = g.first[s];
        routes_.packed_.push_back(
            {s, g.gpu, g.count(s), Data::temporary<std::uint32_t>("strengths to send", g.count(s))});
        chosen.push_back(routes_.packed_.back().chosen);
      }
      for (std::size_t b = 0; b < owners_.size(); ++b)
        if (owners_[b] == g.gpu && routes_.rows_[b] != nullptr) places.push_back(routes_.rows_[b]);
      graph.insert<RouteRows>(args, {g.number, g.flops(), g.gpu}, read(g.rows), read(g.begins),
                              write(std::move(chosen)), write(std::vector<Handle>()), write(std::move(places)));
    }
  }

  SourceRoutes ended() {
    for (Packed& packed : routes_.packed_) packed.chosen.freeze();
    for (Data& rows : routes_.rows_)
      if (rows != nullptr) rows.freeze();
    return std::move(routes_);
  }

 private:
  std::vector<int> const& owners_;
  std::vector<Stretch> const& stretches_;
  std::vector<Group> groups_;
  SourceRoutes routes_;
};

/// On the way to TargetRoutes: each range.
class TargetRoutes::ByTasks {
 public:
  template <class T>
  ByTasks(BlockedPoints<T> const& targets, std::vector<TargetRange> const& ranges, std::vector<int> const& owners,
          std::vector<Stretch> const& stretches)
      : stretches_(stretches) {
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      Group& group = groups_.emplace_back(Group{owners[r], int(r), in_stretches(stretches)});
      if (targets.groups(ranges[r].block) > 0) group.add(targets.index(ranges[r].block), ranges[r].points.count());
      group.points.skipped = ranges[r].points.first;
    }
  }

  void count(Graph& graph) { insert_counts(graph, groups_); }

  void route(Graph& graph) {
    for (Group const& g : groups_) {
      RouteRowsArgs args{g.points};
      auto& takers = routes_.takers_.emplace_back();
      auto &points = routes_.points_.emplace_back(), &rows = routes_.rows_.emplace_back();
      if (g.rows.empty()) continue;
      for (std::size_t s = 0; s < stretches_.size(); ++s) {
        if (g.count(s) == 0) continue;
        int const gpu = stretches_[s].gpu;
        takers.push_back({gpu, int(g.count(s)), int(s)});
        if (gpu == everywhere || gpu == g.gpu) continue;
        args.listed[s] = true;
        points.push_back(Data::temporary<std::uint32_t>("leaving points", g.count(s)));
        rows.push_back(Data::temporary<std::uint32_t>("rows of results", g.count(s)));
      }
      if (points.empty()) continue;
      graph.insert<RouteRows>(args, {g.number, g.flops(), g.gpu}, read(g.rows), read(g.begins),
                              write(std::vector<Handle>(rows.begin(), rows.end())),
                              write(std::vector<Handle>(points.begin(), points.end())), write(std::vector<Handle>()));
    }
  }

  TargetRoutes ended() {
    for (auto* const lists : {&routes_.points_, &routes_.rows_})
      for (auto& of_range : *lists)
        for (Data& data : of_range) data.freeze();
    return std::move(routes_);
  }

 private:
  std::vector<Stretch> const& stretches_;
  std::vector<Group> groups_;
  TargetRoutes routes_;
};

template <class T>
RowRoutes RowRoutes::by_tasks(std::shared_ptr<RuntimeState> const& runtime, RoutedSources<T> const& from,
                              RoutedTargets<T> const& to) {
  Awake awake;
  awake.begin(runtime);
  SourceRoutes::ByTasks sources(from.points, from.owners, from.stretches);
  TargetRoutes::ByTasks targets(to.points, to.ranges, to.owners, to.stretches);
  run(runtime, [&](Graph& graph) { sources.count(graph), targets.count(graph); });
  run(runtime, [&](Graph& graph) { sources.route(graph), targets.route(graph); });
  return {sources.ended(), targets.ended()};
}

#define NEARFAR_INSTANTIATE(T)                                                                          \
  template RowRoutes RowRoutes::by_tasks(std::shared_ptr<RuntimeState> const&, RoutedSources<T> const&, \
                                         RoutedTargets<T> const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
