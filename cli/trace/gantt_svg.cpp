// SPDX-License-Identifier: BSD-3-Clause
#include "cli/text.hpp"
#include "cli/trace/gantt.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nearfar::cli {

namespace {

constexpr double left = 120, width = 1060, right = 20, row = 26, bar = 20, band = 18;
constexpr double least = 0.6;  // narrower bars are merged with their neighbours
constexpr std::size_t max_tracks = 6;

std::string duration(double seconds) {
  if (seconds < 1e-3) return text("%.4g \u00b5s", 1e6 * seconds);
  return seconds < 1 ? text("%.4g ms", 1e3 * seconds) : text("%.4g s", seconds);
}

class Chart {
 public:
  Chart(Trace const& trace, TraceSummary const& summary) : trace_(trace), summary_(summary) {
    for (auto const& solve : trace.solves) {
      end_ = std::max(end_, solve.end);
      tracks_ = std::min(max_tracks, std::max(tracks_, solve.track + 1));
    }
    for (auto const& task : trace.tasks) end_ = std::max(end_, task.end);
    rows_ = 84 + band * static_cast<double>(tracks_);
    bottom_ = rows_ + row * static_cast<double>(trace.workers.size());
  }

  std::string draw() {
    double const whole = left + width + right;
    out_ = text("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\" ", whole,
                bottom_ + 62, whole, bottom_ + 62) +
           "font-family=\"sans-serif\" font-size=\"12\">\n<style>.t{fill:#222}.s{fill:#666;font-size:11px}"
           ".w{fill:url(#wait)}";
    for (std::size_t i = 0; i < trace_.stages.size(); ++i)
      out_ += text(".c%zu{fill:%s}", i, escaped(trace_.stages[i].color).c_str());
    out_ +=
        "</style>\n<defs><pattern id=\"wait\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
        "<path d=\"M0 5L5 0\" stroke=\"#cc3311\" stroke-width=\"1.2\"/></pattern></defs>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    label("t", 16, 22, "start", gantt_caption(trace_, summary_), "font-size=\"14\"");
    draw_legend();
    draw_solves();
    for (std::size_t w = 0; w < trace_.workers.size(); ++w) draw_worker(w);
    draw_marks();
    draw_axis();
    return out_ + "</svg>\n";
  }

 private:
  double x(double time) const { return left + width * time / std::max(end_, 1e-9); }
  double top_of(std::size_t worker) const { return rows_ + row * static_cast<double>(worker); }

  void label(char const* look, double at, double y, char const* anchor, std::string const& words,
             char const* more = "") {
    out_ += text("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", look, at, y, anchor, more) +
            escaped(words) + "</text>\n";
  }

  void draw_legend() {
    double at = 16;
    auto const entry = [&](std::string const& look, std::string const& words) {
      out_ += text("<rect class=\"%s\" x=\"%.1f\" y=\"38\" width=\"14\" height=\"14\"/>", look.c_str(), at);
      label("t", at + 19, 49.5, "start", words);
      at += 36 + 7 * static_cast<double>(words.size());
    };
    for (std::size_t i = 0; i < trace_.stages.size(); ++i) entry(text("c%zu", i), trace_.stages[i].name);
    if (!trace_.waits.empty()) entry("w", "waiting for data");
    out_ += text("<rect x=\"%.1f\" y=\"38\" width=\"14\" height=\"14\" fill=\"#f0f0f0\" stroke=\"#ccc\"/>", at);
    label("t", at + 19, 49.5, "start", "idle");
  }

  void draw_solves() {
    if (!trace_.solves.empty()) label("t", left - 10, 84 + 4, "end", trace_.solves.size() > 1 ? "solves" : "solve");
    double drawn = 0;
    for (auto const& solve : trace_.solves) {
      double const from = x(solve.submitted), to = x(solve.end);
      double const y = 74 + band * static_cast<double>(std::min(solve.track, max_tracks - 1));
      if (to < drawn + least && solve.track == 0) continue;  // merged like tasks
      if (solve.track == 0) drawn = to;
      out_ +=
          text("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"14\" rx=\"2\" fill=\"#dde5ee\" stroke=\"#99a\"/>",
               from, y, std::max(to - from, 0.5)) +
          text(
              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"3\" fill=\"#99a\"><title>submission "
              "%s</title></rect>\n",
              from, y + 11, std::max(x(solve.submitted + solve.submission) - from, 0.2),
              duration(solve.submission).c_str());
      auto const words = text("solve %d", solve.number);
      if (to - from > 7.0 * static_cast<double>(words.size())) label("s", (from + to) / 2, y + 10, "middle", words);
    }
  }

