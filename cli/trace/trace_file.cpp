// SPDX-License-Identifier: BSD-3-Clause
#include "cli/trace/trace_file.hpp"
#include "cli/trace/rank_parts.hpp"

#include <nearfar/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace nearfar::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// What makes a trace unusable; read_trace adds the location.
struct Damage {
  std::string what;
};

fs::path file_in(std::string const& folder) {
  if (!fs::is_directory(folder))
    throw Error{Fault::bad_input, folder + ": there is no such folder; give the one named with --trace when solving"};
  auto const path = fs::path(folder) / "trace.json";
  if (fs::is_regular_file(path)) return path;
  bool const events = std::ranges::any_of(fs::directory_iterator(folder), [](fs::directory_entry const& entry) {
    return entry.path().filename().string().starts_with("prof_file_");
  });
  if (events)
    throw Error{Fault::bad_input,
                folder +
                    ": there are events of StarPU (prof_file_*), but no trace.json, so the run did not come to its "
                    "end; solve again with --trace, or show the events with starpu_fxt_tool"};
  throw Error{Fault::bad_input, folder +
                                    ": there is no trace in it (no trace.json); record one with 'nearfar ewald ... "
                                    "--trace " +
                                    folder + "'"};
}

double seconds(Json const& microseconds) { return 1e-6 * microseconds.get<double>(); }

/// Whether it has the form "#ee6677": colors are copied into pictures as they are.
bool is_color(std::string const& text) {
  return text.size() == 7 && text[0] == '#' && text.find_first_not_of("0123456789abcdefABCDEF", 1) == text.npos;
}

class Reader {
 public:
  RankPart read(Json const& json) {
    auto const& head = json.at("otherData");
    if (head.at("format") != "nearfar trace 1") throw Damage{"its format is " + head.at("format").dump()};
    trace_.runtime = head.at("runtime");
    trace_.scheduler = head.at("scheduler");
    trace_.starpu_bound = head.at("starpu_bound");
    for (auto const& worker : head.at("workers")) trace_.workers.push_back({worker.at("name"), worker.at("kind")});
    for (auto const& stage : head.at("stages")) {
      if (!is_color(stage.at("color"))) throw Damage{"the color of a stage is " + stage.at("color").dump()};
      stages_[stage.at("name")] = trace_.stages.size();
      trace_.stages.push_back({stage.at("name"), stage.at("color"), stage.at("branch")});
    }
    for (auto const& t : head.at("transfers"))
      trace_.transfers.push_back({t.at("from"), t.at("to"), t.at("count"), t.at("bytes")});
    for (auto const& event : json.at("traceEvents")) add(event);
    auto const promised = head.at("tasks").get<std::size_t>();
    if (promised != trace_.tasks.size())
      throw Damage{std::to_string(trace_.tasks.size()) + " of its " + std::to_string(promised) + " tasks are there"};
    for (auto const& wait : trace_.waits)
      if (wait.task >= trace_.tasks.size()) throw Damage{"a wait names a task that is not there"};
    for (auto const& passage : part_.passages) check(passage);
    // Traces from before there were ranks lack these.
    trace_.ranks = head.value("ranks", 1);
    part_.rank = head.value("rank", 0);
    part_.zero = 1e-6 * head.value("zero", 0.0);
    if (trace_.ranks < 1) throw Damage{"it is of " + std::to_string(trace_.ranks) + " ranks"};
    return std::move(part_);
  }

 private:
  void add(Json const& event) {
    auto const& phase = event.at("ph").get_ref<std::string const&>();
    if (phase == "i") trace_.marks.push_back({seconds(event.at("ts")), event.at("name")});
    if (phase != "X") return;
    auto const& category = event.at("cat").get_ref<std::string const&>();
    double const start = seconds(event.at("ts")), end = start + seconds(event.at("dur"));
    auto const& args = event.at("args");
    if (category == "wait") {
      trace_.waits.push_back({args.at("task"), start, end});
    } else if (category == "solve") {
      trace_.solves.push_back({args.at("solve"), start, end, seconds(args.at("submission")), event.at("tid")});
      part_.together.push_back(args.value("together", false));
    } else if (category == "message") {
      part_.passages.push_back({args.at("solve"), args.at("peer"), args.at("sent"), start, end, args.at("bytes"),
                                args.at("writer"), args.at("readers")});
    } else {
      add_task(event, args, start, end);
    }
  }

  void check(RankPart::Passage const& passage) const {
    auto const tasks = std::int64_t(trace_.tasks.size());
    bool const whole = passage.writer < tasks && std::ranges::all_of(passage.readers, [&](std::size_t reader) {
                         return reader < trace_.tasks.size();
                       });
    if (!whole) throw Damage{"a message names a task that is not there"};
  }

  void add_task(Json const& event, Json const& args, double start, double end) {
    auto const stage = stages_.find(event.at("name").get_ref<std::string const&>());
    auto const worker = event.at("tid").get<std::int64_t>(), number = args.at("task").get<std::int64_t>();
    auto const here = "task " + std::to_string(number);
    if (std::size_t(number) != trace_.tasks.size()) throw Damage{here + " is out of its place"};
    if (stage == stages_.end()) throw Damage{here + " is of a stage that is not listed"};
    if (worker < 0 || std::size_t(worker) >= trace_.workers.size()) throw Damage{here + " has no worker"};
    auto after = args.at("after").get<std::vector<std::size_t>>();
    for (auto const earlier : after)
      if (earlier >= trace_.tasks.size()) throw Damage{here + " depends on a later one"};
    trace_.tasks.push_back({stage->second, std::size_t(worker), args.at("block"), args.at("solve"), start, end,
                            seconds(args.at("submitted")), seconds(args.at("ready")), std::move(after)});
  }

  RankPart part_;
  Trace& trace_ = part_.trace;
  std::map<std::string, std::size_t> stages_;
};

}  // namespace

Trace read_trace(std::string const& folder) {
  auto const first = file_in(folder);
  auto const read = [&](fs::path const& path) {
    auto const damaged = [&](std::string const& why) {
      return Error{Fault::bad_input, path.string() + ": this is no whole trace of nearfar (" + why +
                                         "); record it again with --trace " + folder};
    };
    try {
      std::ifstream file{path};
      return Reader{}.read(Json::parse(file));
    } catch (Json::parse_error const& error) {
      throw damaged("byte " + std::to_string(error.byte) + " is not what JSON has there");
    } catch (Json::exception const&) {
      throw damaged("a field is missing or of another type");
    } catch (Damage const& damage) {
      throw damaged(damage.what);
    }
  };
  std::vector<RankPart> parts;
  for (int rank = 0; rank == 0 || rank < parts.front().trace.ranks; ++rank) {
    auto const path = rank == 0 ? first : fs::path(folder) / ("trace." + std::to_string(rank) + ".json");
    auto const& part = parts.emplace_back(read(path));
    if (part.rank != rank || part.trace.ranks != parts.front().trace.ranks)
      throw Error{Fault::bad_input, path.string() + ": this is the part of rank " + std::to_string(part.rank) + " of " +
                                        std::to_string(part.trace.ranks) +
                                        ", and belongs to another trace; record it again with --trace " + folder};
  }
  auto trace = merged(std::move(parts));
  if (trace.tasks.empty())
    throw Error{
        Fault::bad_input,
        first.string() + ": no task in it has run, so there is nothing to show; trace a solve with --trace " + folder};
  return trace;
}

}  // namespace nearfar::cli
