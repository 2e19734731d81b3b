// SPDX-License-Identifier: BSD-3-Clause
// The page of `nearfar trace` in a headless Chromium: a script at the end of the page zooms, hovers, drags and clicks,
// reads what is drawn and written, and leaves it in the page, which the browser prints.
#include "cli/trace/gantt.hpp"
#include "tests/cli/temp_folder.hpp"
#include "tests/cli/trace/synthetic_trace.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace nearfar::cli;
using Json = nlohmann::json;

namespace {

/// ctest takes this exit code as "skipped".
constexpr int skipped = 77;

constexpr auto script = R"(<script>
const seen = [];
function middle(worker) { return yOf(worker) + bar / 2; }
function at(time, worker) { const box = canvas.getBoundingClientRect(); return { clientX: box.left + xOf(time), clientY: box.top + middle(worker), bubbles: true, cancelable: true }; }
function pixel(time, worker) { const r = window.devicePixelRatio || 1; return [...pen.getImageData(Math.round(xOf(time) * r), Math.round((middle(worker) - 8) * r), 1, 1).data].slice(0, 3); }
function note(step, more) { seen.push({ step, from: view.from, to: view.to, range: document.getElementById("range").textContent, tip: tip.textContent, tipShown: getComputedStyle(tip).display !== "none", ...more }); }
function legend(i) { document.querySelectorAll("#legend button")[i].click(); }
try {
  note("start", { p2p: pixel(9000, 1), idle: pixel(25000, 1), caption: document.getElementById("caption").textContent, title: document.title });
  canvas.dispatchEvent(new PointerEvent("pointermove", at(9000, 1)));
  note("hover");
  canvas.dispatchEvent(new PointerEvent("pointermove", at(25000, 1)));
  note("hover idle");
  const where = at(9000, 1), box = canvas.getBoundingClientRect();
  where.clientX = Math.round(where.clientX);  // a wheel event knows whole pixels only
  const before = timeOf(where.clientX - box.left);
  canvas.dispatchEvent(new WheelEvent("wheel", { ...where, deltaY: -200 }));
  note("zoom in", { before, under: timeOf(where.clientX - box.left), p2p: pixel(9000, 1), gpu: pixel(9000, 2) });
  canvas.dispatchEvent(new PointerEvent("pointermove", at(9900, 2)));
  note("hover zoomed");
  const a = at(9000, 1), b = at(7000, 1);
  canvas.dispatchEvent(new PointerEvent("pointerdown", a));
  canvas.dispatchEvent(new PointerEvent("pointermove", b));
  canvas.dispatchEvent(new PointerEvent("pointerup", b));
  note("drag");
  canvas.dispatchEvent(new MouseEvent("dblclick", a));
  note("all");
  window.dispatchEvent(new KeyboardEvent("keydown", { key: "+" }));
  note("key");
  window.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
  legend(2);
  canvas.dispatchEvent(new PointerEvent("pointermove", at(9000, 1)));
  note("p2p hidden", { p2p: pixel(9000, 1), p2g: pixel(5000, 0) });
  legend(2);
  const waitAt = () => [...pen.getImageData(Math.round(xOf(3000) * window.devicePixelRatio), Math.round((yOf(2) + bar - 2) * window.devicePixelRatio), 1, 1).data].slice(0, 3);
  const waiting = waitAt();
  legend(5);
  note("waits hidden", { waiting, hidden: waitAt() });
  document.querySelector("#legend .critical").click();
  note("critical path", { p2p: pixel(9000, 1), p2g: pixel(5000, 0), fft: pixel(10000, 0), second: pixel(35000, 0) });
} catch (error) { note("failed: " + error); }
const result = document.createElement("pre");
result.id = "seen";
result.textContent = btoa(JSON.stringify(seen.map(s => ({ ...s, range: s.range.replaceAll("\u00b5", "u"), tip: s.tip.replaceAll("\u00b5", "u") }))));
document.body.append(result);
</script>
</body>)";

std::string output_of(std::string const& command) {
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char part[4096];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
  pclose(pipe);
  return text;
}

/// $NEARFAR_BROWSER, or the first Chromium on PATH.
std::string find_browser() {
  auto path = output_of(
      "for b in \"$NEARFAR_BROWSER\" chromium chromium-headless-shell google-chrome; do "
      "[ -n \"$b\" ] && command -v \"$b\" && break; done 2>/dev/null");
  while (!path.empty() && path.back() == '\n') path.pop_back();
  return path;
}

std::string from_base64(std::string const& text) {
  std::string const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (char const c : text) {
    auto const digit = digits.find(c);
    if (digit == digits.npos) break;
    bits = bits << 6 | unsigned(digit);
    if ((count += 6) >= 8) bytes += char(bits >> (count -= 8) & 255);
  }
  return bytes;
}

struct Page {
  Json steps;

