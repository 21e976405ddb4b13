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
 * Asks for the status of events whose driver calls back late. A thread asks at times that grow with an event's age, so that a
 * completion is seen a sixteenth of the waiting time late at most, at the cost of a few percent of a core. The driver is asked for
 * its callback as well: whoever comes first redeems the ticket.
 */
class StatusWatch {
 public:
  explicit StatusWatch(std::shared_ptr<Completions> completions) : completions_(std::move(completions)) {}
  ~StatusWatch() { stop(); }
  StatusWatch(const StatusWatch&) = delete;
  StatusWatch& operator=(const StatusWatch&) = delete;

  /** Delivers the ticket when `event` reaches `status` or fails. */
  void add(double id, cl_event event, cl_int status, Platform* platform);
  /** Ends the thread; tickets that are left are the driver's callbacks alone. */
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
  /** Delivers a ticket whose event is where it is awaited. */
  bool deliver(const Watched& watched);
  /** How long to sleep: a part of the youngest event's age. */
  static Clock::duration pause(const std::vector<Watched>& events);

  std::shared_ptr<Completions> completions_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Watched> added_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace anycl
