// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/capture/captured_work.hpp"

#include "codelets/common/capture/on_stream.hpp"
#include "codelets/common/gpu/gpu_alias.hpp"

namespace nearfar {

namespace {

#if defined(__HIPCC__)
using Graph = hipGraph_t;
using Event = hipEvent_t;
using Executable = hipGraphExec_t;
GpuStatus begin(GpuStream stream) { return hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed); }
GpuStatus end(GpuStream stream, Graph* graph) { return hipStreamEndCapture(stream, graph); }
GpuStatus make(Executable* executable, Graph graph) {
  return hipGraphInstantiate(executable, graph, nullptr, nullptr, 0);
}
GpuStatus drop(Graph graph) { return hipGraphDestroy(graph); }
GpuStatus drop(Executable executable) { return hipGraphExecDestroy(executable); }
GpuStatus run(Executable executable, GpuStream stream) { return hipGraphLaunch(executable, stream); }
GpuStatus make(GpuStream* stream) { return hipStreamCreateWithFlags(stream, hipStreamNonBlocking); }
GpuStatus drop(GpuStream stream) { return hipStreamDestroy(stream); }
GpuStatus make(Event* event) { return hipEventCreateWithFlags(event, hipEventDisableTiming); }
GpuStatus drop(Event event) { return hipEventDestroy(event); }
GpuStatus record(Event event, GpuStream stream) { return hipEventRecord(event, stream); }
GpuStatus wait_for(Event event, GpuStream stream) { return hipStreamWaitEvent(stream, event, 0); }
#else
using Graph = cudaGraph_t;
using Event = cudaEvent_t;
using Executable = cudaGraphExec_t;
// Relaxed: other threads may allocate memory meanwhile.
GpuStatus begin(GpuStream stream) { return cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed); }
GpuStatus end(GpuStream stream, Graph* graph) { return cudaStreamEndCapture(stream, graph); }
GpuStatus make(Executable* executable, Graph graph) { return cudaGraphInstantiateWithFlags(executable, graph, 0); }
GpuStatus drop(Graph graph) { return cudaGraphDestroy(graph); }
GpuStatus drop(Executable executable) { return cudaGraphExecDestroy(executable); }
GpuStatus run(Executable executable, GpuStream stream) { return cudaGraphLaunch(executable, stream); }
GpuStatus make(GpuStream* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking); }
GpuStatus drop(GpuStream stream) { return cudaStreamDestroy(stream); }
GpuStatus make(Event* event) { return cudaEventCreateWithFlags(event, cudaEventDisableTiming); }
GpuStatus drop(Event event) { return cudaEventDestroy(event); }
GpuStatus record(Event event, GpuStream stream) { return cudaEventRecord(event, stream); }
GpuStatus wait_for(Event event, GpuStream stream) { return cudaStreamWaitEvent(stream, event, 0); }
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

RecordedStreams::RecordedStreams(void* first) : streams_{first} {}

RecordedStreams::~RecordedStreams() {
  for (void* const mark : marks_) static_cast<void>(drop(static_cast<Event>(mark)));
  for (std::size_t s = 1; s < streams_.size(); ++s) static_cast<void>(drop(static_cast<GpuStream>(streams_[s])));
  if (begun_ != nullptr) static_cast<void>(drop(static_cast<Event>(begun_)));
}

void* RecordedStreams::mark(void* stream) {
  Event event = nullptr;
  gpu_expect(make(&event), "no mark for work that is recorded");
  marks_.push_back(event);
  gpu_expect(record(event, static_cast<GpuStream>(stream)), "work that is recorded was not marked");
  return event;
}

void RecordedStreams::wait(void* stream, void* mark) {
  gpu_expect(wait_for(static_cast<Event>(mark), static_cast<GpuStream>(stream)),
             "a stream that is recorded does not wait for another");
}

void RecordedStreams::begin() {
  begun_ = mark(streams_.front());
  marks_.clear();
}

void RecordedStreams::make_stream() {
  GpuStream stream = nullptr;
  gpu_expect(make(&stream), "no stream for work that is recorded");
  streams_.push_back(stream);
  wait(stream, begun_);  // it records from then on
}

void RecordedStreams::put(int stream, std::span<int const> after, std::function<void()> const& work) {
  while (std::size_t(stream) >= streams_.size()) make_stream();
  void* const on = streams_[std::size_t(stream)];
  for (int const piece : after) wait(on, marks_[std::size_t(piece)]);
  {
    OnStream const here(on);
    work();
  }
  mark(on);
}

void RecordedStreams::join(std::span<int const> pieces) {
  for (int const piece : pieces) wait(streams_.front(), marks_[std::size_t(piece)]);
}

CapturedWork::CapturedWork(void* stream, std::function<void(RecordedStreams&)> const& put) {
  RecordedStreams streams(stream);  // outlives the recording
  Recording recording(static_cast<GpuStream>(stream));
  streams.begin();
  {
    DeferredChecks::Collecting const checks(checks_);
    put(streams);
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
