// SPDX-License-Identifier: MIT
//
// Command buffers (cl_khr_command_buffer) and their mutable commands. The server has the recorded commands; this side has their
// states and properties.
#pragma once
#include <memory>

#include "commands.h"

struct _cl_command_buffer_khr;

/** A recorded kernel launch. It lives as long as its command buffer. */
struct _cl_mutable_command_khr : icd::Object {
  static constexpr icd::Kind of_kind = icd::Kind::kMutableCommand;
  _cl_mutable_command_khr() : Object(of_kind) {}

  _cl_command_buffer_khr* buffer = nullptr;
  /** Its id in the server. */
  uint32_t command = 0;
  icd::Use<_cl_kernel> kernel;
  /** With the closing 0; empty if it was recorded without properties. */
  std::vector<cl_command_properties_khr> properties;
  cl_mutable_dispatch_fields_khr updatable = 0;
  cl_mutable_dispatch_asserts_khr asserts = 0;
  /** As recorded; 0 if the device chose the local size. */
  size_t groups = 0;
  cl_uint dimensions = 0;
  size_t offset[3] = {};
  size_t global[3] = {};
  size_t local[3] = {};
  /** Which arguments are set: all must be when it runs. */
  std::vector<bool> given;
};

struct _cl_command_buffer_khr : icd::Object {
  static constexpr icd::Kind of_kind = icd::Kind::kCommandBuffer;
  _cl_command_buffer_khr() : Object(of_kind) {}
  ~_cl_command_buffer_khr();

  icd::Use<_cl_command_queue> queue;
  /** With the closing 0; empty if it was created without properties. */
  std::vector<cl_command_buffer_properties_khr> properties;
  cl_command_buffer_flags_khr flags = 0;
  /** The program's promises about all updates. */
  cl_mutable_dispatch_asserts_khr asserts = 0;

  std::mutex mutex;
  bool finalized = false;
  std::vector<std::unique_ptr<_cl_mutable_command_khr>> commands;

  bool is_mutable() const { return (flags & CL_COMMAND_BUFFER_MUTABLE_KHR) != 0; }
  /** Guarded by the mutex. */
  cl_command_buffer_state_khr state() const;
};

namespace icd {

constexpr cl_mutable_dispatch_asserts_khr kKnownAsserts = CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;

/** The parameters that all clCommand…KHR functions share. */
struct Record {
  cl_command_buffer_khr buffer;
  cl_command_queue queue;
  const cl_command_properties_khr* properties;
  cl_uint num_points;
  const cl_sync_point_khr* points;
  cl_sync_point_khr* sync_point;
  cl_mutable_command_khr* mutable_handle;

  /** The error code for a command without properties and handle, or CL_SUCCESS. */
  cl_int check() const;
  /** The same, but properties and handle are not checked. */
  cl_int check_common() const;
  cl_context context() const { return buffer->queue->context.get(); }

  /** Records the command. */
  template <typename Request>
  cl_int send(Request request, cl_command_type, uint32_t* command = nullptr) const {
    request.commandBuffer = buffer->id;
    request.after = Slice<uint32_t>(points, num_points);
    const Answer<Request> answer = buffer->connection->ask(request);
    if (answer.status != CL_SUCCESS) return answer.status;
    if (sync_point != nullptr) *sync_point = answer.reply.point;
    if (command != nullptr) *command = answer.reply.command;
    return CL_SUCCESS;
  }
};

}  // namespace icd
