// SPDX-License-Identifier: MIT
#include "event.h"

#include <vector>

#include "../events/user_events.h"

namespace anycl {
namespace {

/** The events of the first argument; throws if they wait for this thread. */
std::vector<cl_event> awaitable(Arguments& a, const Platform& platform) {
  auto events = a.handles<cl_event>(0, Kind::event, platform);
  for (cl_event event : events) a.environment().before_blocking("clWaitForEvents", event);
  return events;
}

}  // namespace

napi_value create_user_event(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  cl_int code = CL_SUCCESS;
  const cl_event event = context.platform->cl.clCreateUserEvent.of(*context.platform)(context.as<cl_context>(), &code);
  check(code, "clCreateUserEvent");
  user_event_created(a.environment(), event, *context.platform);
  return a.of(a.environment().handles.add(Kind::event, event, context.platform));
}

napi_value set_user_status(Arguments& a) {
  const Slot& event = a.handle(0, Kind::event);
  const cl_int status = a.int32(1);
  set_user_event_status(a.environment(), event.as<cl_event>(), status, *event.platform);
  return a.nothing();
}

napi_value event_status(Arguments& a) {
  const Slot& event = a.handle(0, Kind::event);
  cl_int status = a.environment().pocl_failed_events.pending_status(event.as<cl_event>());
  if (status == CL_COMPLETE)
    check(event.platform->cl.clGetEventInfo.pointer(event.as<cl_event>(), CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                    sizeof status, &status, nullptr),
          "clGetEventInfo");
  return a.of(static_cast<double>(status));
}

napi_value on_event(Arguments& a) {
  const Slot& event = a.handle(0, Kind::event);
  const cl_int status = a.int32(1);
  const double id = a.environment().tickets.expect(true);
  a.environment().tickets.await_event(id, event.as<cl_event>(), status, event.platform);
  return a.of(id);
}

napi_value wait_sync(Arguments& a) {
  if (a.numbers(0).empty()) return a.nothing();
  const Platform& platform = a.platform_of(0, Kind::event);
  const auto events = awaitable(a, platform);
  check(platform.cl.clWaitForEvents.pointer(static_cast<cl_uint>(events.size()), events.data()), "clWaitForEvents");
  a.environment().sweep();
  return a.nothing();
}

napi_value check_blocking(Arguments& a) {
  if (!a.numbers(0).empty()) awaitable(a, a.platform_of(0, Kind::event));
  return a.nothing();
}

napi_value event_from_gl_sync(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  cl_int code = CL_SUCCESS;
  const cl_event event = context.platform->ext.clCreateEventFromGLsyncKHR.of(*context.platform)(
      context.as<cl_context>(), reinterpret_cast<cl_GLsync>(a.bigint(1)), &code);
  check(code, "clCreateEventFromGLsyncKHR");
  return a.of(a.environment().handles.add(Kind::event, event, context.platform));
}

napi_value event_from_egl_sync(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  cl_int code = CL_SUCCESS;
  const cl_event event = context.platform->ext.clCreateEventFromEGLSyncKHR.of(*context.platform)(
      context.as<cl_context>(), reinterpret_cast<CLeglSyncKHR>(a.bigint(1)),
      reinterpret_cast<CLeglDisplayKHR>(a.bigint(2)), &code);
  check(code, "clCreateEventFromEGLSyncKHR");
  return a.of(a.environment().handles.add(Kind::event, event, context.platform));
}

}  // namespace anycl
