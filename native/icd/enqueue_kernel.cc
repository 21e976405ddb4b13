// SPDX-License-Identifier: MIT
//
// Kernel launches, markers, barriers and migrations.
#include "launch.h"

namespace icd {

namespace {

cl_int launch(const Enqueue& enqueue, cl_kernel kernel, const Range& range, cl_command_type type) {
  if (const cl_int wrong = enqueue.check(); wrong != CL_SUCCESS) return wrong;
  if (const cl_int wrong = range.check(enqueue.context(), kernel); wrong != CL_SUCCESS) return wrong;
  EnqueueKernel request;
  range.describe(kernel, request);
  return enqueue.send(request, type);
}

}  // namespace

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                                          const size_t* global_work_offset, const size_t* global_work_size,
                                          const size_t* local_work_size, cl_uint num_events,
                                          const cl_event* wait_list, cl_event* event) {
  return launch({queue, num_events, wait_list, event}, kernel, {work_dim, global_work_offset, global_work_size, local_work_size},
                CL_COMMAND_NDRANGE_KERNEL);
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint num_events,
                                 const cl_event* wait_list, cl_event* event) {
  const size_t one = 1;
  return launch({queue, num_events, wait_list, event}, kernel, {1, nullptr, &one, &one}, CL_COMMAND_TASK);
}

cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK*)(void*), void*, size_t, cl_uint,
                                         const cl_mem*, const void**, cl_uint, const cl_event*, cl_event*) {
  return is(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint num_events, const cl_event* wait_list,
                                               cl_event* event) {
  return Enqueue{queue, num_events, wait_list, event}.send(EnqueueMarker{}, CL_COMMAND_MARKER);
}

cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint num_events, const cl_event* wait_list,
                                                cl_event* event) {
  return Enqueue{queue, num_events, wait_list, event}.send(EnqueueBarrier{}, CL_COMMAND_BARRIER);
}

cl_int CL_API_CALL clEnqueueMarker(cl_command_queue queue, cl_event* event) {
  if (!is(queue)) return CL_INVALID_COMMAND_QUEUE;
  return event == nullptr ? CL_INVALID_VALUE : clEnqueueMarkerWithWaitList(queue, 0, nullptr, event);
}

cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue queue) {
  return clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr);
}

cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue queue, cl_uint num_events, const cl_event* event_list) {
  if (!is(queue)) return CL_INVALID_COMMAND_QUEUE;
  if (num_events == 0 || event_list == nullptr) return CL_INVALID_VALUE;
  const cl_int status = clEnqueueBarrierWithWaitList(queue, num_events, event_list, nullptr);
  return status == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : status;
}

cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint num_mem_objects,
                                              const cl_mem* mem_objects, cl_mem_migration_flags flags,
                                              cl_uint num_events, const cl_event* wait_list, cl_event* event) {
  if (!is(queue)) return CL_INVALID_COMMAND_QUEUE;
  if (num_mem_objects == 0 || mem_objects == nullptr) return CL_INVALID_VALUE;
  std::vector<uint32_t> ids;
  for (cl_uint i = 0; i < num_mem_objects; i++) {
    if (!is(mem_objects[i])) return CL_INVALID_MEM_OBJECT;
    if (mem_objects[i]->context.get() != queue->context.get()) return CL_INVALID_CONTEXT;
    ids.push_back(mem_objects[i]->id);
  }
  EnqueueMigrate request;
  request.memories = ids;
  request.flags = flags;
  return Enqueue{queue, num_events, wait_list, event}.send(request, CL_COMMAND_MIGRATE_MEM_OBJECTS);
}

}  // namespace icd
