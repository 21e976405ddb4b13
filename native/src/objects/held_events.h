// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <vector>

#include "../cl/library.h"

namespace anycl {

/**
 * Events of commands that the driver must not free yet. PoCL 3.1 goes on using an event that fails with one that it waits
 * for, although it has given up its own reference: in the call that fails the user event, and again when another command
 * that the event waits for ends (see quirks.h). So while a user event is open, each command's event is held here, with all
 * that the command waits for. Complete ones go first; failed ones when nothing that they could wait for is under way.
 */
class HeldEvents {
 public:
  /** A user event was made; it is open until it gets its status. */
  void open(cl_event user_event, const Platform& platform);
  /** It has its status, or nobody can give it one any more. */
  void close(cl_event user_event);
  bool any_open() const { return !open_.empty(); }
  /** Whether this is the last reference to an open user event. */
  bool last_of_open(cl_event event, const Platform& platform) const;

  /** To be called before a command is enqueued that will be held: holds the end of what the queue has before it. */
  void hold_end_of(cl_command_queue queue, const Platform& platform);
  void hold(cl_event event, const Platform& platform);
  /** Releases what has ended. */
  void sweep();

 private:
  struct Held {
    cl_event event;
    const Platform* platform;
  };
  bool is_open(cl_event event) const;
  std::vector<cl_event> open_;
  std::vector<Held> held_;
  /** Queues whose commands of before are held, for as long as user events are open. */
  std::vector<cl_command_queue> ends_held_;
  size_t next_sweep_ = 64;
  bool quiet_ = false;
  std::chrono::steady_clock::time_point quiet_since_;
};

}  // namespace anycl
