// SPDX-License-Identifier: BSD-3-Clause
// The protocol of direct messages, between threads that take the part of ranks.
#include "tasks/nodes/direct/courier.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <thread>

using namespace nearfar::detail;

namespace {

/// Copies within the process, as one between processes does, some of them while others begin; keeps their order.
class Here final : public Place {
 public:
  explicit Here(int at_once) : at_once_(at_once) {}
  RemoteMemory name(void const* memory) override {
    RemoteMemory named;
    named.address = std::uint64_t(reinterpret_cast<std::uintptr_t>(memory));
    return named;
  }
  std::unique_ptr<RemoteCopy> copy(int, void* to, RemoteMemory const& from, std::size_t bytes) override {
    struct Later final : RemoteCopy {
      void *to, *from;
      std::size_t bytes;
      int looks = 2;
      bool ended() override {
        if (--looks > 0) return false;
        std::copy_n(static_cast<char*>(from), bytes, static_cast<char*>(to));
        return true;
      }
    };
    auto copy = std::make_unique<Later>();
    copy->to = to, copy->from = reinterpret_cast<void*>(std::uintptr_t(from.address)), copy->bytes = bytes;
    return copy;
  }
  int at_once() const noexcept override { return at_once_; }

 private:
  int at_once_;
};

/// Ranks of one machine.
struct Machine {
  std::vector<std::unique_ptr<void, void (*)(void*)>> memory;
  std::vector<std::unique_ptr<Courier>> couriers;
  std::atomic<int> failures{0};
  std::string failure;

