// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/direct/courier.hpp"

#include "tasks/nodes/machine/slices.hpp"

#include <nearfar/error.hpp>

#include <pthread.h>
#include <string>

namespace nearfar::detail {

Courier::Courier(Mailboxes mailboxes, std::unique_ptr<Place> place, std::function<void(std::exception_ptr)> failed)
    : mailboxes_(std::move(mailboxes)), place_(std::move(place)), failed_(std::move(failed)),
      thread_([this] { run(); }) {}

Courier::~Courier() {
  ending_ = true;
  mailboxes_.ring(mailboxes_.rank());
}

void Courier::give(Parcel const& parcel, bool sent) {
  {
    std::lock_guard const lock(mutex_);
    given_.emplace_back(parcel, sent);
  }
  mailboxes_.ring(mailboxes_.rank());
}

void Courier::run() noexcept try {
  constexpr char const* name = "courier";
  pthread_setname_np(pthread_self(), name);
  shorten_slices(name);  // as the thread of StarPU-MPI, where it shares a core with a busy worker
  place_->enter();
  for (;;) {
    bool const last = ending_;
    take_parcels();
    take_words();
    bool const copied = copy_some();
    put_words();
    if (copied) continue;
    if (busy()) std::this_thread::yield();
    else if (last) return;
    else mailboxes_.wait();
  }
} catch (...) {
  failed_(std::current_exception());
}

void Courier::take_parcels() {
  std::vector<std::pair<Parcel, bool>> given;
  {
    std::lock_guard const lock(mutex_);
    given.swap(given_);
  }
  for (auto const& [parcel, sent] : given) {
    if (sent) {
      std::uint64_t const number = offers_++;
      offered_.emplace(number, parcel);
      words_.push_back({parcel.peer,
                        {.kind = Word::Kind::offer,
                         .number = number,
                         .tag = parcel.tag,
                         .bytes = parcel.bytes,
                         .memory = place_->name(parcel.memory)}});
    } else {
      Key const key{parcel.peer, parcel.tag};
      awaited_[key].push_back(parcel);
      match(key);
    }
  }
}

void Courier::take_words() {
  Word word;
  for (int from = 0; from < mailboxes_.ranks(); ++from)
    while (mailboxes_.get(from, word)) {
      if (word.kind == Word::Kind::offer) {
        Key const key{from, word.tag};
        unasked_[key].push_back(word);
        match(key);
      } else {
        auto const mine = offered_.extract(word.number);
        mine.mapped().ends(mine.mapped().what);
      }
    }
}

void Courier::match(Key const& key) {
  auto const awaited = awaited_.find(key);
  auto const unasked = unasked_.find(key);
  if (awaited == awaited_.end() || unasked == unasked_.end()) return;
  Ready ready{awaited->second.front(), unasked->second.front(), turns_++};
  if (awaited->second.pop_front(); awaited->second.empty()) awaited_.erase(awaited);
  if (unasked->second.pop_front(); unasked->second.empty()) unasked_.erase(unasked);
  if (ready.parcel.bytes != ready.offer.bytes)
    throw Error(Fault::bug, "a rank sends " + std::to_string(ready.offer.bytes) + " bytes where another expects " +
                                std::to_string(ready.parcel.bytes) + "; please report it");
  ready_.push(ready);
}

bool Courier::copy_some() {
  bool some = false;
  std::erase_if(copying_, [&](Copying& now) {
    if (!now.copy->ended()) return false;
    has_copied(now.parcel, now.number);
    return some = true;
  });
  while (!ready_.empty() && int(copying_.size()) < place_->at_once()) {
    Ready const next = ready_.top();
    ready_.pop();
    auto copy = place_->copy(next.parcel.peer, next.parcel.memory, next.offer.memory, next.parcel.bytes);
    some = true;
    if (copy) {
      copying_.push_back({std::move(copy), next.parcel, next.offer.number});
      continue;
    }
    has_copied(next.parcel, next.offer.number);
    break;  // something more urgent may have come meanwhile
  }
  return some;
}

void Courier::has_copied(Parcel const& parcel, std::uint64_t number) {
  words_.push_back({parcel.peer, {.kind = Word::Kind::taken, .number = number}});
  put_words();
  parcel.ends(parcel.what);
}

void Courier::put_words() {
  while (!words_.empty() && mailboxes_.put(words_.front().first, words_.front().second)) words_.pop_front();
}

}  // namespace nearfar::detail
