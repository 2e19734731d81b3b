// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/trace/json.hpp"

#include "codelets/common/stages.hpp"
#include "tasks/trace/timeline.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

namespace nearfar::detail {

namespace {

/// Groups of tracks, each of which Perfetto shows as a process.
enum Process : int { workers_process = 0, solves_process = 1, messages_process = 2 };

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') result += {'\\', c};
    else result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + '"';
}

/// Formats a number independently of the locale.
std::string number(double value, int digits = 3) {
  char text[64];
  auto const [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits);
  return {text, end};
}

std::string color_text(unsigned color) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "#";
  for (int shift = 20; shift >= 0; shift -= 4) text += digits[color >> shift & 15];
  return text;
}

StageRow row_of(std::string_view stage) {
  auto const* row = find_stage(stage);
  return row != nullptr ? *row : StageRow{stage};
}

class Writer {
 public:
  Writer(std::ostream& out, TraceContent const& content)
      : out_(out), content_(content), timeline_(timeline_of(content.solves)) {}

  void write() {
    out_ << "{\"displayTimeUnit\":\"ms\",\n\"otherData\":{\"format\":\"nearfar trace 1\",\"runtime\":"
         << quoted(content_.runtime.version) << ",\"scheduler\":" << quoted(content_.runtime.scheduler)
         << ",\"tasks\":" << timeline_.tasks.size() << ",\"starpu_bound\":" << number(content_.starpu_bound, 9)
         << ",\"rank\":" << content_.rank << ",\"ranks\":" << content_.ranks
         << ",\"zero\":" << number(timeline_.zero - content_.clock_ahead);
    write_workers();
    write_stages();
    write_transfers();
    out_ << "},\n\"traceEvents\":[";
    name_tracks();
    for (std::size_t i = 0; i < timeline_.tasks.size(); ++i) write_task(i);
    for (auto const& wait : timeline_.waits) write_wait(wait);
    write_solves();
    for (auto const& passage : timeline_.passages) write_passage(passage);
    for (auto const& [time, text] : content_.marks)
      event("i", "mark", text, workers_process, 0)
          << ",\"s\":\"g\",\"ts\":" << at(std::max(time, timeline_.zero)) << '}';
    out_ << "\n]}\n";
  }

 private:
  std::string at(double time) const { return number(time - timeline_.zero); }

  /// Begins an event with what all events have; the caller adds the rest and closes it.
  std::ostream& event(char const* phase, std::string_view category, std::string_view name, int process, int track) {
    out_ << (first_ ? "\n" : ",\n") << "{\"ph\":\"" << phase << "\",\"cat\":\"" << category
         << "\",\"name\":" << quoted(name) << ",\"pid\":" << process << ",\"tid\":" << track;
    first_ = false;
    return out_;
  }

  void write_workers() {
    char const* comma = "";
    out_ << ",\n\"workers\":[";
    for (auto const& worker : content_.runtime.workers) {
      out_ << comma << "{\"name\":" << quoted(worker.name) << ",\"kind\":" << quoted(worker.kind) << '}';
      comma = ",";
    }
    out_ << ']';
  }

  void write_stages() {
    std::set<std::string_view> seen;
    char const* comma = "";
    out_ << ",\n\"stages\":[";
    for (auto const& task : timeline_.tasks) {
      if (!seen.insert(task.stage).second) continue;
      auto const row = row_of(task.stage);
      out_ << comma << "{\"name\":" << quoted(row.name) << ",\"color\":\"" << color_text(row.color)
           << "\",\"branch\":\"" << name(row.branch) << "\"}";
      comma = ",";
    }
    out_ << ']';
  }

  void write_transfers() {
    char const* comma = "";
    out_ << ",\n\"transfers\":[";
    for (auto const& t : content_.transfers) {
      out_ << comma << "{\"from\":" << quoted(t.from) << ",\"to\":" << quoted(t.to) << ",\"count\":" << t.count
           << ",\"bytes\":" << t.bytes << '}';
      comma = ",";
    }
    out_ << ']';
  }