  template <class MakePlace>
  Machine(int ranks, MakePlace make_place) {
    std::vector<void*> parts;
    for (int r = 0; r < ranks; ++r) {
      memory.emplace_back(std::aligned_alloc(4096, Mailboxes::bytes(ranks)), std::free);
      parts.push_back(memory.back().get());
      Mailboxes::make(parts.back(), ranks);
    }
    auto const failed = [this](std::exception_ptr const& error) {
      try {
        std::rethrow_exception(error);
      } catch (std::exception const& e) {
        failure = e.what();
      }
      ++failures;
    };
    for (int r = 0; r < ranks; ++r)
      couriers.push_back(std::make_unique<Courier>(Mailboxes(parts, r), make_place(), failed));
  }
};

void count_down(void* what) { static_cast<std::atomic<int>*>(what)->fetch_sub(1); }

void wait_for(std::atomic<int> const& open) {
  while (open > 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
}

}  // namespace

TEST_CASE("all parcels arrive, those of one tag in order, more of them than a mailbox holds") {
  constexpr int ranks = 3, tags = 5, of_each = 200;
  for (int const at_once : {1, 4}) {
    CAPTURE(at_once);
    Machine machine(ranks, [&] { return std::make_unique<Here>(at_once); });
    struct Message {
      int from, to, tag;
      std::vector<int> sent, received;
    };
    std::deque<Message> all;
    std::mt19937 random(7);
    for (int from = 0; from < ranks; ++from)
      for (int to = 0; to < ranks; ++to)
        for (int i = 0; i < of_each && from != to; ++i) {
          int const number = int(all.size()), tag = i % tags;
          std::vector<int> const sent(random() % 40, number);
          all.push_back({from, to, tag, sent, std::vector<int>(sent.size(), -1)});
        }
    std::atomic<int> open = 2 * int(all.size());
    // Each rank gives what it sends and what it receives in an order of its own, which only keeps that of equal tags.
    std::vector<std::jthread> givers;
    for (int rank = 0; rank < ranks; ++rank)
      givers.emplace_back([&, rank] {
        std::mt19937 order(static_cast<unsigned>(rank));
        std::vector<std::deque<Message*>> queues(2 * ranks * tags);
        std::size_t left = 0;
        for (auto& m : all) {
          if (m.from != rank && m.to != rank) continue;
          int const peer = m.from == rank ? m.to : m.from + ranks;
          queues[std::size_t(peer * tags + m.tag)].push_back(&m);
          ++left;
        }
        while (left > 0) {
          auto& queue = queues[order() % queues.size()];
          if (queue.empty()) continue;
          Message& m = *queue.front();
          queue.pop_front();
          --left;
          auto& courier = *machine.couriers[std::size_t(rank)];
          bool const sends = m.from == rank;
          auto& memory = sends ? m.sent : m.received;
          Parcel const parcel{.peer = sends ? m.to : m.from,
                              .tag = m.tag,
                              .memory = memory.data(),
                              .bytes = memory.size() * sizeof(int),
                              .priority = int(order() % 3),
                              .ends = count_down,
                              .what = &open};
          if (sends) courier.send(parcel);
          else courier.receive(parcel);
        }
      });
    givers.clear();
    wait_for(open);
    for (auto const& m : all) CHECK(m.received == m.sent);
    CHECK(machine.failures == 0);
  }
}
TEST_CASE("what waits goes by priority") {
  constexpr int count = 6;
  Machine machine(2, [] { return std::make_unique<Here>(1); });
  static std::vector<int> order;
  order.clear();
  struct One {
    int number, value = 1, copy = 0;
    std::atomic<int>* open;
  };
  std::atomic<int> open = 2 * count, first = 2;
  std::deque<One> all;
  for (int i = 0; i < count; ++i) all.push_back({.number = i, .open = &open});
  auto const arrives = [](void* what) {
    auto& one = *static_cast<One*>(what);
    order.push_back(one.number);
    one.open->fetch_sub(1);
  };
  // Only when all have been offered does the receiver ask for them: it does while another ends, on the same thread.
  for (auto& one : all)
    machine.couriers[0]->send(
        {.peer = 1, .tag = one.number, .memory = &one.value, .bytes = sizeof(int), .ends = count_down, .what = &open});
  int begin = 1, begun = 0;
  machine.couriers[0]->send(
      {.peer = 1, .tag = 100, .memory = &begin, .bytes = sizeof(int), .ends = count_down, .what = &first});
  struct Asks {
    Machine& machine;
    std::deque<One>& all;
    std::atomic<int>& first;
    void (*arrives)(void*);
  } asks{machine, all, first, arrives};
  auto const ask = [](void* what) {
    auto& a = *static_cast<Asks*>(what);
    for (auto& one : a.all)
      a.machine.couriers[1]->receive({.peer = 0,
                                      .tag = one.number,
                                      .memory = &one.copy,
                                      .bytes = sizeof(int),
                                      .priority = one.number % 2,
                                      .ends = a.arrives,
                                      .what = &one});
    a.first.fetch_sub(1);
  };
  machine.couriers[1]->receive(
      {.peer = 0, .tag = 100, .memory = &begun, .bytes = sizeof(int), .ends = ask, .what = &asks});
  wait_for(first);
  wait_for(open);
  CHECK(order == std::vector<int>{1, 3, 5, 0, 2, 4});
}

TEST_CASE("host memory of a process is copied by another, or by itself") {
  HostPlace place;
  std::vector<int> const from(100'000, 7);
  std::vector<int> to(from.size());
  place.copy(0, to.data(), place.name(from.data()), from.size() * sizeof(int));
  CHECK(to == from);
  CHECK_THROWS_AS(place.copy(0, to.data(), RemoteMemory{.address = 64, .process = place.name(nullptr).process}, 8),
                  std::runtime_error);
}

TEST_CASE("ranks that do not agree on a size are told so") {
  Machine machine(2, [] { return std::make_unique<Here>(1); });
  int memory = 0;
  std::atomic<int> open = 0;
  machine.couriers[0]->send({.peer = 1, .memory = &memory, .bytes = 4, .ends = count_down, .what = &open});
  machine.couriers[1]->receive({.peer = 0, .memory = &memory, .bytes = 3, .ends = count_down, .what = &open});
  while (machine.failures == 0) std::this_thread::yield();
  CHECK(machine.failure == "a rank sends 4 bytes where another expects 3; please report it");
}

TEST_CASE("a courier that has nothing to do sleeps") {
  Machine const machine(4, [] { return std::make_unique<Here>(1); });
  auto const seconds = [] {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  };
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  double least = 1;  // of three: a busy machine charges a process for more than it did
  for (int i = 0; i < 3; ++i) {
    double const begin = seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    least = std::min(least, seconds() - begin);
  }
  CHECK(least < 0.01);
}
