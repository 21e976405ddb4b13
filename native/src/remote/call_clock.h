// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace anycl {

/**
 * Counts a thread's calls of native methods, so that another thread can see that one does not return: an odd count is a call, and one
 * that stays odd is blocked in a driver. Each environment has one.
 */
class CallClock {
 public:
  CallClock();

  /** The time of a call. */
  class Running {
   public:
    explicit Running(CallClock& clock) : count_(*clock.count_), cuts_(cuts().load(std::memory_order_relaxed)) { tick(); }
    ~Running() { tick(); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    /** Why the connection to a server was cut meanwhile; empty if none was. */
    std::string cut() const;

   private:
    // Only this thread writes it.
    void tick() { count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
    std::atomic<uint64_t>& count_;
    const uint32_t cuts_;
  };

  /** Tells calls that run, and `Running::cut`, of a connection that is about to be cut. */
  static void announce_cut(const std::string& reason);

 private:
  friend class CallObserver;
  /** The number of connections that were cut. */
  static std::atomic<uint32_t>& cuts();
  std::shared_ptr<std::atomic<uint64_t>> count_ = std::make_shared<std::atomic<uint64_t>>(0);
};

/** One observer's view of all clocks. */
class CallObserver {
 public:
  /** Whether a call has lasted since the last look. */
  bool look();

 private:
  std::vector<uint64_t> running_;
};

}  // namespace anycl
