// SPDX-License-Identifier: MIT
//
// How commands are enqueued.
#pragma once
#include <functional>
#include <vector>

#include "objects.h"

namespace icd {

/** The parameters that all clEnqueue… functions share. */
struct Enqueue {
  cl_command_queue queue;
  cl_uint num_events;
  const cl_event* wait_list;
  cl_event* event;
  bool blocking = false;

  cl_int check() const { return is(queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE; }
  cl_context context() const { return queue->context.get(); }

  /** The ids of the wait list, or the error code of queue or list. */
  cl_int read_wait_list(std::vector<uint32_t>& ids) const;
  /** Whether queue and wait list are right, and all events of the list are known to be complete. */
  bool is_ready() const;
  /** An event of the queue that is notified of its command's completion. `after` runs before all other callbacks. */
  cl_event make_event(cl_command_type type, std::function<void(cl_int)> after) const;
  /** After the server has accepted or refused the command. */
  cl_int finish(cl_event made, cl_int status) const;
  /** Sends a complete request, and remembers whether the queue is idle then. */
  template <typename Request>
  cl_int ask(const Request& request) const {
    {
      // Not while a thread that found the queue idle carries out a command.
      std::lock_guard lock(queue->sending);
      queue->sent.fetch_add(1);
    }
    const Answer<Request> answer = queue->connection->ask(request);
    if (answer.status != CL_SUCCESS) queue->sent.fetch_sub(1);
    else if (answer.reply.idle != 0) queue->idle_after.store(answer.reply.idle);
    return answer.status;
  }

  /** Sends the command. */
  template <typename Request>
  cl_int send(Request request, cl_command_type type, std::function<void(cl_int)> after = {}) const {
    std::vector<uint32_t> wait;
    const cl_int wrong = read_wait_list(wait);
    if (wrong != CL_SUCCESS) return wrong;
    cl_event made = nullptr;
    if (event != nullptr || blocking || after) made = make_event(type, std::move(after));
    request.queue = queue->id;
    request.wait = wait;
    request.event = made == nullptr ? 0 : made->id;
    return finish(made, ask(request));
  }
};

/** Whether count and list agree: a list with entries, or neither. */
inline bool is_list(cl_uint count, const void* list) { return (count == 0) == (list == nullptr); }

/** Sets the event's status, if it is not complete yet, and runs its callbacks. */
void complete(cl_event event, cl_int status);
/** CL_QUEUED until this process knows that the event is complete. */
cl_int known_status(cl_event event);
/** Waits until the event is complete; returns its status. */
cl_int wait_for(cl_event event);

}  // namespace icd
