// SPDX-License-Identifier: MIT
//
// How commands are enqueued.
#pragma once
#include <functional>
#include <vector>

#include "objects.h"

namespace icd {

/** What every clEnqueue… function is given. */
struct Enqueue {
  cl_command_queue queue;
  cl_uint num_events;
  const cl_event* wait_list;
  cl_event* event;
  bool blocking = false;

  cl_int check() const { return is(queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE; }
  cl_context context() const { return queue->context.get(); }

  /** The ids of the wait list, or what is wrong with queue or list. */
  cl_int read_wait_list(std::vector<uint32_t>& ids) const;
  /** An event of the queue's, that hears of its command's end. `after` runs before anyone else hears of it. */
  cl_event make_event(cl_command_type type, std::function<void(cl_int)> after) const;
  /** When the server has taken the command, or not. */
  cl_int finish(cl_event made, cl_int status) const;

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
    return finish(made, queue->connection->ask(request).status);
  }
};

/** Whether the list's entries are there: where a program gives a count and a list, both or none of them say something. */
inline bool is_list(cl_uint count, const void* list) { return (count == 0) == (list == nullptr); }

/** Waits until the event is complete; its status. */
cl_int wait_for(cl_event event);

}  // namespace icd