  void rect(std::string const& look, double from, double to, double y, std::string const& words) {
    out_ += text("<rect class=\"%s\" x=\"%.2f\" y=\"%g\" width=\"%.2f\" height=\"%g\"", look.c_str(), from, y,
                 to - from, bar);
    out_ += words.empty() ? "/>\n" : "><title>" + escaped(words) + "</title></rect>\n";
  }

  void draw_worker(std::size_t worker) {
    double const y = top_of(worker);
    auto const percent = summary_.seconds > 0 ? 100 * summary_.workers[worker].busy / summary_.seconds : 0;
    auto name = trace_.workers[worker].name;
    name.resize(std::min(name.find(" ("), std::min(name.size(), std::size_t(16))));  // "CUDA 0.0 (NVIDIA H200 ...)"
    label("t", left - 10, y + 10, "end", name);
    label("s", left - 10, y + 21, "end", text("busy %.0f %%", percent), "font-size=\"9\"");
    out_ += text("<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#f0f0f0\"/>\n", left, y, width, bar);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < trace_.tasks.size(); ++i)
      if (trace_.tasks[i].worker == worker) order.push_back(i);
    std::ranges::sort(order, {}, [&](std::size_t i) { return trace_.tasks[i].start; });

    double from = 0, to = -1;  // of the bar being merged
    std::size_t joined = 0, last = 0;
    auto const finish = [&] {
      if (joined > 0) rect(text("c%zu", trace_.tasks[last].stage), from, to, y, words(last, joined, to - from));
    };
    for (auto const i : order) {
      double const begin = x(trace_.tasks[i].start), end = x(trace_.tasks[i].end);
      bool const like = joined > 0 && trace_.tasks[i].stage == trace_.tasks[last].stage;
      if (joined > 0 && begin - to < least && end - from < (like ? 4 * least : least)) {
        to = end;
        ++joined;
        continue;
      }
      finish();
      from = begin;
      to = std::max(end, begin + 0.1);
      joined = 1;
      last = i;
    }
    finish();
    for (auto const& wait : trace_.waits)
      if (trace_.tasks[wait.task].worker == worker && x(wait.end) - x(wait.start) > least)
        rect("w", x(wait.start), x(wait.end), y, "waiting for data " + duration(wait.end - wait.start));
  }

  std::string words(std::size_t i, std::size_t joined, double wide) const {
    auto const& task = trace_.tasks[i];
    auto const& stage = trace_.stages[task.stage].name;
    if (wide < 2 * least) return {};
    if (joined > 1) return stage + text(" and others, %zu tasks", joined);
    return stage + text(" %d, solve %d, %s", task.block, task.solve, duration(task.end - task.start).c_str());
  }

  void draw_marks() {
    double free = 0;
    for (auto const& mark : trace_.marks) {
      double const at = x(std::clamp(mark.time, 0.0, end_));
      double const wide = 5 + 6.5 * static_cast<double>(mark.text.size());
      bool const room = at >= free && at + wide <= left + width + right;
      out_ += text("<path d=\"M%.1f %dV%.1f\" stroke=\"#222\" stroke-dasharray=\"3 3\"/>", at, room ? 60 : 72, bottom_);
      if (!room) continue;
      label("s", at + 3, 69, "start", mark.text);
      free = at + wide + 3;
    }
  }

  void draw_axis() {
    auto const axis = axis_for(end_, 10);
    double const y = bottom_ + 4;
    out_ += text("<path d=\"M%g %.1fH%g\" stroke=\"#222\"/>\n", left, y, left + width);
    for (double time = 0; time <= end_ * 1.0001; time += axis.step) {
      out_ += text("<path d=\"M%.1f %.1fv5\" stroke=\"#222\"/>", x(time), y);
      label("t", x(time), y + 18, "middle", text("%.6g", time * axis.scale));
    }
    label("t", left + width / 2, y + 38, "middle", std::string("time since the first submission / ") + axis.unit);
  }

  Trace const& trace_;
  TraceSummary const& summary_;
  std::string out_;
  double end_ = 0, rows_ = 0, bottom_ = 0;
  std::size_t tracks_ = 0;
};

}  // namespace

std::string gantt_svg(Trace const& trace, TraceSummary const& summary) { return Chart(trace, summary).draw(); }

}  // namespace nearfar::cli
