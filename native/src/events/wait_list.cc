// SPDX-License-Identifier: MIT
#include "wait_list.h"

#include "event_info.h"
#include "user_events.h"

namespace anycl {

void WaitList::replace(cl_event* events, size_t count) {
  const Library& cl = platform_.cl;
  for (size_t i = 0; i < count; i++) {
    if (status_of(events[i], platform_) >= CL_COMPLETE) continue;
    if (!stand_in_) {
      cl_context context = nullptr;
      check(cl.clGetEventInfo.pointer(events[i], CL_EVENT_CONTEXT, sizeof(cl_context), &context, nullptr), "clGetEventInfo");
      cl_int code = CL_SUCCESS;
      stand_in_ = cl.clCreateUserEvent.of(platform_)(context, &code);
      check(code, "clCreateUserEvent");
      user_event_created(environment_, stand_in_, platform_);
    }
    events[i] = stand_in_;
  }
}

void WaitList::hold(const cl_event* events, size_t count) {
  const OpenUserEvents& open = environment_.open_user_events;
  environment_.pocl_failed_events.hold_end_of(queue_, platform_, open.blocks(queue_));
  for (size_t i = 0; i < count; i++)
    environment_.pocl_failed_events.hold(events[i], platform_, open.blocks(events[i]));
}

void WaitList::fail_stand_in() {
  fail_user_event(environment_, stand_in_, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, platform_);
  platform_.cl.clReleaseEvent.pointer(stand_in_);
}

}  // namespace anycl
