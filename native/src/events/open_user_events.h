// SPDX-License-Identifier: MIT
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "../cl/library.h"

namespace anycl {

/**
 * The user events that have no status yet, and the commands that wait for them, directly or after other commands. Only this
 * thread can complete a user event, so a call that blocks until such a command ends would never return. Nothing is recorded
 * while no user event is open.
 */
class OpenUserEvents {
 public:
  using Ids = std::vector<uint64_t>;
  /** The commands that a command waits for besides its wait list. */
  enum class After : uint8_t {
    /** In an out-of-order queue only barriers; in an in-order queue all earlier commands. */
    as_the_queue_does,
    /** All earlier commands of the queue: a marker without a wait list. */
    all_before,
    /** The same, and later commands wait for it: a barrier. */
    barrier,
  };

  void open(cl_event user_event);
  /** It got its status. */
  void close(cl_event user_event);
  /** It can no longer be completed: commands that wait for it never end. */
  void lose(cl_event user_event);
  bool any_open() const { return !open_.empty(); }
  bool is_open(cl_event user_event) const { return user_events_.count(user_event) > 0; }

  /** The open user events that a command which is about to be enqueued will wait for. */
  Ids before(cl_command_queue queue, const cl_event* waits, size_t count, After after) const;
  /** The command was enqueued; `event` may be null. */
  void enqueued(cl_command_queue queue, const Platform& platform, cl_event event, const Ids& ids, After after);
  void queue_made(cl_command_queue queue) { queues_.erase(queue); }

  /** Whether the event is, or the commands of the queue wait for, an open user event. */
  bool blocks(cl_event event) const;
  bool blocks(cl_command_queue queue) const;

 private:
  struct Queue {
    bool in_order;
    /** The open user events that its commands wait for, and those that its barriers wait for. */
    Ids all, barriers;
  };
  bool any_open(const Ids& ids) const;
  bool holds_any(uint64_t id) const;
  void remove(uint64_t id);
  void add(Ids& to, const Ids& ids) const;

  uint64_t next_ = 1;
  std::unordered_set<uint64_t> open_;
  std::unordered_map<cl_event, uint64_t> user_events_;
  std::unordered_map<cl_event, Ids> commands_;
  std::unordered_map<cl_command_queue, Queue> queues_;
};

}  // namespace anycl
