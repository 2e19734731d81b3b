// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/solves/run_outputs.hpp"

#include "cli/io/output_path.hpp"
#include "cli/standard_output.hpp"
#include "cli/table.hpp"

#include <nearfar/error.hpp>
#include <nearfar/gather.hpp>

#include <memory>
#include <utility>

namespace nearfar::cli {

TraceFolder::Look TraceFolder::look() const {
  struct stat found {};
  if (stat((folder_ + "/trace.json").c_str(), &found) != 0) return {};
  return {found.st_ino, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

void TraceFolder::expect_new_trace() const {
  if (folder_.empty() || look() != before_) return;
  throw Error{Fault::bad_input, folder_ +
                                    ": the trace could not be written (a line above says why), so this run writes no "
                                    "result either; choose another folder, or leave --trace out"};
}

namespace {

/// A table for a stream, collected in memory and written after everything else.
class StreamedTable : public TableWriter {
 public:
  StreamedTable(OutputFiles& outputs, std::string const& path, std::vector<std::string> const& names)
      : outputs_(outputs), path_(path), table_{names, {}} {}
  void append(std::span<double const> rows) override {
    table_.values.insert(table_.values.end(), rows.begin(), rows.end());
  }
  void finish() override { write_table(outputs_, path_, std::move(table_)); }

 private:
  OutputFiles& outputs_;
  std::string path_;
  Table table_;
};

std::unique_ptr<TableWriter> writer_of(OutputFiles& outputs, std::string const& path,
                                       std::vector<std::string> const& names, std::size_t rows) {
  if (is_stream(path)) return std::make_unique<StreamedTable>(outputs, path, names);
  bool const csv = format_of(path) == Format::csv;
  auto const file = outputs.begin(path);
  return csv ? csv_writer(file, path, names) : hdf5_writer(file, path, names, rows);
}

}  // namespace

void write_ranks(Runtime const& runtime, OutputFiles& outputs, std::string const& path,
                 std::vector<std::string> const& columns, std::size_t all_rows, std::span<double const> mine) {
  std::unique_ptr<TableWriter> writer;
  on_first(runtime, [&] {
    writer = writer_of(outputs, path, columns, all_rows);
    writer->append(mine);
  });
  for (int rank = 1; rank < runtime.ranks(); ++rank) {
    auto const rows = gather_from(runtime, rank, mine);
    on_first(runtime, [&] { writer->append(rows); });
  }
  on_first(runtime, [&] { writer->finish(); });
}

void write_dag(OutputFiles& outputs, std::string const& path, Solve const& solve) {
  if (path.empty()) return;
  auto const write = [&path, &solve](std::string const& file) {
    try {
      solve.write_dag(file);
    } catch (Error const&) {
      throw Error{Fault::bad_input,
                  path + ": the graph of tasks could not be written; choose a place with enough room"};
    }
  };
  if (!is_stream(path)) return outputs.write(path, write);
  write(opened_as(path));  // at once, while the solve still exists
}

}  // namespace nearfar::cli
