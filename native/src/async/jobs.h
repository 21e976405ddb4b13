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

/** Work on a separate thread that ends in a ticket: builds and copies, which drivers run on the calling thread. */
struct Job {
  std::thread thread;
  std::atomic<bool> done{false};
  bool wait_at_end = false;
  /** The object that it created, if any; `Jobs::take` returns it. */
  void* result = nullptr;
  Platform* platform = nullptr;
};

/** The jobs of an environment, by the number of their ticket. */
class Jobs {
 public:
  /** What the end of the environment does with a job that still runs. */
  enum class AtEnd { leave, wait };
  /** Starts a thread that runs `work` and redeems the ticket with its result. */
  void start(Ticket* ticket, Platform* platform, std::function<cl_int(Job&)> work, AtEnd at_end = AtEnd::leave);
  /** Removes a job after its thread has ended; null if there is none of that number. */
  std::unique_ptr<Job> take(double id);
  /** At the environment's end: joins completed jobs and those to wait for, and leaves the others running. */
  void finish();

 private:
  std::unordered_map<uint64_t, std::unique_ptr<Job>> jobs_;
};

}  // namespace anycl
