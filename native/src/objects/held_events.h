// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <functional>
#include <unordered_map>
#include <vector>

#include "gates.h"

namespace anycl {

/**
 * Fails user events on drivers that take no care of it. In PoCL 3.1 a command that fails with what it waits for
 *
 * - is not guarded against the end of something else that it waits for: another thread may start it at the same time, or
 *   end it twice. So a user event fails when nothing that its commands could wait for is under way, at once or later;
 * - is used by the driver after it has given up its own reference. So the events are held until the driver is done with them.
 *
 * For both, while a user event is open, each command's event is held here, with all that the command waits for.
 */
class HeldEvents {
 public:
  /** Adds how many references to each event the addon has, apart from those held here. */
  using CountReferences = std::function<void(std::unordered_map<cl_event, cl_uint>& counts)>;
  /** `gates`: what is told of user events that got their error. */
  HeldEvents(Gates& gates, CountReferences count_references)
      : gates_(gates), count_references_(std::move(count_references)) {}

  /** A user event was made; it is open until it gets its status. */
  void open(cl_event user_event, const Platform& platform);
  /** It has its status, or nobody can give it one any more. */
  void close(cl_event user_event);
  bool any_open() const { return !open_.empty(); }
  bool is_open(cl_event event) const;

  /**
   * To be called before a command is enqueued that will be held: holds the end of what the queue has before it. `waits`:
   * whether that waits for an open user event.
   */
  void hold_end_of(cl_command_queue queue, const Platform& platform, bool waits);
  /** Holds a command or what it is about to wait for. */
  void hold(cl_event event, const Platform& platform, bool waits);
  /** Releases what has ended. */
  void sweep();

  /** Gives a user event an error as its status; if that may not be done yet, a later `fail_pending` does it. */
  void fail(cl_event user_event, cl_int status, const Platform& platform);
  void fail_pending();
  bool any_pending() const { return !pending_.empty(); }
  /** Returns when none is pending: to be called before anything that waits for commands. */
  void await_pending();
  /** The error that the event has got or will get; CL_COMPLETE if none is pending. */
  cl_int pending_status(cl_event user_event) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Held {
    const Platform* platform;
    /** Whether it was enqueued behind an open user event: if it is queued, it may wait for that. */
    bool waits;
    /** Whether it was seen to have ended, and when first. */
    bool ended;
    Clock::time_point when;
  };
  struct Pending {
    cl_event event;
    cl_int status;
    const Platform* platform;
  };
  /** Whether it still waits for another command, which is held as well, or for an open user event. */
  static bool still_waits(cl_event event, const Held& held);
  bool nothing_under_way();

  Gates& gates_;
  CountReferences count_references_;
  std::vector<cl_event> open_;
  std::unordered_map<cl_event, Held> held_;
  std::vector<Pending> pending_;
  /** Queues whose commands of before are held, for as long as user events are open. */
  std::vector<cl_command_queue> ends_held_;
  size_t next_sweep_ = 64;
  bool quiet_ = false;
  Clock::time_point quiet_since_;
};

}  // namespace anycl
