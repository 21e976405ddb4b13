// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <memory>
#include <thread>

#include "completions.h"

namespace anycl {

/** When to poll for failed events, because a driver does not call back for them. */
class FailurePoll {
 public:
  explicit FailurePoll(std::shared_ptr<Completions> completions) : completions_(std::move(completions)) {}

  /** Polls in the next iteration of the event loop. */
  void request() {
    requested_ = true;
    completions_->call_soon();
  }
  /** Polls again in some milliseconds. A thread sleeps until then and wakes the event loop. */
  void request_later() {
    requested_ = true;
    next_ = Clock::now() + std::chrono::milliseconds(5);
    std::thread([queue = completions_, when = next_] {
      std::this_thread::sleep_until(when);
      queue->call_soon();
    }).detach();
  }
  /** Whether to poll now; clears the request. */
  bool due() {
    if (!requested_ || Clock::now() < next_) return false;
    requested_ = false;
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::shared_ptr<Completions> completions_;
  bool requested_ = false;
  Clock::time_point next_;
};

}  // namespace anycl
