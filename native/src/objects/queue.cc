// SPDX-License-Identifier: MIT
#include "queue.h"

#include <algorithm>

namespace anycl {
namespace {

/** Whether the device is a part of another one, and the context has that one only. */
bool is_sub_device_of_context(cl_device_id device, cl_context context, const Library& cl) {
  cl_device_id parent = nullptr;
  size_t bytes = 0;
  if (cl.clGetDeviceInfo.pointer(device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, nullptr) != CL_SUCCESS ||
      !parent || cl.clGetContextInfo.pointer(context, CL_CONTEXT_DEVICES, 0, nullptr, &bytes) != CL_SUCCESS)
    return false;
  std::vector<cl_device_id> devices(bytes / sizeof(cl_device_id));
  cl.clGetContextInfo.pointer(context, CL_CONTEXT_DEVICES, bytes, devices.data(), nullptr);
  return std::find(devices.begin(), devices.end(), device) == devices.end();
}

}  // namespace

napi_value create_queue(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  Platform* platform = context.platform;
  const auto object = context.as<cl_context>();
  const auto device = a.handle(1, Kind::device, *platform).as<cl_device_id>();
  const std::vector<cl_ulong> properties = a.properties(2);
  const Library& cl = platform->cl;
  cl_int code = CL_SUCCESS;
  cl_command_queue queue = nullptr;
  const char* function = "clCreateCommandQueueWithProperties";
  if (cl.clCreateCommandQueueWithProperties.in(*platform)) {
    queue = cl.clCreateCommandQueueWithProperties.pointer(object, device, properties.data(), &code);
  } else {
    cl_command_queue_properties flags = 0;
    bool only_flags = true;
    for (size_t i = 0; i + 1 < properties.size() && properties[i] != 0; i += 2) {
      if (properties[i] == CL_QUEUE_PROPERTIES)
        flags = properties[i + 1];
      else
        only_flags = false;
    }
    if (!only_flags && platform->ext.clCreateCommandQueueWithPropertiesKHR.pointer) {
      function = "clCreateCommandQueueWithPropertiesKHR";
      queue = platform->ext.clCreateCommandQueueWithPropertiesKHR.pointer(object, device, properties.data(), &code);
    } else if (only_flags) {
      function = "clCreateCommandQueue";
      queue = cl.clCreateCommandQueue.of(*platform)(object, device, flags, &code);
    } else {
      cl.clCreateCommandQueueWithProperties.of(*platform);
    }
  }
  check(code, function);
  // Its events use the device too and may outlive the queue, so the reference is never released.
  if (platform->quirks.queues_forget_sub_devices && is_sub_device_of_context(device, object, cl))
    cl.clRetainDevice.of(*platform)(device);
  a.environment().open_user_events.queue_made(queue);
  return a.of(a.environment().handles.add(Kind::queue, queue, platform));
}

napi_value set_default_device_queue(Arguments& a) {
  const Slot& context = a.handle(0, Kind::context);
  const auto device = a.handle(1, Kind::device, *context.platform).as<cl_device_id>();
  const auto queue = a.handle(2, Kind::queue, *context.platform).as<cl_command_queue>();
  check(context.platform->cl.clSetDefaultDeviceCommandQueue.of(*context.platform)(context.as<cl_context>(), device, queue),
        "clSetDefaultDeviceCommandQueue");
  return a.nothing();
}

napi_value set_queue_property(Arguments& a) {
  const Slot& queue = a.handle(0, Kind::queue);
  // Later loaders have the function, but their drivers need not: in PoCL it is not a valid address.
  if (queue.platform->version > 10)
    fail(CL_INVALID_OPERATION, "clSetCommandQueueProperty", "it needs OpenCL 1.0, which later versions took back");
  check(queue.platform->cl.clSetCommandQueueProperty.of(*queue.platform)(
            queue.as<cl_command_queue>(), static_cast<cl_command_queue_properties>(a.size(1)), a.flag(2), nullptr),
        "clSetCommandQueueProperty");
  return a.nothing();
}

void flush(Environment& environment) {
  const Slot& queue = environment.handles.get(environment.scratch.operand[0], Kind::queue, "clFlush");
  check(queue.platform->cl.clFlush.pointer(queue.as<cl_command_queue>()), "clFlush");
}

void finish_sync(Environment& environment) {
  const Slot& queue = environment.handles.get(environment.scratch.operand[0], Kind::queue, "clFinish");
  environment.before_blocking("clFinish", queue.as<cl_command_queue>());
  const Library& cl = queue.platform->cl;
  // The marker is not flushed yet, and ends after all commands before it.
  if (queue.platform->quirks.finishes_unflushed_only)
    check(cl.clEnqueueMarkerWithWaitList.of(*queue.platform)(queue.as<cl_command_queue>(), 0, nullptr, nullptr), "clFinish");
  check(cl.clFinish.pointer(queue.as<cl_command_queue>()), "clFinish");
  environment.sweep();
}

}  // namespace anycl
