// SPDX-License-Identifier: MIT
//
// Binary semaphores (cl_khr_semaphore).
#include <algorithm>

#include "commands.h"
#include "info.h"

namespace icd {

namespace {

/** The property list with its closing 0, and its devices; or the error code. */
cl_int read_properties(const cl_semaphore_properties_khr* list, _cl_semaphore_khr& semaphore) {
  if (list == nullptr || *list == 0) return CL_INVALID_VALUE;
  auto& properties = semaphore.properties;
  bool has_type = false;
  while (*list != 0) {
    const cl_semaphore_properties_khr key = *list++;
    properties.push_back(key);
    if (key == CL_SEMAPHORE_TYPE_KHR) {
      if (has_type || *list != CL_SEMAPHORE_TYPE_BINARY_KHR) return CL_INVALID_PROPERTY;
      has_type = true;
      properties.push_back(*list++);
    } else if (key == CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) {
      for (; *list != CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR; list++) {
        auto* of = reinterpret_cast<cl_device_id>(*list);
        if (!is(of) || !semaphore.context->has(of)) return CL_INVALID_DEVICE;
        semaphore.devices.push_back(of);
        properties.push_back(*list);
      }
      properties.push_back(*list++);
    } else {
      return CL_INVALID_PROPERTY;
    }
  }
  properties.push_back(0);
  return has_type ? CL_SUCCESS : CL_INVALID_VALUE;
}

/** The ids of semaphores for a command of the queue, or the error code. */
cl_int read_semaphores(cl_command_queue queue, cl_uint count, const cl_semaphore_khr* list, std::vector<uint32_t>& ids) {
  if (!is(queue)) return CL_INVALID_COMMAND_QUEUE;
  if (count == 0 || list == nullptr) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; i++) {
    const cl_semaphore_khr semaphore = list[i];
    if (!is(semaphore)) return CL_INVALID_SEMAPHORE_KHR;
    if (semaphore->context.get() != queue->context.get()) return CL_INVALID_CONTEXT;
    const auto& devices = semaphore->devices;
    if (!devices.empty() && std::find(devices.begin(), devices.end(), queue->device.get()) == devices.end())
      return CL_INVALID_COMMAND_QUEUE;
    ids.push_back(semaphore->id);
  }
  return CL_SUCCESS;
}

/** Whether an event of the wait list has failed: semaphore commands are then refused. */
bool has_failed(const Enqueue& enqueue) {
  for (cl_uint i = 0; enqueue.wait_list != nullptr && i < enqueue.num_events; i++) {
    cl_event event = enqueue.wait_list[i];
    if (!is(event)) continue;
    cl_int status = CL_QUEUED;
    // The server is asked, because its notice of the event may not have arrived.
    const Target target{sizeof status, &status, nullptr};
    target.ask(*event->connection, Subject::kEvent, event->id, CL_EVENT_COMMAND_EXECUTION_STATUS);
    if (status < 0) return true;
  }
  return false;
}

template <typename Request>
cl_int enqueue(const Enqueue& enqueue, cl_uint count, const cl_semaphore_khr* list, cl_command_type type) {
  std::vector<uint32_t> ids;
  if (const cl_int wrong = read_semaphores(enqueue.queue, count, list, ids); wrong != CL_SUCCESS) return wrong;
  if (has_failed(enqueue)) return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  Request request;
  request.semaphores = ids;
  return enqueue.send(request, type);
}

}  // namespace

cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(cl_context context,
                                                                const cl_semaphore_properties_khr* sema_props,
                                                                cl_int* errcode_ret) {
  if (!is(context)) return fail(CL_INVALID_CONTEXT, errcode_ret);
  cl_semaphore_khr semaphore = make<_cl_semaphore_khr>(context->connection);
  semaphore->context = Use(context);
  cl_int status = read_properties(sema_props, *semaphore);
  // In a context of several devices, the list must name the one device that uses the semaphore.
  if (status == CL_SUCCESS && semaphore->devices.size() != 1 && context->devices.size() > 1) status = CL_INVALID_PROPERTY;
  if (status != CL_SUCCESS) return finish(semaphore, status, errcode_ret);
  const std::vector<uint64_t> type{CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR};
  return finish(semaphore, semaphore->connection->ask(CreateSemaphore{semaphore->id, context->id, type}).status, errcode_ret);
}

cl_int CL_API_CALL clRetainSemaphoreKHR(cl_semaphore_khr sema_object) { return retain(sema_object, CL_INVALID_SEMAPHORE_KHR); }
cl_int CL_API_CALL clReleaseSemaphoreKHR(cl_semaphore_khr sema_object) { return release(sema_object, CL_INVALID_SEMAPHORE_KHR); }

// Binary semaphores have no payloads.
cl_int CL_API_CALL clEnqueueWaitSemaphoresKHR(cl_command_queue queue, cl_uint num_sema_objects,
                                              const cl_semaphore_khr* sema_objects, const cl_semaphore_payload_khr*,
                                              cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  return enqueue<EnqueueWaitSemaphores>({queue, num_events, wait_list, event}, num_sema_objects, sema_objects,
                                        CL_COMMAND_SEMAPHORE_WAIT_KHR);
}

cl_int CL_API_CALL clEnqueueSignalSemaphoresKHR(cl_command_queue queue, cl_uint num_sema_objects,
                                                const cl_semaphore_khr* sema_objects, const cl_semaphore_payload_khr*,
                                                cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  return enqueue<EnqueueSignalSemaphores>({queue, num_events, wait_list, event}, num_sema_objects, sema_objects,
                                          CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
}

cl_int CL_API_CALL clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id of,
                                                  cl_external_semaphore_handle_type_khr, size_t, void*, size_t*) {
  if (!is(sema_object)) return CL_INVALID_SEMAPHORE_KHR;
  // Semaphores cannot be created for export.
  return is(of) && sema_object->context->has(of) ? CL_INVALID_VALUE : CL_INVALID_DEVICE;
}

cl_int CL_API_CALL clGetSemaphoreInfoKHR(cl_semaphore_khr sema_object, cl_semaphore_info_khr param_name,
                                         size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  if (!is(sema_object)) return CL_INVALID_SEMAPHORE_KHR;
  const Target target{param_value_size, param_value, param_value_size_ret};
  switch (param_name) {
    case CL_SEMAPHORE_CONTEXT_KHR:
      return target.put(sema_object->context.get());
    case CL_SEMAPHORE_REFERENCE_COUNT_KHR:
      return target.put(cl_uint{sema_object->references});
    case CL_SEMAPHORE_PROPERTIES_KHR:
      return target.put(sema_object->properties);
    case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:
      return target.put(sema_object->devices.empty() ? sema_object->context->handles() : sema_object->devices);
    default:
      return target.ask(*sema_object->connection, Subject::kSemaphore, sema_object->id, param_name);
  }
}

}  // namespace icd
