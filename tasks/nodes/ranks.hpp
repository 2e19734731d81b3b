// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/error.hpp>

#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
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
  /// As RuntimeOptions::communicator says.
  explicit Ranks(void const* communicator);
  ~Ranks();
  Ranks(Ranks const&) = delete;
  Ranks& operator=(Ranks const&) = delete;

  /// This process alone, whatever ranks there are.
  static Ranks const& one() noexcept;

  int rank() const noexcept { return rank_; }
  int count() const noexcept { return count_; }
  bool several() const noexcept { return count_ > 1; }
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

  /// Rank 0's bytes, on all.
  void broadcast(void* bytes, std::size_t size) const;

  /// Over all ranks.
  std::uint64_t sum(std::uint64_t mine) const;

  /// What each rank on this machine has, by local rank.
  std::vector<unsigned char> gather_local(void const* bytes, std::size_t size) const;

  /// What rank 0 finds, on all ranks; they all throw what it throws.
  template <class Make, class Value = std::invoke_result_t<Make>>
  Value decide(Make make) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    if (!several()) return make();
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
      if (rank_ == 0) work();
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
    if (!several()) return rows;
    auto const size = decide([&] { return std::uint64_t(rows.size()); });
    together([&] {
      if (rank_ > 0) store.resize(size);
    });
    broadcast(rank_ > 0 ? store.data() : const_cast<T*>(rows.data()), size * sizeof(T));
    return rank_ > 0 ? std::span<T const>(store) : rows;
  }

  /// That this rank sends when it shares that many.
  std::uint64_t sent_by_share(std::uint64_t bytes) const noexcept {
    return rank_ == 0 ? bytes * std::uint64_t(count_ - 1) : 0;
  }

 private:
  Ranks();

  struct Mpi;
  int rank_ = 0, count_ = 1, local_rank_ = 0, local_count_ = 1;
  std::unique_ptr<Mpi> mpi_;  ///< null for one rank
};

}  // namespace nearfar::detail
