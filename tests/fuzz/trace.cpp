// SPDX-License-Identifier: BSD-3-Clause
// Any file as a trace: its tables and pictures, or an Error.
#include "cli/trace/gantt.hpp"
#include "cli/trace/trace_file.hpp"
#include "tests/fuzz/input_file.hpp"

using namespace nearfar;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static fuzz::Folder const folder;
  folder.file("trace.json", data, size);
  fuzz::told([&] {
    auto const trace = cli::read_trace(folder.path());
    fuzz::expect(!trace.tasks.empty());
    auto const summary = cli::summarise(trace);
    fuzz::expect(summary.workers.size() == trace.workers.size());
    fuzz::expect(!cli::gantt_svg(trace, summary).empty() && !cli::gantt_html(trace, summary).empty());
  });
  return 0;
}
