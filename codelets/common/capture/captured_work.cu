// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/capture/captured_work.hpp"

#include "codelets/common/gpu/gpu_alias.hpp"

namespace nearfar {

namespace {

#if defined(__HIPCC__)
using Graph = hipGraph_t;
using Executable = hipGraphExec_t;
GpuStatus begin(GpuStream stream) { return hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed); }
GpuStatus end(GpuStream stream, Graph* graph) { return hipStreamEndCapture(stream, graph); }
GpuStatus make(Executable* executable, Graph graph) {
  return hipGraphInstantiate(executable, graph, nullptr, nullptr, 0);
}
GpuStatus drop(Graph graph) { return hipGraphDestroy(graph); }
GpuStatus drop(Executable executable) { return hipGraphExecDestroy(executable); }
GpuStatus run(Executable executable, GpuStream stream) { return hipGraphLaunch(executable, stream); }
#else
using Graph = cudaGraph_t;
using Executable = cudaGraphExec_t;
// Relaxed: other threads may allocate memory meanwhile.
GpuStatus begin(GpuStream stream) { return cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed); }
GpuStatus end(GpuStream stream, Graph* graph) { return cudaStreamEndCapture(stream, graph); }
GpuStatus make(Executable* executable, Graph graph) { return cudaGraphInstantiateWithFlags(executable, graph, 0); }
GpuStatus drop(Graph graph) { return cudaGraphDestroy(graph); }
GpuStatus drop(Executable executable) { return cudaGraphExecDestroy(executable); }
GpuStatus run(Executable executable, GpuStream stream) { return cudaGraphLaunch(executable, stream); }
#endif

/// A graph while it is recorded: the stream leaves that state whatever happens.
class Recording {
 public:
  explicit Recording(GpuStream stream) : stream_(stream) { gpu_expect(begin(stream_), "a stream does not record"); }
  ~Recording() {
    if (recording_) static_cast<void>(end(stream_, &graph_));
    static_cast<void>(gpu_last_status());
    if (graph_ != nullptr) static_cast<void>(drop(graph_));
  }
  Recording(Recording const&) = delete;
  Recording& operator=(Recording const&) = delete;

  Graph graph() {
    recording_ = false;
    gpu_expect(end(stream_, &graph_), "what was put on a stream cannot be recorded");
    return graph_;
  }

 private:
  GpuStream stream_;
  Graph graph_ = nullptr;
  bool recording_ = true;
};

}  // namespace

CapturedWork::CapturedWork(void* stream, std::function<void()> const& put) {
  Recording recording(static_cast<GpuStream>(stream));
  {
    DeferredChecks::Collecting const checks(checks_);
    put();
  }
  Executable executable = nullptr;
  gpu_expect(make(&executable, recording.graph()), "recorded kernels cannot be launched together");
  work_ = executable;
}

CapturedWork::~CapturedWork() { static_cast<void>(drop(static_cast<Executable>(work_))); }

void CapturedWork::launch(void* stream) const {
  gpu_expect(run(static_cast<Executable>(work_), static_cast<GpuStream>(stream)),
             "recorded kernels could not be launched");
}

}  // namespace nearfar
