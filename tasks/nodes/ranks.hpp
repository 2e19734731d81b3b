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

/// What Ranks::agree throws: all ranks know of it.
class AgreedError : public Error {
  using Error::Error;
};

/// The processes that work on solves together, and what they say to each other beside the data of solves. Members that
/// are not const noexcept are collective: every rank calls them, in the same order, from one thread. Of one rank they
/// do nothing. Waiting for other ranks leaves the core to the workers.
class Ranks {
 public:
  /// As the options say of communicator, network and delay.
  explicit Ranks(RuntimeOptions const& options);
  /// One of so many, none of which this process can talk to: for graphs that are built to see what that takes. What is
  /// collective is done by this one alone. `everywhere` as the rank: all of them at once, for recordings.
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
  /// Among the ranks on this machine.
  int local_rank() const noexcept { return local_rank_; }
  int local_count() const noexcept { return local_count_; }

  /// Once StarPU is up, and before it goes down: lets tasks' data go from rank to rank.
  void start_messages();
  void stop_messages();

  /// Throws on all ranks, as an AgreedError, the error of the lowest rank that has one.
  void agree(std::exception_ptr mine = {}) const;

  /// Ends all ranks at once, for what no rank can go on from. Says why on stderr, if it is not null.
  [[noreturn]] void abort(std::exception_ptr why) const noexcept;

  /// One rank's bytes, on all.
  void broadcast(void* bytes, std::size_t size, int from = 0) const;

  /// How many points each rank gives.
  Parts parts(std::size_t mine) const;

  /// Over all ranks.
  std::uint64_t sum(std::uint64_t mine) const;
  std::uint64_t largest(std::uint64_t mine) const;
  void largest(std::span<double> values) const;    ///< of each; ranks that are connected
  void sum(std::span<long double> values) const;   ///< of each
  void sum(std::span<std::int32_t> values) const;  ///< of each; ranks that are connected

  /// Rows of so many bytes for each rank, by rank, one behind the other, and those that each has for this one. Ranks
  /// that are connected.
  void exchange(void const* sent, std::vector<int> const& sent_rows, void* received,
                std::vector<int> const& received_rows, std::size_t bytes_per_row) const;

  /// What each rank on this machine has, by local rank.
  std::vector<unsigned char> gather_local(void const* bytes, std::size_t size) const;

  /// What rank 0 finds, on all ranks; they all throw what it throws.
  template <class Make, class Value = std::invoke_result_t<Make>>
  Value decide(Make make) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    if (!connected()) return make();
    Value value{};
    on_first([&] { value = make(); });
    broadcast(&value, sizeof value);
    return value;
  }

  /// Rank 0 does it; all throw what it throws.
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

  /// All ranks do it, and throw what the first of them throws.
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

  /// On rank 0 what each rank has, by rank; nothing on the others. Throws nothing: what cannot be done ends all ranks.
  std::vector<std::string> gather(std::string const& mine) const noexcept;

  /// By how much this rank's clock is ahead of rank 0's, in the units of `now`: from the shortest of some messages
  /// there and back, to half their time.
  double clock_ahead(double (*now)()) const;

  /// Rank 0's rows: its own memory there, a copy in `store` elsewhere.
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

  /// Between the ranks: as rank 0's options or NEARFAR_NETWORK say (seconds of a message, bytes per second of each
  /// rank, "1e-5,1e10"); with NEARFAR_RATES=default, none that a plan notices; else as measured by the first call, in
  /// some milliseconds, to the power of two, so that plans do not change with every run. Throws Error{bad_input} for
  /// other words in the variable.
  NetworkSpeed network() const;

  /// For tests: seconds by which what comes from other ranks is late.
  double message_delay() const noexcept { return message_delay_; }

  /// The rows of all ranks, `row` numbers for each of their points, on all: the caller's own memory where all of them
  /// are its own, elsewhere a copy in `store`.
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

  /// That this rank sends when so much of its own goes to all others.
  std::uint64_t sent_to_all(std::uint64_t bytes) const noexcept { return bytes * std::uint64_t(count_ - 1); }

 private:
  Ranks();

  /// Where each rank has its own part, all have all then.
  void gather_parts(void* rows, Parts const& parts, std::size_t bytes_per_row) const;

  struct Mpi;
  int rank_ = 0, count_ = 1, local_rank_ = 0, local_count_ = 1;
  std::unique_ptr<Mpi> mpi_;  ///< null where there is nobody to talk to
  std::optional<NetworkSpeed> given_network_;
  mutable std::optional<NetworkSpeed> network_;
  double message_delay_ = 0;
};

}  // namespace nearfar::detail
