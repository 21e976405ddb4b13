// SPDX-License-Identifier: MIT
#include "command_buffer.h"

#include <algorithm>
#include <set>

#include "info.h"

cl_command_buffer_state_khr _cl_command_buffer_khr::state() const {
  if (!finalized) return CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
  const auto is_complete = [](const auto& command) {
    return std::find(command->given.begin(), command->given.end(), false) == command->given.end();
  };
  return std::all_of(commands.begin(), commands.end(), is_complete) ? CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR
                                                                    : CL_COMMAND_BUFFER_STATE_FINALIZED_KHR;
}

namespace icd {

cl_int Record::check_common() const {
  if (!is(buffer)) return CL_INVALID_COMMAND_BUFFER_KHR;
  // Without cl_khr_command_buffer_multi_device all commands are for the buffer's one queue.
  if (queue != nullptr) return CL_INVALID_COMMAND_QUEUE;
  if (!is_list(num_points, points)) return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
  std::lock_guard lock(buffer->mutex);
  return buffer->finalized ? CL_INVALID_OPERATION : CL_SUCCESS;
}

cl_int Record::check() const {
  const cl_int wrong = check_common();
  if (wrong != CL_SUCCESS) return wrong;
  const bool has_properties = properties != nullptr && *properties != 0;
  return has_properties || mutable_handle != nullptr ? CL_INVALID_VALUE : CL_SUCCESS;
}

namespace {

constexpr cl_command_buffer_flags_khr kKnownFlags = CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR;

/** The property list with its closing 0, and its flags; or the error code. */
cl_int read_properties(const cl_command_buffer_properties_khr* list, _cl_command_buffer_khr& buffer) {
  if (list == nullptr) return CL_SUCCESS;
  std::set<cl_command_buffer_properties_khr> seen;
  for (; *list != 0; list += 2) {
    if (!seen.insert(*list).second) return CL_INVALID_VALUE;
    if (*list == CL_COMMAND_BUFFER_FLAGS_KHR) buffer.flags = list[1];
    else if (*list == CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR) buffer.asserts = list[1];
    else return CL_INVALID_VALUE;
    if ((buffer.flags & ~kKnownFlags) != 0 || (buffer.asserts & ~kKnownAsserts) != 0) return CL_INVALID_VALUE;
    buffer.properties.insert(buffer.properties.end(), {list[0], list[1]});
  }
  buffer.properties.push_back(0);
  return CL_SUCCESS;
}

}  // namespace

cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue* queues,
                                                           const cl_command_buffer_properties_khr* properties,
                                                           cl_int* errcode_ret) {
  if (num_queues != 1 || queues == nullptr) return fail(CL_INVALID_VALUE, errcode_ret);
  cl_command_queue queue = queues[0];
  if (!is_host_queue(queue)) return fail(CL_INVALID_COMMAND_QUEUE, errcode_ret);
  auto* buffer = make<_cl_command_buffer_khr>(queue->connection);
  buffer->queue = Use(queue);
  const cl_int wrong = read_properties(properties, *buffer);
  if (wrong != CL_SUCCESS) return finish(buffer, wrong, errcode_ret);
  std::vector<uint64_t> given(buffer->properties.begin(), buffer->properties.end());
  if (!given.empty()) given.pop_back();
  const CreateCommandBuffer request{buffer->id, queue->context->id, queue->id, given};
  return finish(buffer, buffer->connection->ask(request).status, errcode_ret);
}

cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return retain(command_buffer, CL_INVALID_COMMAND_BUFFER_KHR);
}
cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return release(command_buffer, CL_INVALID_COMMAND_BUFFER_KHR);
}

cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  if (!is(command_buffer)) return CL_INVALID_COMMAND_BUFFER_KHR;
  std::lock_guard lock(command_buffer->mutex);
  if (command_buffer->finalized) return CL_INVALID_OPERATION;
  const cl_int status = command_buffer->connection->ask(FinalizeCommandBuffer{command_buffer->id}).status;
  command_buffer->finalized = status == CL_SUCCESS;
  return status;
}

cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue* queues,
                                             cl_command_buffer_khr command_buffer, cl_uint num_events,
                                             const cl_event* wait_list, cl_event* event) {
  if (!is(command_buffer)) return CL_INVALID_COMMAND_BUFFER_KHR;
  if (!is_list(num_queues, queues) || num_queues > 1) return CL_INVALID_VALUE;
  cl_command_queue queue = num_queues == 0 ? command_buffer->queue.get() : queues[0];
  if (num_queues == 1) {
    if (!is_host_queue(queue)) return CL_INVALID_COMMAND_QUEUE;
    if (queue->context.get() != command_buffer->queue->context.get()) return CL_INVALID_CONTEXT;
  }
  {
    std::lock_guard lock(command_buffer->mutex);
    if (command_buffer->state() != CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR) return CL_INVALID_OPERATION;
  }
  EnqueueCommandBuffer request;
  request.commandBuffer = command_buffer->id;
  return Enqueue{queue, num_events, wait_list, event}.send(request, CL_COMMAND_COMMAND_BUFFER_KHR);
}

cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer, cl_command_buffer_info_khr param_name,
                                             size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  if (!is(command_buffer)) return CL_INVALID_COMMAND_BUFFER_KHR;
  const Target target{param_value_size, param_value, param_value_size_ret};
  switch (param_name) {
    case CL_COMMAND_BUFFER_NUM_QUEUES_KHR:
      return target.put(cl_uint{1});
    case CL_COMMAND_BUFFER_QUEUES_KHR:
      return target.put(command_buffer->queue.get());
    case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR:
      return target.put(cl_uint{command_buffer->references});
    case CL_COMMAND_BUFFER_STATE_KHR: {
      std::lock_guard lock(command_buffer->mutex);
      return target.put(command_buffer->state());
    }
    case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR:
      return target.put(command_buffer->properties);
    case CL_COMMAND_BUFFER_CONTEXT_KHR:
      return target.put(command_buffer->queue->context.get());
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                                   const cl_command_properties_khr* properties, cl_uint num_points,
                                                   const cl_sync_point_khr* points, cl_sync_point_khr* sync_point,
                                                   cl_mutable_command_khr* mutable_handle) {
  const Record record{command_buffer, queue, properties, num_points, points, sync_point, mutable_handle};
  const cl_int wrong = record.check();
  return wrong != CL_SUCCESS ? wrong : record.send(RecordBarrier{}, CL_COMMAND_BARRIER);
}

}  // namespace icd
