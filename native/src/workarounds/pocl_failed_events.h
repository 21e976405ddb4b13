// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <functional>
#include <unordered_map>
#include <vector>

#include "../events/open_user_events.h"

namespace anycl {

/**
 * Fails user events in a way that does not crash PoCL 3.1. In this driver, a command that fails because an event in its
 * wait list has failed
 *
 * - is not locked against the completion of other events in its wait list: another thread may start it at the same time, or
 *   complete it twice. So a user event fails only when nothing that its commands could wait for is running, now or later;
 * - is used by the driver after the driver has released its own reference. So a reference to the events is held until the
 *   driver is done with them.
 *
 * For both, while a user event is open, this class holds a reference to each command's event and to its wait list.
 */
class PoclFailedEvents {
 public:
  /** Adds how many references to each event the addon holds elsewhere. */
  using CountReferences = std::function<void(std::unordered_map<cl_event, cl_uint>& counts)>;
  /** `open_user_events` is notified of the user events that have failed. */
  PoclFailedEvents(OpenUserEvents& open_user_events, CountReferences count_references)
      : open_user_events_(open_user_events), count_references_(std::move(count_references)) {}

  /** A user event was created. It is open until it has a status. */
  void open(cl_event user_event, const Platform& platform);
  /** It has a status, or can no longer be completed. */
  void close(cl_event user_event);
  bool any_open() const { return !open_.empty(); }
  bool is_open(cl_event event) const;

  /**
   * Call it before enqueueing a command whose event will be held. Holds the end of the queue's earlier commands. `waits`:
   * whether these wait for an open user event.
   */
  void hold_end_of(cl_command_queue queue, const Platform& platform, bool waits);
  /** Holds the event of a command, or one in its wait list. */
  void hold(cl_event event, const Platform& platform, bool waits);
  /** Releases the events of completed commands. */
  void sweep();

  /** Fails a user event; if that is not safe yet, a later `fail_pending` does it. */
  void fail(cl_event user_event, cl_int status, const Platform& platform);
  void fail_pending();
  bool any_pending() const { return !pending_.empty(); }
  /** Returns when none is pending. Call it before anything that waits for commands. */
  void await_pending();
  /** The error that the event is about to have; CL_COMPLETE if none is pending. */
  cl_int pending_status(cl_event user_event) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Held {
    const Platform* platform;
    /** Whether it was enqueued after an open user event: while it is queued, it may wait for that. */
    bool waits;
    /** Whether its end was observed, and when first. */
    bool ended;
    Clock::time_point when;
  };
  struct Pending {
    cl_event event;
    cl_int status;
    const Platform* platform;
  };
  /** Whether it still waits for another held command or for an open user event. */
  static bool still_waits(cl_event event, const Held& held);
  bool nothing_running();

  OpenUserEvents& open_user_events_;
  CountReferences count_references_;
  std::vector<cl_event> open_;
  std::unordered_map<cl_event, Held> held_;
  std::vector<Pending> pending_;
  /** Queues whose earlier commands are held while user events are open. */
  std::vector<cl_command_queue> ends_held_;
  size_t next_sweep_ = 64;
  bool quiet_ = false;
  Clock::time_point quiet_since_;
};

}  // namespace anycl
