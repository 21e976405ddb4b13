// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "../cl/library.h"
#include "completions.h"

namespace anycl {

/**
 * Polls the status of events whose driver calls back late. The intervals grow with an event's age, so that a completion is seen at
 * most a sixteenth of the waiting time late, at the cost of a few percent of a core. The driver's callback is requested as well: the
 * first of the two redeems the ticket.
 */
class StatusWatch {
 public:
  explicit StatusWatch(std::shared_ptr<Completions> completions) : completions_(std::move(completions)) {}
  ~StatusWatch() { stop(); }
  StatusWatch(const StatusWatch&) = delete;
  StatusWatch& operator=(const StatusWatch&) = delete;

  /** Delivers the ticket when `event` reaches `status` or fails. */
  void add(double id, cl_event event, cl_int status, Platform* platform);
  /** Ends the thread. Only the driver's callbacks redeem the tickets that are left. */
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Watched {
    double id;
    cl_event event;
    cl_int status;
    Platform* platform;
    Clock::time_point since;
  };
  void run();
  /** Delivers a ticket if its event has the status that is awaited; returns whether it did. */
  bool deliver(const Watched& watched);
  /** How long to sleep: a sixteenth of the youngest event's age, within limits. */
  static Clock::duration pause(const std::vector<Watched>& events);

  std::shared_ptr<Completions> completions_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Watched> added_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace anycl
