// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/tree_stages.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/engine/solve/submit.hpp"

#include <memory>
#include <vector>

namespace nearfar::detail {

/// An estimate, of so many points or boxes.
inline double flops_of(std::int64_t count) { return 100 * double(count); }

inline std::vector<Handle> handles_of(std::vector<Data> const& data) { return {data.begin(), data.end()}; }

/// Runs the tasks that `build` inserts, on a GPU where there is one, and waits for them.
template <class Build>
void run_and_wait(std::shared_ptr<RuntimeState> const& runtime, Build const& build) {
  submit_solve(runtime, {}, {}, [&](Graph& graph) {
    if (!gpu_workers(codelet_of<MakeBoxes>()).empty()) graph.keep_to_gpus();  // else a CPU does it
    build(graph);
  }).wait();
}

}  // namespace nearfar::detail
