// SPDX-License-Identifier: MIT
//
// Events: the server reports completion, and the program's threads wait here.
#include <algorithm>

#include "commands.h"
#include "info.h"

namespace icd {

namespace {

using Callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);

}  // namespace

void complete(cl_event event, cl_int status) {
  std::vector<std::function<void(cl_int)>> due;
  {
    std::lock_guard lock(event->mutex);
    // This process may have known it before the server.
    if (event->status <= CL_COMPLETE) return;
    event->status = status;
    due.swap(event->on_complete);
    event->changed.notify_all();
  }
  for (auto& run : due) run(status);
}

namespace {

/** Subscribes the event to its completion. */
void listen(cl_event event, std::function<void(cl_int)> after) {
  event->connection->when_complete(event->id, [keep = Use(event), after = std::move(after)](cl_int status, uint32_t idle) {
    if (after) after(status);
    // Last: another thread's clFinish returns at once when it sees it, and what the command has read must be in place then.
    if (idle != 0) keep->queue->idle_after.store(idle);
    complete(keep.get(), status);
  });
}

}  // namespace

cl_int known_status(cl_event event) {
  std::lock_guard lock(event->mutex);
  return event->status;
}

cl_int wait_for(cl_event event) {
  std::unique_lock lock(event->mutex);
  event->changed.wait(lock, [&] { return event->status <= CL_COMPLETE; });
  return event->status;
}

cl_int Enqueue::read_wait_list(std::vector<uint32_t>& ids) const {
  if (!is_host_queue(queue)) return CL_INVALID_COMMAND_QUEUE;
  if ((num_events == 0) != (wait_list == nullptr)) return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < num_events; i++) {
    if (!is(wait_list[i])) return CL_INVALID_EVENT_WAIT_LIST;
    if (wait_list[i]->context.get() != queue->context.get()) return CL_INVALID_CONTEXT;
    ids.push_back(wait_list[i]->id);
  }
  return CL_SUCCESS;
}

bool Enqueue::is_ready() const {
  std::vector<uint32_t> ids;
  const auto is_complete = [](cl_event each) { return known_status(each) == CL_COMPLETE; };
  return read_wait_list(ids) == CL_SUCCESS && std::all_of(wait_list, wait_list + num_events, is_complete);
}

cl_event Enqueue::make_event(cl_command_type type, std::function<void(cl_int)> after) const {
  cl_event made = make<_cl_event>(queue->connection);
  made->context = queue->context;
  made->queue = Use(queue);
  made->type = type;
  listen(made, std::move(after));
  return made;
}

cl_int Enqueue::finish(cl_event made, cl_int status) const {
  if (made == nullptr) return status;
  if (status != CL_SUCCESS) {
    made->connection->forget(made->id);
    made->id = 0;
    drop(made);
    return status;
  }
  cl_int result = CL_SUCCESS;
  if (blocking) {
    const cl_int end = wait_for(made);
    if (end < 0) result = end;
  }
  if (event != nullptr && result == CL_SUCCESS) *event = made;
  else drop(made);
  return result;
}

cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int* errcode_ret) {
  if (!is(context)) return fail(CL_INVALID_CONTEXT, errcode_ret);
  Connection* connection = context->connection;
  cl_event event = make<_cl_event>(connection);
  event->context = Use(context);
  event->type = CL_COMMAND_USER;
  event->status = CL_SUBMITTED;
  listen(event, {});
  const cl_int status = connection->ask(CreateUserEvent{event->id, context->id}).status;
  if (status != CL_SUCCESS) connection->forget(event->id);
  return icd::finish(event, status, errcode_ret);
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int execution_status) {
  if (!is(event) || event->type != CL_COMMAND_USER) return CL_INVALID_EVENT;
  if (execution_status > CL_COMPLETE) return CL_INVALID_VALUE;
  {
    std::lock_guard lock(event->mutex);
    if (event->set) return CL_INVALID_OPERATION;
    event->set = true;
  }
  return event->connection->ask(SetUserEventStatus{event->id, execution_status}).status;
}

cl_int CL_API_CALL clWaitForEvents(cl_uint num_events, const cl_event* event_list) {
  if (num_events == 0 || event_list == nullptr) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_events; i++) {
    if (!is(event_list[i])) return CL_INVALID_EVENT;
    if (event_list[i]->context.get() != event_list[0]->context.get()) return CL_INVALID_CONTEXT;
  }
  cl_int result = CL_SUCCESS;
  for (cl_uint i = 0; i < num_events; i++)
    if (wait_for(event_list[i]) < 0) result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  return result;
}

cl_int CL_API_CALL clRetainEvent(cl_event event) { return retain(event, CL_INVALID_EVENT); }
cl_int CL_API_CALL clReleaseEvent(cl_event event) { return release(event, CL_INVALID_EVENT); }

cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                                  void* param_value, size_t* param_value_size_ret) {
  if (!is(event)) return CL_INVALID_EVENT;
  const Target target{param_value_size, param_value, param_value_size_ret};
  switch (param_name) {
    case CL_EVENT_COMMAND_QUEUE:
      return target.put(event->queue.get());
    case CL_EVENT_CONTEXT:
      return target.put(event->context.get());
    case CL_EVENT_COMMAND_TYPE:
      return target.put(event->type);
    case CL_EVENT_REFERENCE_COUNT:
      return target.put(cl_uint{event->references});
    case CL_EVENT_COMMAND_EXECUTION_STATUS: {
      const cl_int status = known_status(event);
      if (status <= CL_COMPLETE || event->type == CL_COMMAND_USER) return target.put(status);
      return target.ask(*event->connection, Subject::kEvent, event->id, param_name);
    }
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name, size_t param_value_size,
                                           void* param_value, size_t* param_value_size_ret) {
  if (!is(event)) return CL_INVALID_EVENT;
  const Target target{param_value_size, param_value, param_value_size_ret};
  return target.ask(*event->connection, Subject::kEventProfiling, event->id, param_name);
}

cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int command_exec_callback_type, Callback pfn_notify,
                                      void* user_data) {
  if (!is(event)) return CL_INVALID_EVENT;
  if (pfn_notify == nullptr || command_exec_callback_type < CL_COMPLETE || command_exec_callback_type > CL_SUBMITTED)
    return CL_INVALID_VALUE;
  Connection* connection = event->connection;
  const auto notify = [=, keep = Use(event)](cl_int status) {
    connection->call_back([=] { pfn_notify(keep.get(), status, user_data); });
  };
  if (command_exec_callback_type == CL_COMPLETE) {
    std::unique_lock lock(event->mutex);
    if (event->status > CL_COMPLETE) {
      event->on_complete.push_back(notify);
      return CL_SUCCESS;
    }
    const cl_int status = event->status;
    lock.unlock();
    notify(status);
    return CL_SUCCESS;
  }
  const uint32_t token = connection->when_reached(notify);
  return connection->ask(WatchEvent{event->id, command_exec_callback_type, token}).status;
}

}  // namespace icd
