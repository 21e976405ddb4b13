// SPDX-License-Identifier: MIT
//
// Contexts and queues.
#include <set>

#include "info.h"
#include "objects.h"

namespace icd {

bool matches(cl_device_type type);
bool is_known(cl_device_type type);

namespace {

using Notify = void(CL_CALLBACK*)(const char*, const void*, size_t, void*);

/** The property list with its closing 0, or the error code. */
cl_int read_properties(const cl_context_properties* list, std::vector<cl_context_properties>& properties) {
  if (list == nullptr) return CL_SUCCESS;
  std::set<cl_context_properties> seen;
  for (; *list != 0; list += 2) {
    if (!seen.insert(list[0]).second) return CL_INVALID_PROPERTY;
    switch (list[0]) {
      case CL_CONTEXT_PLATFORM:
        if (!is(reinterpret_cast<cl_platform_id>(list[1]))) return CL_INVALID_PLATFORM;
        break;
      case CL_CONTEXT_INTEROP_USER_SYNC:
      case CL_CONTEXT_TERMINATE_KHR:
        if (list[1] != CL_TRUE && list[1] != CL_FALSE) return CL_INVALID_PROPERTY;
        break;
      case CL_CONTEXT_MEMORY_INITIALIZE_KHR:
        break;
      default:
        return CL_INVALID_PROPERTY;
    }
    properties.insert(properties.end(), {list[0], list[1]});
  }
  properties.push_back(0);
  return CL_SUCCESS;
}

/** The flags that the server needs. */
std::vector<uint64_t> for_server(const std::vector<cl_context_properties>& properties) {
  std::vector<uint64_t> given;
  for (size_t at = 0; at + 1 < properties.size(); at += 2) {
    if (properties[at] != CL_CONTEXT_TERMINATE_KHR && properties[at] != CL_CONTEXT_MEMORY_INITIALIZE_KHR) continue;
    given.insert(given.end(), {static_cast<uint64_t>(properties[at]), static_cast<uint64_t>(properties[at + 1])});
  }
  return given;
}

cl_context create(const cl_context_properties* list, const std::vector<cl_device_id>& devices, Notify notify, void* user_data,
                  cl_int* errcode_ret) {
  std::vector<cl_context_properties> properties;
  const cl_int wrong = read_properties(list, properties);
  if (wrong != CL_SUCCESS) return fail(wrong, errcode_ret);
  if (notify == nullptr && user_data != nullptr) return fail(CL_INVALID_VALUE, errcode_ret);
  Connection* connection = Connection::open();
  if (connection == nullptr) return fail(CL_DEVICE_NOT_AVAILABLE, errcode_ret);
  cl_context context = make<_cl_context>(connection);
  std::vector<uint32_t> ids;
  for (cl_device_id of : devices) {
    if (context->has(of)) continue;
    context->devices.emplace_back(of);
    ids.push_back(of->id);
  }
  const std::vector<uint64_t> given = for_server(properties);
  context->properties = std::move(properties);
  return finish(context, connection->ask(CreateContext{context->id, ids, given}).status, errcode_ret);
}

constexpr cl_command_queue_properties kKnownFlags = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE |
                                                    CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

/** CL_SUCCESS, or the error code for these flags. */
cl_int check_flags(cl_command_queue_properties flags) {
  if ((flags & ~kKnownFlags) != 0) return CL_INVALID_VALUE;
  const bool on_device = (flags & CL_QUEUE_ON_DEVICE) != 0;
  if (on_device && (flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0) return CL_INVALID_VALUE;
  return !on_device && (flags & CL_QUEUE_ON_DEVICE_DEFAULT) != 0 ? CL_INVALID_VALUE : CL_SUCCESS;
}

/** The context's default queue on the device, retained; null if there is none. */
cl_command_queue retained_default(cl_context context) {
  std::lock_guard lock(context->mutex);
  cl_command_queue queue = context->default_queue;
  return retain(queue, CL_INVALID_COMMAND_QUEUE) == CL_SUCCESS ? queue : nullptr;
}

cl_command_queue create_queue(cl_context context, cl_device_id of, std::vector<cl_queue_properties> properties,
                              cl_command_queue_properties flags, cl_int* errcode_ret) {
  if (!is(context)) return fail(CL_INVALID_CONTEXT, errcode_ret);
  if (!is(of) || !context->has(of)) return fail(CL_INVALID_DEVICE, errcode_ret);
  if (const cl_int wrong = check_flags(flags); wrong != CL_SUCCESS) return fail(wrong, errcode_ret);
  const bool is_default = (flags & CL_QUEUE_ON_DEVICE_DEFAULT) != 0;
  if (is_default) {
    if (cl_command_queue existing = retained_default(context); existing != nullptr) {
      if (errcode_ret != nullptr) *errcode_ret = CL_SUCCESS;
      return existing;
    }
  }
  Connection* connection = context->connection;
  cl_command_queue queue = make<_cl_command_queue>(connection);
  queue->context = Use(context);
  queue->device = Use(of);
  queue->flags = flags;
  std::vector<uint64_t> given(properties.begin(), properties.end());
  if (given.empty()) given = {CL_QUEUE_PROPERTIES, flags};
  else given.pop_back();
  queue->properties = std::move(properties);
  const Answer<CreateQueue> answer = connection->ask(CreateQueue{queue->id, context->id, of->id, given});
  if (answer.status == CL_SUCCESS) {
    queue->size = answer.reply.size;
    std::lock_guard lock(context->mutex);
    if (is_default) context->default_queue = queue;
  }
  return finish(queue, answer.status, errcode_ret);
}

/** Whether a hint has one of its three values, each a bit (cl_khr_priority_hints, cl_khr_throttle_hints). */
bool is_hint(cl_queue_properties value) { return value == 1 || value == 2 || value == 4; }

}  // namespace

cl_context CL_API_CALL clCreateContext(const cl_context_properties* properties, cl_uint num_devices,
                                       const cl_device_id* devices, Notify pfn_notify, void* user_data,
                                       cl_int* errcode_ret) {
  if (num_devices == 0 || devices == nullptr) return fail(CL_INVALID_VALUE, errcode_ret);
  for (cl_uint i = 0; i < num_devices; i++)
    if (!is(devices[i])) return fail(CL_INVALID_DEVICE, errcode_ret);
  return create(properties, {devices, devices + num_devices}, pfn_notify, user_data, errcode_ret);
}

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties* properties, cl_device_type device_type,
                                               Notify pfn_notify, void* user_data, cl_int* errcode_ret) {
  if (!is_known(device_type)) return fail(CL_INVALID_DEVICE_TYPE, errcode_ret);
  if (!matches(device_type)) return fail(CL_DEVICE_NOT_FOUND, errcode_ret);
  return create(properties, {&device}, pfn_notify, user_data, errcode_ret);
}

cl_int CL_API_CALL clRetainContext(cl_context context) { return retain(context, CL_INVALID_CONTEXT); }
cl_int CL_API_CALL clReleaseContext(cl_context context) { return release(context, CL_INVALID_CONTEXT); }

cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info param_name, size_t param_value_size,
                                    void* param_value, size_t* param_value_size_ret) {
  if (!is(context)) return CL_INVALID_CONTEXT;
  const Target target{param_value_size, param_value, param_value_size_ret};
  switch (param_name) {
    case CL_CONTEXT_REFERENCE_COUNT:
      return target.put(cl_uint{context->references});
    case CL_CONTEXT_NUM_DEVICES:
      return target.put(static_cast<cl_uint>(context->devices.size()));
    case CL_CONTEXT_DEVICES:
      return target.put(context->handles());
    case CL_CONTEXT_PROPERTIES:
      return target.put(context->properties);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context, void(CL_CALLBACK* pfn_notify)(cl_context, void*),
                                                  void* user_data) {
  if (!is(context)) return CL_INVALID_CONTEXT;
  if (pfn_notify == nullptr) return CL_INVALID_VALUE;
  std::lock_guard lock(context->mutex);
  context->on_destroy.push_back([=] { pfn_notify(context, user_data); });
  return CL_SUCCESS;
}

cl_int CL_API_CALL clTerminateContextKHR(cl_context context) {
  if (!is(context)) return CL_INVALID_CONTEXT;
  const cl_int status = context->connection->ask(TerminateContext{context->id}).status;
  if (status == CL_SUCCESS) context->terminated.store(true);
  return status;
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id of,
                                                  cl_command_queue_properties properties, cl_int* errcode_ret) {
  return create_queue(context, of, {}, properties, errcode_ret);
}

cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(cl_context context, cl_device_id of,
                                                                const cl_queue_properties* properties,
                                                                cl_int* errcode_ret) {
  cl_command_queue_properties flags = 0;
  std::vector<cl_queue_properties> list;
  bool sized = false;
  for (const cl_queue_properties* at = properties; at != nullptr && *at != 0; at += 2) {
    const bool is_hint_key = at[0] == CL_QUEUE_PRIORITY_KHR || at[0] == CL_QUEUE_THROTTLE_KHR;
    if (at[0] == CL_QUEUE_PROPERTIES) flags = at[1];
    else if (at[0] == CL_QUEUE_SIZE) sized = true;
    else if (!is_hint_key || !is_hint(at[1])) return fail(CL_INVALID_VALUE, errcode_ret);
    list.insert(list.end(), {at[0], at[1]});
  }
  if (sized && (flags & CL_QUEUE_ON_DEVICE) == 0) return fail(CL_INVALID_VALUE, errcode_ret);
  if (properties != nullptr) list.push_back(0);
  return create_queue(context, of, std::move(list), flags, errcode_ret);
}

cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(cl_context context, cl_device_id of,
                                                                   const cl_queue_properties_khr* properties,
                                                                   cl_int* errcode_ret) {
  return clCreateCommandQueueWithProperties(context, of, properties, errcode_ret);
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue queue) { return retain(queue, CL_INVALID_COMMAND_QUEUE); }
cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue) { return release(queue, CL_INVALID_COMMAND_QUEUE); }

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param_name,
                                         size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  if (!is(queue)) return CL_INVALID_COMMAND_QUEUE;
  const Target target{param_value_size, param_value, param_value_size_ret};
  switch (param_name) {
    case CL_QUEUE_CONTEXT:
      return target.put(queue->context.get());
    case CL_QUEUE_DEVICE:
      return target.put(queue->device.get());
    case CL_QUEUE_REFERENCE_COUNT:
      return target.put(cl_uint{queue->references});
    case CL_QUEUE_PROPERTIES:
      return target.put(queue->flags);
    case CL_QUEUE_PROPERTIES_ARRAY:
      return target.put(queue->properties);
    case CL_QUEUE_DEVICE_DEFAULT:
      return target.put(queue->context->default_queue);
    case CL_QUEUE_SIZE:
      return queue->is_on_device() ? target.put(queue->size) : CL_INVALID_COMMAND_QUEUE;
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties, cl_bool,
                                             cl_command_queue_properties*) {
  // Only OpenCL 1.0 allows it.
  return is(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id of, cl_command_queue queue) {
  if (!is(context)) return CL_INVALID_CONTEXT;
  if (!is(of)) return CL_INVALID_DEVICE;
  if (!is(queue) || !queue->is_on_device() || queue->context.get() != context) return CL_INVALID_COMMAND_QUEUE;
  const cl_int status = context->connection->ask(SetDefaultQueue{context->id, queue->id}).status;
  std::lock_guard lock(context->mutex);
  if (status == CL_SUCCESS) context->default_queue = queue;
  return status;
}

// Nothing to do: commands start as soon as they are ready.
cl_int CL_API_CALL clFlush(cl_command_queue queue) { return is_host_queue(queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE; }

cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  if (!is_host_queue(queue)) return CL_INVALID_COMMAND_QUEUE;
  // Short commands are complete when the server accepts them.
  if (queue->sent.load() == queue->idle_after.load()) return CL_SUCCESS;
  const Answer<Finish> answer = queue->connection->ask(Finish{queue->id});
  if (answer.status == CL_SUCCESS && answer.reply.idle != 0) queue->idle_after.store(answer.reply.idle);
  return answer.status;
}

}  // namespace icd
