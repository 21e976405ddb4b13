// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <unordered_map>

#include "../cl/library.h"
#include "completions.h"

namespace anycl {

/** Work on a separate thread that ends in a ticket: builds, which drivers run on the calling thread. */
struct Job {
  std::thread thread;
  std::atomic<bool> done{false};
  /** The object that it created, if any; `Jobs::take` returns it. */
  void* result = nullptr;
  Platform* platform = nullptr;
};

/** The jobs of an environment, by the number of their ticket. */
class Jobs {
 public:
  /** Starts a thread that runs `work` and redeems the ticket with its result. */
  void start(Ticket* ticket, Platform* platform, std::function<cl_int(Job&)> work);
  /** Removes a job after its thread has ended; null if there is none of that number. */
  std::unique_ptr<Job> take(double id);
  /** At the environment's end: joins completed jobs, and leaves the others running. */
  void finish();

 private:
  std::unordered_map<uint64_t, std::unique_ptr<Job>> jobs_;
};

}  // namespace anycl
