// SPDX-License-Identifier: MIT
#include "context.h"

#include "info.h"

namespace anycl {
namespace {

/** The driver's own message about a failure, such as a kernel's fault. */
void CL_CALLBACK on_message(const char* text, const void*, size_t, void* user) {
  static_cast<Ticket*>(user)->completions->push_message(text ? text : "");
}

void CL_CALLBACK on_destroyed(cl_context, void* user) { static_cast<Ticket*>(user)->redeem(CL_SUCCESS); }

/** The caller's properties, with the platform first: some drivers require it, and another one would be wrong. */
std::vector<cl_context_properties> context_properties(const std::vector<cl_ulong>& given, const Platform& platform) {
  std::vector<cl_context_properties> out = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform.id)};
  for (size_t i = 0; i + 1 < given.size() && given[i] != 0; i += 2) {
    if (given[i] == CL_CONTEXT_PLATFORM) continue;
    out.push_back(static_cast<cl_context_properties>(given[i]));
    out.push_back(static_cast<cl_context_properties>(given[i + 1]));
  }
  out.push_back(0);
  return out;
}

napi_value finish(Arguments& a, cl_context context, cl_int code, const char* function, Platform* platform) {
  check(code, function);
  return a.of(a.environment().handles.add(Kind::context, context, platform));
}

}  // namespace

napi_value create_context(Arguments& a) {
  Platform* platform = &a.platform_of(0, Kind::device);
  const auto devices = a.handles<cl_device_id>(0, Kind::device, *platform);
  const auto properties = context_properties(a.properties(1), *platform);
  cl_int code = CL_SUCCESS;
  const cl_context context = platform->cl.clCreateContext.of(*platform)(
      properties.data(), static_cast<cl_uint>(devices.size()), devices.data(), on_message,
      a.environment().tickets.ticket_of_messages(), &code);
  return finish(a, context, code, "clCreateContext", platform);
}

napi_value create_context_from_type(Arguments& a) {
  Platform* platform = a.handle(0, Kind::platform).platform;
  const auto type = static_cast<cl_device_type>(a.size(1));
  const auto properties = context_properties(a.properties(2), *platform);
  cl_int code = CL_SUCCESS;
  const cl_context context = platform->cl.clCreateContextFromType.of(*platform)(properties.data(), type, on_message,
                                                                               a.environment().tickets.ticket_of_messages(), &code);
  return finish(a, context, code, "clCreateContextFromType", platform);
}

napi_value on_context_destroyed(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  const auto set = context.platform->cl.clSetContextDestructorCallback.of(*context.platform);
  const double id = a.environment().tickets.expect(true, false);
  Ticket* ticket = a.environment().tickets.ticket(id);
  const cl_int code = set(context.as<cl_context>(), on_destroyed, ticket);
  if (code != CL_SUCCESS) {
    a.environment().tickets.forget(id);
    delete ticket;
    fail(code, "clSetContextDestructorCallback");
  }
  return a.of(id);
}

napi_value terminate_context(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  check(context.platform->ext.clTerminateContextKHR.of(*context.platform)(context.as<cl_context>()),
        "clTerminateContextKHR");
  return a.nothing();
}

napi_value gl_context_info(Arguments& a) {
  Platform& platform = *a.handle(0, Kind::platform).platform;
  const auto properties = context_properties(a.properties(1), platform);
  const cl_uint key = a.uint(2);
  const auto bytes = query("clGetGLContextInfoKHR", [&](size_t size, void* value, size_t* needed) {
    return platform.ext.clGetGLContextInfoKHR.of(platform)(properties.data(), key, size, value, needed);
  });
  std::vector<double> handles;
  for (size_t at = 0; at + sizeof(cl_device_id) <= bytes.size(); at += sizeof(cl_device_id))
    handles.push_back(a.environment().handles.of(
        Kind::device, *reinterpret_cast<const cl_device_id*>(bytes.data() + at), &platform));
  return a.of(handles);
}

}  // namespace anycl
