// SPDX-License-Identifier: BSD-3-Clause
#include "cli/text.hpp"
#include "cli/trace/gantt.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string_view>

namespace nearfar::cli {

/// cli/trace/gantt_page.html, which the build turns into a string.
extern std::string_view const gantt_page;

namespace {

using Json = nlohmann::ordered_json;

double microseconds(double seconds) { return std::round(seconds * 1e9) * 1e-3; }

bool is_dark(std::string const& color) {
  auto const part = [&](std::size_t at) { return std::stoi(color.substr(at, 2), nullptr, 16); };
  return color.size() == 7 && 299 * part(1) + 587 * part(3) + 114 * part(5) < 140000;
}

Json data_of(Trace const& trace, TraceSummary const& summary) {
  Json data = {{"caption", gantt_caption(trace, summary)}, {"critical", summary.critical}};
  for (auto const& worker : trace.workers) data["workers"].push_back(worker.name);
  for (auto const& stage : trace.stages)
    data["stages"].push_back({{"name", stage.name}, {"color", stage.color}, {"dark", is_dark(stage.color)}});
  std::vector<double> waited(trace.tasks.size());
  data["waits"] = Json(trace.workers.size(), Json::array());
  for (auto const& wait : trace.waits) {
    waited[wait.task] += wait.end - wait.start;
    data["waits"][trace.tasks[wait.task].worker].push_back({microseconds(wait.start), microseconds(wait.end)});
  }
  for (std::size_t i = 0; i < trace.tasks.size(); ++i) {
    auto const& t = trace.tasks[i];
    data["tasks"].push_back({t.stage, t.worker, microseconds(t.start), microseconds(t.end - t.start), t.block, t.solve,
                             microseconds(t.ready), microseconds(waited[i]), t.after});
  }
  data["solves"] = Json::array();
  for (auto const& s : trace.solves)
    data["solves"].push_back(
        {s.number, microseconds(s.submitted), microseconds(s.end), s.track, microseconds(s.submission)});
  data["marks"] = Json::array();
  for (auto const& mark : trace.marks) data["marks"].push_back({microseconds(mark.time), mark.text});
  return data;
}

/// JSON for a script element: "</" is escaped, so that no name in the data can close the element.
std::string script_text(Json const& data) {
  auto text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find("</", at)) != text.npos;) text.replace(at, 2, "<\\/");
  return text;
}

}  // namespace

std::string gantt_html(Trace const& trace, TraceSummary const& summary) {
  constexpr std::string_view place = "/*TRACE*/null";
  std::string page{gantt_page};
  page.replace(page.find(place), place.size(), script_text(data_of(trace, summary)));
  return page;
}

}  // namespace nearfar::cli
