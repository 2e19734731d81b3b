// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/parts.hpp"

#include <nearfar/error.hpp>
#include <nearfar/runtime.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace nearfar::detail {

/// Thrown by Ranks::agree: all ranks know of the error.
class AgreedError : public Error {
  using Error::Error;
};

/// The processes that solve together, and their communication apart from the data of solves. Members
/// that are not const noexcept are collective: every rank calls them, in the same order, from one
/// thread. With one rank they do nothing. Waiting for other ranks leaves the core to the workers.
class Ranks {
 public:
  /// Communicator, network and delay as the options say.
  explicit Ranks(RuntimeOptions const& options);
  /// One of several ranks with none of which this process can talk: for recording graphs.
  /// Collective members act for this one alone. `everywhere` as the rank: all of them at once.
  Ranks(int rank, int count);
  ~Ranks();
  Ranks(Ranks const&) = delete;
  Ranks& operator=(Ranks const&) = delete;

  /// This process alone, whatever ranks there are.
  static Ranks const& one() noexcept;

  int rank() const noexcept { return rank_; }
  int count() const noexcept { return count_; }
  bool several() const noexcept { return count_ > 1; }
  bool connected() const noexcept { return mpi_ != nullptr; }  ///< to others
  /// Index among the ranks on this machine.
  int local_rank() const noexcept { return local_rank_; }
  int local_count() const noexcept { return local_count_; }

  /// After StarPU starts, and before it stops: enables messages of tasks' data between ranks.
  void start_messages();
  void stop_messages();

  /// Throws on all ranks, as an AgreedError, the error of the lowest rank that has one.
  void agree(std::exception_ptr mine = {}) const;

  /// Ends all ranks at once, after errors from which none can continue. Reports `why` on stderr unless it is null.
  [[noreturn]] void abort(std::exception_ptr why) const noexcept;

  /// Broadcasts one rank's bytes.
  void broadcast(void* bytes, std::size_t size, int from = 0) const;

  /// How many points each rank gives.
  Parts parts(std::size_t mine) const;

  /// Reductions over all ranks.
  std::uint64_t sum(std::uint64_t mine) const;
  std::uint64_t largest(std::uint64_t mine) const;
  void largest(std::span<double> values) const;    ///< of each; ranks that are connected
  void sum(std::span<long double> values) const;   ///< of each
  void sum(std::span<std::int32_t> values) const;  ///< of each; ranks that are connected

  /// Rows on their way between ranks: they go on arriving, by a thread of their own, while the caller does other work.
  class Arriving {
   public:
    ~Arriving();  ///< waits until all have arrived, and what was sent may be overwritten
    Arriving(Arriving const&) = delete;
    Arriving& operator=(Arriving const&) = delete;

   private:
    friend class Ranks;
    struct Exchange;
    explicit Arriving(std::unique_ptr<Exchange> exchange);
    std::unique_ptr<Exchange> exchange_;
  };

  /// Exchanges rows of so many bytes: sends to each rank its rows, stored in the
  /// order of ranks, and returns what each has for this one. For connected ranks, which come to it at about the same
  /// time.
  void exchange(void const* sent, std::vector<int> const& sent_rows, void* received,
                std::vector<int> const& received_rows, std::size_t bytes_per_row) const;
  /// The same, which only begins.
  Arriving begin_exchange(void const* sent, std::vector<int> sent_rows, void* received, std::vector<int> received_rows,
                          std::size_t bytes_per_row) const;

  /// The values of all ranks on this machine, by local rank.
  std::vector<unsigned char> gather_local(void const* bytes, std::size_t size) const;

