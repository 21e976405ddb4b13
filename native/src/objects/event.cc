// SPDX-License-Identifier: MIT
#include "event.h"

#include "../cl/event_info.h"

namespace anycl {
namespace {

void CL_CALLBACK on_status(cl_event, cl_int status, void* user) { static_cast<Ticket*>(user)->redeem(status); }

}  // namespace

cl_int ask_for_callback(const Platform& platform, cl_event event, cl_int status, Ticket* ticket) {
  const cl_int code = platform.cl.clSetEventCallback.of(platform)(event, status, on_status, ticket);
  if (code != CL_SUCCESS) delete ticket;
  return code;
}

void notify_on(Environment& environment, const Platform& platform, cl_event event, cl_int status, double id) {
  const cl_int code = ask_for_callback(platform, event, status, environment.ticket(id));
  if (code == CL_SUCCESS) return;
  environment.forget(id);
  fail(code, "clSetEventCallback");
}

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
      environment_.open_event(stand_in_, platform_);
    }
    events[i] = stand_in_;
  }
}

void WaitList::hold(const cl_event* events, size_t count) {
  const Gates& gates = environment_.gates;
  environment_.held_events.hold_end_of(queue_, platform_, gates.shut(queue_));
  for (size_t i = 0; i < count; i++)
    environment_.held_events.hold(events[i], platform_, gates.shut(events[i]));
}

void WaitList::fail_stand_in() {
  environment_.fail_event(stand_in_, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, platform_);
  platform_.cl.clReleaseEvent.pointer(stand_in_);
}

napi_value create_user_event(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  cl_int code = CL_SUCCESS;
  const cl_event event = context.platform->cl.clCreateUserEvent.of(*context.platform)(context.as<cl_context>(), &code);
  check(code, "clCreateUserEvent");
  a.environment().open_event(event, *context.platform);
  return a.of(a.environment().handles.add(Kind::event, event, context.platform));
}

napi_value set_user_status(Arguments& a) {
  const Slot& event = a.handle(0, Kind::event);
  const cl_int status = a.int32(1);
  a.environment().set_user_status(event.as<cl_event>(), status, *event.platform);
  return a.nothing();
}

napi_value event_status(Arguments& a) {
  const Slot& event = a.handle(0, Kind::event);
  cl_int status = a.environment().held_events.pending_status(event.as<cl_event>());
  if (status == CL_COMPLETE)
    check(event.platform->cl.clGetEventInfo.pointer(event.as<cl_event>(), CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                    sizeof status, &status, nullptr),
          "clGetEventInfo");
  return a.of(static_cast<double>(status));
}

napi_value on_event(Arguments& a) {
  const Slot& event = a.handle(0, Kind::event);
  const cl_int status = a.int32(1);
  const double id = a.environment().expect(true);
  a.environment().await_event(id, event.as<cl_event>(), status, event.platform);
  return a.of(id);
}

napi_value wait_sync(Arguments& a) {
  if (a.numbers(0).empty()) return a.nothing();
  const Platform& platform = a.platform_of(0, Kind::event);
  const auto events = a.handles<cl_event>(0, Kind::event, platform);
  for (cl_event event : events) a.environment().before_blocking("clWaitForEvents", event);
  check(platform.cl.clWaitForEvents.pointer(static_cast<cl_uint>(events.size()), events.data()), "clWaitForEvents");
  a.environment().sweep();
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
