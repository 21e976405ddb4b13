// SPDX-License-Identifier: MIT
#include "user_events.h"

#include "event_info.h"

namespace anycl {

void user_event_created(Environment& environment, cl_event event, const Platform& platform) {
  environment.open_user_events.open(event);
  environment.pocl_failed_events.open(event, platform);
}

void set_user_event_status(Environment& environment, cl_event event, cl_int status, const Platform& platform) {
  static constexpr const char* function = "clSetUserEventStatus";
  OpenUserEvents& open = environment.open_user_events;
  PoclFailedEvents& workaround = environment.pocl_failed_events;
  // NVIDIA's driver accepts a second status.
  const bool has_status = !open.is_open(event) && is_user_event(event, platform) && !under_way(event, platform);
  if (has_status || workaround.pending_status(event) != CL_COMPLETE)
    fail(CL_INVALID_OPERATION, function, "the event already has a status");
  if (status < CL_COMPLETE && workaround.is_open(event))
    return fail_user_event(environment, event, status, platform);
  check(platform.cl.clSetUserEventStatus.of(platform)(event, status), function);
  open.close(event);
  workaround.close(event);
  if (status < CL_COMPLETE) environment.failures.request();
}

void fail_user_event(Environment& environment, cl_event event, cl_int status, const Platform& platform) {
  if (platform.quirks.mishandles_failed_events) {
    environment.pocl_failed_events.fail(event, status, platform);
  } else {
    platform.cl.clSetUserEventStatus.pointer(event, status);
    environment.open_user_events.close(event);
  }
  environment.failures.request();
}

}  // namespace anycl