  /// The result of rank 0, on all ranks; they all throw what it throws.
  template <class Make, class Value = std::invoke_result_t<Make>>
  Value decide(Make make) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    if (!connected()) return make();
    Value value{};
    on_first([&] { value = make(); });
    broadcast(&value, sizeof value);
    return value;
  }

  /// Only rank 0 calls it; all throw what it throws.
  template <class Work>
  void on_first(Work work) const {
    std::exception_ptr error;
    try {
      if (rank_ == 0 || !connected()) work();
    } catch (...) {
      error = std::current_exception();
    }
    agree(error);
  }

  /// All ranks call it, and throw what the lowest of those that fail throws.
  template <class Work>
  void together(Work work) const {
    std::exception_ptr error;
    try {
      work();
    } catch (AgreedError const&) {
      throw;
    } catch (...) {
      error = std::current_exception();
    }
    agree(error);
  }

  /// On rank 0 the values of all ranks, by rank; nothing on the others. Does not throw: errors end all ranks.
  std::vector<std::string> gather(std::string const& mine) const noexcept;

  /// How far this rank's clock is ahead of rank 0's, in the units of `now`: from
  /// the fastest of some messages there and back, accurate to half its time.
  double clock_ahead(double (*now)()) const;

  /// Rank 0's rows: its own memory there, a copy in `store` on other ranks.
  template <class T>
  std::span<T const> share(std::span<T const> rows, std::vector<T>& store) const {
    if (!connected()) return rows;
    auto const size = decide([&] { return std::uint64_t(rows.size()); });
    together([&] {
      if (rank_ > 0) store.resize(size);
    });
    broadcast(rank_ > 0 ? store.data() : const_cast<T*>(rows.data()), size * sizeof(T));
    return rank_ > 0 ? std::span<T const>(store) : rows;
  }

  /// The network between the ranks: as rank 0's options or NEARFAR_NETWORK say (seconds per message,
  /// bytes per second of each rank, "1e-5,1e10"); with NEARFAR_RATES=default, one that plans do not
  /// notice; else as measured by the first call, in some milliseconds, rounded to powers of two, so
  /// that plans do not change with every run. Throws Error{bad_input} for other words in the variable.
  NetworkSpeed network() const;

  /// Whether data of solves travel from GPU to GPU: MPI is CUDA-aware, and each rank has one. Collective.
  bool messages_between_gpus() const;

  /// For tests: seconds by which data from other ranks are delayed.
  double message_delay() const noexcept { return message_delay_; }

  /// The rows of all ranks, `row` numbers for each of their points, on all ranks:
  /// the caller's own memory if all of them are its own, else a copy in `store`.
  template <class T>
  std::span<T const> join(std::span<T const> mine, Parts const& parts, std::size_t row, std::vector<T>& store) const {
    if (!connected()) return mine;
    bool const all_mine = parts.only() == rank_;
    together([&] {
      if (all_mine) return;
      store.resize(parts.all() * row);
      std::copy(mine.begin(), mine.end(), store.begin() + std::ptrdiff_t(parts.first[std::size_t(rank_)] * row));
    });
    T* const rows = all_mine ? const_cast<T*>(mine.data()) : store.data();
    if (parts.only() >= 0) broadcast(rows, parts.all() * row * sizeof(T), parts.only());
    else gather_parts(rows, parts, row * sizeof(T));
    return {rows, parts.all() * row};
  }

  /// What this rank sends if this much of its own goes to all others.
  std::uint64_t sent_to_all(std::uint64_t bytes) const noexcept { return bytes * std::uint64_t(count_ - 1); }

 private:
  Ranks();

  /// Combines the parts of all ranks, so that all have all.
  void gather_parts(void* rows, Parts const& parts, std::size_t bytes_per_row) const;

  struct Mpi;
  int rank_ = 0, count_ = 1, local_rank_ = 0, local_count_ = 1;
  std::unique_ptr<Mpi> mpi_;  ///< null if there is no other rank to talk to
  std::optional<NetworkSpeed> given_network_;
  mutable std::optional<NetworkSpeed> network_;
  double message_delay_ = 0;
};

}  // namespace nearfar::detail
