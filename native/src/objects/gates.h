// SPDX-License-Identifier: MIT
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "../cl/library.h"

namespace anycl {

/**
 * Which commands wait for user events that have no status yet, directly or behind other commands. Only this thread can give
 * them one, so a call that blocks until such a command ends would never return. Nothing is kept while no user event is open.
 */
class Gates {
 public:
  using Ids = std::vector<uint64_t>;
  /** What a command waits for, beside its wait list. */
  enum class After : uint8_t {
    /** In a queue out of order nothing but barriers; in one in order all that came before. */
    as_the_queue_does,
    /** All that the queue had before: a marker without a wait list. */
    all_before,
    /** The same, and what comes later waits for it: a barrier. */
    barrier,
  };

  void open(cl_event user_event);
  /** It got its status. */
  void close(cl_event user_event);
  /** Nobody can give it one any more: what waits for it waits for ever. */
  void lose(cl_event user_event);
  bool any_open() const { return !open_.empty(); }
  bool is_open(cl_event user_event) const { return user_events_.count(user_event) > 0; }

  /** The open gates of a command that is about to be enqueued. */
  Ids before(cl_command_queue queue, const cl_event* waits, size_t count, After after) const;
  /** It was enqueued; `event` may be null. */
  void enqueued(cl_command_queue queue, const Platform& platform, cl_event event, const Ids& ids, After after);
  void queue_made(cl_command_queue queue) { queues_.erase(queue); }

  /** Whether the user event, or something that the command or the queue waits for, is open. */
  bool shut(cl_event event) const;
  bool shut(cl_command_queue queue) const;

 private:
  struct Queue {
    bool in_order;
    /** The gates of all of its commands, and those of its barriers. */
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