  Page() {
    if (find_browser().empty()) {
      std::puts("no Chromium (NEARFAR_BROWSER, chromium, chromium-headless-shell or google-chrome); skipped");
      std::exit(skipped);
    }
    TempFolder const folder;
    folder.write("trace.json", synthetic_trace);
    auto const trace = read_trace(folder / "");
    auto page = gantt_html(trace, summarise(trace));
    std::string const end = "</body>";
    page.replace(page.rfind(end), end.size(), script);
    auto const file = folder.write("page.html", page);
    auto const printed = output_of("timeout 120 " + find_browser() +
                                   " --headless --no-sandbox --disable-gpu --window-size=1200,600 --user-data-dir=" +
                                   folder / "profile" + " --dump-dom file://" + file + " 2>/dev/null");
    std::string const tag = "<pre id=\"seen\">";
    auto const begin = printed.find(tag);
    REQUIRE_MESSAGE(begin != printed.npos, printed.substr(0, 2000));
    steps = Json::parse(from_base64(printed.substr(begin + tag.size())));
  }

  Json at(std::string const& name) const {
    for (auto const& step : steps)
      if (step["step"] == name) return step;
    FAIL("no step '" << name << "' in " << steps.dump(1));
    return {};
  }
};

Json color(int rgb) { return {rgb >> 16, rgb >> 8 & 255, rgb & 255}; }

bool contains(Json const& text, std::string const& part) {
  return text.get<std::string>().find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("page: what it shows, and what the pointer does") {
  Page const page;
  auto const start = page.at("start");
  CHECK(start["from"] == 0);
  CHECK(start["to"] == 40000);
  CHECK(start["range"] == "Shown: 0 us to 40 ms of 40 ms.");
  CHECK(contains(start["caption"], "2 solves, 10 tasks, 3 workers (dmdas), 0.03 s"));
  CHECK(start["p2p"] == color(0x4477aa));
  CHECK(start["idle"] == color(0xf0f0f0));
  CHECK(!start["tipShown"]);

  auto const hover = page.at("hover");
  CHECK(hover["tipShown"]);
  for (auto const* part :
       {"p2p 1 of solve 1", "12 ms on CPU <1>, from 3 ms", "ready 1 ms before", "on the critical path"})
    CHECK_MESSAGE(contains(hover["tip"], part), part);
  CHECK(!contains(hover["tip"], "waited"));
  CHECK(!page.at("hover idle")["tipShown"]);

  // One wheel step at 9 ms shows 1 / e of before, and leaves the time under the pointer where it was.
  auto const zoom = page.at("zoom in");
  double const wide = 40000 / std::exp(1.0);
  CHECK(zoom["to"].get<double>() - zoom["from"].get<double>() == doctest::Approx(wide).epsilon(1e-9));
  double const fixed = zoom["before"].get<double>();
  CHECK(fixed == doctest::Approx(9000).epsilon(1e-2));
  CHECK(zoom["under"].get<double>() == doctest::Approx(fixed).epsilon(1e-9));
  CHECK(zoom["from"].get<double>() == doctest::Approx(fixed - fixed / std::exp(1.0)).epsilon(1e-9));
  CHECK(zoom["p2p"] == color(0x4477aa));
  CHECK(zoom["gpu"] == color(0x4477aa));
  CHECK(zoom["tipShown"]);  // the pointer is still on the task
  auto const zoomed = page.at("hover zoomed");
  CHECK(contains(zoomed["tip"], "6 ms on CUDA 0, from 4 ms"));
  CHECK(contains(zoomed["tip"], "worker waited 2 ms for its data"));

  // Dragged to the left by 2 ms of the axis: 2 ms later is shown.
  auto const drag = page.at("drag");
  CHECK(drag["from"].get<double>() - zoom["from"].get<double>() == doctest::Approx(2000).epsilon(1e-6));
  CHECK(drag["to"].get<double>() - drag["from"].get<double>() == doctest::Approx(wide).epsilon(1e-9));
  CHECK(page.at("all")["range"] == start["range"]);
  auto const key = page.at("key");
  CHECK(key["to"].get<double>() - key["from"].get<double>() == doctest::Approx(24000).epsilon(1e-9));
}

TEST_CASE("page: stages can be hidden, and the critical path shown alone") {
  Page const page;
  auto const hidden = page.at("p2p hidden");
  CHECK(hidden["p2p"] == color(0xf0f0f0));
  CHECK(hidden["p2g"] == color(0xee6677));
  CHECK(!hidden["tipShown"]);
  CHECK(page.at("waits hidden")["waiting"] == color(0xcc3311));
  CHECK(page.at("waits hidden")["hidden"] == color(0xf0f0f0));
  auto const critical = page.at("critical path");
  CHECK(critical["p2p"] == color(0x4477aa));
  CHECK(critical["second"] == color(0xee6677));
  CHECK(critical["p2g"] == color(0xf0f0f0));
  CHECK(critical["fft"] == color(0xf0f0f0));
}
