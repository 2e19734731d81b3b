// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/trace/tracer.hpp"

#include "tasks/trace/files.hpp"
#include "tasks/trace/json.hpp"
#include "tasks/trace/kept_rights.hpp"
#include "tasks/trace/log.hpp"

#include <cstdio>
#include <optional>
#include <sstream>
#include <starpu.h>

namespace nearfar::detail {

namespace {

class Tracer final : public Observer {
 public:
  explicit Tracer(std::string folder) : folder_(std::move(folder)) {}

  void prepare(Ranks const& ranks) override {
    ranks_ = &ranks;
    if (ranks.rank() > 0) return;
    make_trace_folder(folder_);
    rights_ = KeptRights(folder_);
  }
  void before_start() override {
    if (!ranks_->several()) request_events(folder_);
  }
  void started(bool starpu_is_ours) override { log_.emplace(starpu_is_ours); }
  void solve_ended(EndedSolve const& solve, std::deque<TaskRecord> const& tasks,
                   std::deque<MessageRecord> const& messages) noexcept override {
    log_->add(solve, tasks, messages);
  }
  void mark(std::string const& text) override { log_->mark(text); }
  void before_stop(RuntimeDescription const& runtime) noexcept override {
    TraceContent content;
    content.rank = ranks_->rank();
    content.ranks = ranks_->count();
    content.clock_ahead = ranks_->clock_ahead(starpu_timing_now);
    auto const parts = ranks_->gather(part_of(content, runtime));
    if (ranks_->rank() > 0) return;
    try {
      write_trace(folder_, content, parts);
    } catch (std::exception const& e) {
      std::fprintf(stderr, "nearfar: warning: no trace was written to %s (%s)\n", folder_.c_str(), e.what());
    }
  }
  void stopped() noexcept override {
    if (!ranks_->several()) convert_events(folder_);
    rights_.give();
  }

 private:
  /// Fills the content and returns its text. Without memory it is empty, because the other ranks wait for some text.
  std::string part_of(TraceContent& content, RuntimeDescription const& runtime) noexcept try {
    auto const head = content;
    content = log_->finish();
    content.runtime = runtime;
    content.rank = head.rank;
    content.ranks = head.ranks;
    content.clock_ahead = head.clock_ahead;
    std::ostringstream out;
    write_trace_json(out, content);
    return out.str();
  } catch (std::exception const& e) {
    std::fprintf(stderr, "nearfar: warning: the trace lacks rank %d (%s)\n", content.rank, e.what());
    return {};
  }

  std::string const folder_;
  KeptRights rights_;  ///< of an earlier trace
  Ranks const* ranks_ = nullptr;
  std::optional<TraceLog> log_;
};

}  // namespace

std::unique_ptr<Observer> make_tracer(RuntimeOptions const& options) {
  if (options.trace.empty()) return nullptr;
  return std::make_unique<Tracer>(options.trace);
}

}  // namespace nearfar::detail
