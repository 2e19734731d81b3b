// SPDX-License-Identifier: BSD-3-Clause
// Rows that change hands between all ranks at once.
#include "tasks/nodes/mpi.hpp"
#include "tasks/nodes/ranks.hpp"

#include <memory>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

namespace nearfar::detail {

namespace {

/// Where the rows of each rank begin.
std::vector<int> first_of(std::vector<int> const& counts) {
  std::vector<int> first(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), first.begin(), 0);
  return first;
}

/// A datatype for one row: MPI counts in 31 bits, so messages are counted in rows, not bytes.
class RowType {
 public:
  explicit RowType(std::size_t bytes) {
    MPI_Type_contiguous(int(bytes), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~RowType() { MPI_Type_free(&type_); }
  RowType(RowType const&) = delete;
  RowType& operator=(RowType const&) = delete;

  operator MPI_Datatype() const noexcept { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// An exchange that has begun, and all that MPI needs until it ends; the destructor waits for that.
class Exchange {
 public:
  Exchange(MPI_Comm ranks, void const* sent, std::vector<int> sent_rows, void* received, std::vector<int> received_rows,
           std::size_t bytes_per_row)
      : row_(bytes_per_row), sent_rows_(std::move(sent_rows)), received_rows_(std::move(received_rows)),
        from_(first_of(sent_rows_)), to_(first_of(received_rows_)) {
    MPI_Ialltoallv(sent, sent_rows_.data(), from_.data(), row_, received, received_rows_.data(), to_.data(), row_,
                   ranks, &request_);
  }
  ~Exchange() { end(); }
  void end() { wait(std::exchange(request_, MPI_REQUEST_NULL), AllThere::yes); }

 private:
  RowType row_;
  std::vector<int> sent_rows_, received_rows_, from_, to_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace

struct Ranks::Arriving::Exchange {
  detail::Exchange exchange;
  std::jthread looks{[this] { exchange.end(); }};  // MPI's messages advance only when somebody looks
};

Ranks::Arriving::Arriving(std::unique_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}
Ranks::Arriving::~Arriving() = default;

void Ranks::exchange(void const* sent, std::vector<int> const& sent_rows, void* received,
                     std::vector<int> const& received_rows, std::size_t bytes_per_row) const {
  Exchange(mpi_->control, sent, sent_rows, received, received_rows, bytes_per_row);
}

Ranks::Arriving Ranks::begin_exchange(void const* sent, std::vector<int> sent_rows, void* received,
                                      std::vector<int> received_rows, std::size_t bytes_per_row) const {
  return Arriving(std::unique_ptr<Arriving::Exchange>(new Arriving::Exchange{
      {mpi_->control, sent, std::move(sent_rows), received, std::move(received_rows), bytes_per_row}}));
}

void Ranks::gather_parts(void* rows, Parts const& parts, std::size_t bytes_per_row) const {
  std::vector<int> counts;
  for (int r = 0; r < count_; ++r) counts.push_back(int(parts.of(r)));
  auto const first = first_of(counts);
  RowType const row(bytes_per_row);
  MPI_Request request;
  MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, rows, counts.data(), first.data(), row, mpi_->control, &request);
  wait(request);
}

void Ranks::sum(std::span<std::int32_t> values) const {
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, values.data(), int(values.size()), MPI_INT32_T, MPI_SUM, mpi_->control, &request);
  wait(request);
}

void Ranks::largest(std::span<double> values) const {
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, values.data(), int(values.size()), MPI_DOUBLE, MPI_MAX, mpi_->control, &request);
  wait(request);
}

void Ranks::sum(std::span<long double> values) const {
  if (!mpi_) return;
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, values.data(), int(values.size()), MPI_LONG_DOUBLE, MPI_SUM, mpi_->control, &request);
  wait(request);
}

}  // namespace nearfar::detail