  void name_tracks() {
    auto const label = [&](char const* what, int process, int track, std::string_view name) {
      event("M", "__metadata", what, process, track) << ",\"args\":{\"name\":" << quoted(name) << "}}";
    };
    label("process_name", workers_process, 0, "workers");
    label("process_name", solves_process, 0, "solves");
    if (content_.ranks > 1) label("process_name", messages_process, 0, "messages");
    for (std::size_t i = 0; i < content_.runtime.workers.size(); ++i)
      label("thread_name", workers_process, int(i), content_.runtime.workers[i].name);
  }

  void write_task(std::size_t i) {
    auto const& task = timeline_.tasks[i];
    event("X", name(row_of(task.stage).branch), task.stage, workers_process, task.worker)
        << ",\"ts\":" << at(task.start) << ",\"dur\":" << number(task.end - task.start) << ",\"args\":{\"task\":" << i
        << ",\"block\":" << task.block << ",\"solve\":" << timeline_.solve[i] << ",\"submitted\":" << at(task.submitted)
        << ",\"ready\":" << at(task.ready) << ",\"after\":[";
    for (std::size_t k = 0; k < timeline_.after[i].size(); ++k) out_ << (k > 0 ? "," : "") << timeline_.after[i][k];
    out_ << "]}}";
  }

  void write_wait(Wait const& wait) {
    event("X", "wait", "wait for data", workers_process, timeline_.tasks[std::size_t(wait.task)].worker)
        << ",\"ts\":" << at(wait.begin) << ",\"dur\":" << number(wait.end - wait.begin)
        << ",\"args\":{\"task\":" << wait.task << "}}";
  }

  /// Solves that overlap in time are shown on separate tracks.
  void write_solves() {
    std::vector<double> free;
    for (auto const& solve : content_.solves) {
      auto const track =
          std::size_t(std::ranges::find_if(free, [&](double t) { return t <= solve.submitted; }) - free.begin());
      if (track == free.size()) free.push_back(0);
      free[track] = solve.end;
      event("X", "solve", "solve " + std::to_string(solve.number), solves_process, int(track))
          << ",\"ts\":" << at(solve.submitted) << ",\"dur\":" << number(solve.end - solve.submitted)
          << ",\"args\":{\"solve\":" << solve.number << ",\"tasks\":" << solve.tasks.size()
          << ",\"submission\":" << number(solve.closed - solve.submitted)
          << ",\"together\":" << (solve.together ? "true" : "false") << "}}";
    }
  }

  /// A sent message lasts from when its data were ready; a received one is a mark at its arrival.
  void write_passage(Passage const& passage) {
    auto const& m = passage.record;
    double begin = m.arrived;
    if (m.sent && passage.writer >= 0) begin = std::max(m.asked, timeline_.tasks[std::size_t(passage.writer)].end);
    else if (m.sent) begin = m.asked;
    event("X", "message", (m.sent ? "to " : "from ") + std::to_string(m.peer), messages_process, m.peer)
        << ",\"ts\":" << at(begin) << ",\"dur\":" << number(std::max(0.0, m.arrived - begin))
        << ",\"args\":{\"solve\":" << passage.solve << ",\"peer\":" << m.peer
        << ",\"sent\":" << (m.sent ? "true" : "false") << ",\"bytes\":" << m.bytes << ",\"writer\":" << passage.writer
        << ",\"readers\":[";
    for (std::size_t k = 0; k < passage.readers.size(); ++k) out_ << (k > 0 ? "," : "") << passage.readers[k];
    out_ << "]}}";
  }

  std::ostream& out_;
  TraceContent const& content_;
  Timeline timeline_;
  bool first_ = true;
};

}  // namespace

void write_trace_json(std::ostream& out, TraceContent const& content) { Writer(out, content).write(); }

}  // namespace nearfar::detail
