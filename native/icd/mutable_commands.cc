// SPDX-License-Identifier: MIT
//
// Kernel launches in command buffers, and their later updates (cl_khr_command_buffer_mutable_dispatch).
#include <algorithm>
#include <cstring>
#include <set>

#include "argument.h"
#include "command_buffer.h"
#include "info.h"
#include "launch.h"

namespace icd {

namespace {

constexpr cl_mutable_dispatch_fields_khr kUpdatable = CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
                                                      CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |
                                                      CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

/** The command's properties, and the fields that may be updated: all unless the properties restrict them. */
cl_int read_properties(const cl_command_properties_khr* list, _cl_mutable_command_khr& command) {
  command.updatable = command.buffer->is_mutable() ? kUpdatable : 0;
  command.asserts = command.buffer->asserts;
  if (list == nullptr) return CL_SUCCESS;
  std::set<cl_command_properties_khr> seen;
  for (; *list != 0; list += 2) {
    if (!seen.insert(*list).second || !command.buffer->is_mutable()) return CL_INVALID_VALUE;
    if (*list == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR) {
      if ((list[1] & ~kUpdatable) != 0) return CL_INVALID_VALUE;
      command.updatable = list[1];
    } else if (*list == CL_MUTABLE_DISPATCH_ASSERTS_KHR) {
      if ((list[1] & ~kKnownAsserts) != 0) return CL_INVALID_VALUE;
      command.asserts |= list[1];
    } else {
      return CL_INVALID_VALUE;
    }
    command.properties.insert(command.properties.end(), {list[0], list[1]});
  }
  command.properties.push_back(0);
  return CL_SUCCESS;
}

void copy_sizes(const size_t* from, cl_uint dimensions, size_t* to) {
  if (from != nullptr) std::copy(from, from + dimensions, to);
}

/** The number of work-groups; 0 if the device chooses their size. */
size_t count_groups(const size_t* global, const size_t* local, cl_uint dimensions) {
  size_t groups = 1;
  for (cl_uint i = 0; i < dimensions; i++) {
    if (local[i] == 0) return 0;
    groups *= (global[i] + local[i] - 1) / local[i];
  }
  return groups;
}

}  // namespace

cl_int CL_API_CALL clCommandNDRangeKernelKHR(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                                             const cl_command_properties_khr* properties, cl_kernel kernel,
                                             cl_uint work_dim, const size_t* global_work_offset,
                                             const size_t* global_work_size, const size_t* local_work_size,
                                             cl_uint num_points, const cl_sync_point_khr* points,
                                             cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle) {
  const Record record{command_buffer, queue, properties, num_points, points, sync_point, mutable_handle};
  if (const cl_int wrong = record.check_common(); wrong != CL_SUCCESS) return wrong;
  const Range range(work_dim, global_work_offset, global_work_size, local_work_size);
  if (const cl_int wrong = range.check(record.context(), kernel); wrong != CL_SUCCESS) return wrong;
  auto command = std::make_unique<_cl_mutable_command_khr>();
  command->buffer = command_buffer;
  command->connection = command_buffer->connection;
  if (const cl_int wrong = read_properties(properties, *command); wrong != CL_SUCCESS) return wrong;
  if (mutable_handle != nullptr && !command_buffer->is_mutable()) return CL_INVALID_VALUE;
  command->given = kernel->given;
  const bool is_complete = std::find(kernel->given.begin(), kernel->given.end(), false) == kernel->given.end();
  if (!is_complete && (command->updatable & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR) == 0) return CL_INVALID_KERNEL_ARGS;
  command->kernel = Use(kernel);
  command->dimensions = work_dim;
  copy_sizes(global_work_offset, work_dim, command->offset);
  copy_sizes(global_work_size, work_dim, command->global);
  copy_sizes(local_work_size, work_dim, command->local);
  command->groups = count_groups(command->global, command->local, work_dim);
  RecordKernel request;
  range.describe(kernel, request);
  const cl_int status = record.send(request, CL_COMMAND_NDRANGE_KERNEL, &command->command);
  if (status != CL_SUCCESS) return status;
  if (mutable_handle != nullptr) *mutable_handle = command.get();
  std::lock_guard lock(command_buffer->mutex);
  command_buffer->commands.push_back(std::move(command));
  return CL_SUCCESS;
}

namespace {

/** A checked update of one command. */
class Update {
 public:
  /** The update's error code, or CL_SUCCESS. */
  cl_int read(cl_command_buffer_khr buffer, const cl_mutable_dispatch_config_khr& config) {
    command_ = config.command;
    if (!is(command_) || command_->buffer != buffer) return CL_INVALID_MUTABLE_COMMAND_KHR;
    if (config.work_dim != 0 && config.work_dim != command_->dimensions) return CL_INVALID_VALUE;
    cl_int wrong = read_sizes(config.global_work_offset, CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR, offset_);
    if (wrong == CL_SUCCESS) wrong = read_sizes(config.global_work_size, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, global_);
    if (wrong == CL_SUCCESS) wrong = read_sizes(config.local_work_size, CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR, local_);
    if (wrong != CL_SUCCESS) return wrong;
    if (adds_groups()) return CL_INVALID_VALUE;
    wrong = read_exec_infos(config);
    if (wrong != CL_SUCCESS) return wrong;
    if (!is_list(config.num_args, config.arg_list) || !is_list(config.num_svm_args, config.arg_svm_list)) return CL_INVALID_VALUE;
    if (config.num_args + config.num_svm_args != 0 && (command_->updatable & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR) == 0)
      return CL_INVALID_OPERATION;
    const std::vector<ParameterKind>& parameters = command_->kernel->parameters;
    for (cl_uint i = 0; i < config.num_args; i++) {
      const auto& [index, size, value] = config.arg_list[i];
      if (index >= parameters.size()) return CL_INVALID_ARG_INDEX;
      Argument argument;
      wrong = argument.read(parameters[index], size, value);
      if (wrong != CL_SUCCESS) return wrong;
      add(index, argument);
    }
    for (cl_uint i = 0; i < config.num_svm_args; i++) {
      const cl_uint index = config.arg_svm_list[i].arg_index;
      if (index >= parameters.size()) return CL_INVALID_ARG_INDEX;
      Argument argument;
      wrong = argument.read_pointer(buffer->queue->context.get(), parameters[index], config.arg_svm_list[i].arg_value);
      if (wrong != CL_SUCCESS) return wrong;
      add(index, argument);
    }
    return CL_SUCCESS;
  }

  /** Sends it to the server, and records what programs can query. */
  cl_int send() const {
    UpdateCommand request;
    request.commandBuffer = command_->buffer->id;
    request.command = command_->command;
    request.offset = offset_;
    request.global = global_;
    request.local = local_;
    request.indices = indices_;
    request.kinds = kinds_;
    request.objects = objects_;
    request.lengths = lengths_;
    request.values = values_;
    const cl_int status = command_->connection->ask(request).status;
    if (status != CL_SUCCESS) return status;
    std::copy(offset_.begin(), offset_.end(), command_->offset);
    std::copy(global_.begin(), global_.end(), command_->global);
    std::copy(local_.begin(), local_.end(), command_->local);
    for (uint32_t index : indices_) command_->given[index] = true;
    return CL_SUCCESS;
  }

 private:
  cl_int read_exec_infos(const cl_mutable_dispatch_config_khr& config) const {
    if (!is_list(config.num_exec_infos, config.exec_info_list)) return CL_INVALID_VALUE;
    if (config.num_exec_infos != 0 && (command_->updatable & CL_MUTABLE_DISPATCH_EXEC_INFO_KHR) == 0)
      return CL_INVALID_OPERATION;
    for (cl_uint i = 0; i < config.num_exec_infos; i++) {
      const auto& [param_name, size, value] = config.exec_info_list[i];
      if (const cl_int wrong = check_exec_info(param_name, size, value); wrong != CL_SUCCESS) return wrong;
    }
    return CL_SUCCESS;
  }

  cl_int read_sizes(const size_t* from, cl_mutable_dispatch_fields_khr field, std::vector<uint64_t>& to) const {
    if (from == nullptr) return CL_SUCCESS;
    if ((command_->updatable & field) == 0) return CL_INVALID_OPERATION;
    to.assign(from, from + command_->dimensions);
    return CL_SUCCESS;
  }

  /** Whether there would be more work-groups than the program promised (CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR). */
  bool adds_groups() const {
    const bool promised = (command_->asserts & CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR) != 0;
    if (!promised || command_->groups == 0) return false;
    const size_t* global = global_.empty() ? command_->global : global_.data();
    const size_t* local = local_.empty() ? command_->local : local_.data();
    return count_groups(global, local, command_->dimensions) > command_->groups;
  }

  void add(cl_uint index, const Argument& argument) {
    indices_.push_back(index);
    kinds_.push_back(static_cast<uint32_t>(argument.kind));
    objects_.push_back(argument.object);
    lengths_.push_back(argument.kind == ArgumentKind::kValue ? argument.value.size : argument.size);
    values_.insert(values_.end(), argument.value.begin(), argument.value.end());
  }

  cl_mutable_command_khr command_ = nullptr;
  std::vector<uint64_t> offset_;
  std::vector<uint64_t> global_;
  std::vector<uint64_t> local_;
  std::vector<uint32_t> indices_;
  std::vector<uint32_t> kinds_;
  std::vector<uint32_t> objects_;
  std::vector<uint64_t> lengths_;
  std::vector<uint8_t> values_;
};

}  // namespace

cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer, cl_uint num_configs,
                                              const cl_command_buffer_update_type_khr* config_types,
                                              const void** configs) {
  if (!is(command_buffer)) return CL_INVALID_COMMAND_BUFFER_KHR;
  if (!is_list(num_configs, config_types) || !is_list(num_configs, configs)) return CL_INVALID_VALUE;
  std::lock_guard lock(command_buffer->mutex);
  if (!command_buffer->finalized || !command_buffer->is_mutable()) return CL_INVALID_OPERATION;
  std::vector<Update> updates(num_configs);
  for (cl_uint i = 0; i < num_configs; i++) {
    if (config_types[i] != CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR || configs[i] == nullptr) return CL_INVALID_VALUE;
    const cl_int wrong = updates[i].read(command_buffer, *static_cast<const cl_mutable_dispatch_config_khr*>(configs[i]));
    if (wrong != CL_SUCCESS) return wrong;
  }
  for (const Update& update : updates)
    if (const cl_int status = update.send(); status != CL_SUCCESS) return status;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr command, cl_mutable_command_info_khr param_name,
                                              size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  if (!is(command)) return CL_INVALID_MUTABLE_COMMAND_KHR;
  const Target target{param_value_size, param_value, param_value_size_ret};
  std::lock_guard lock(command->buffer->mutex);
  const size_t sizes = command->dimensions * sizeof(size_t);
  switch (param_name) {
    case CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR:
      return target.put(command->buffer->queue.get());
    case CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR:
      return target.put(command->buffer);
    case CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR:
      return target.put(cl_command_type{CL_COMMAND_NDRANGE_KERNEL});
    case CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR:
      return target.put(command->properties);
    case CL_MUTABLE_DISPATCH_KERNEL_KHR:
      return target.put(command->kernel.get());
    case CL_MUTABLE_DISPATCH_DIMENSIONS_KHR:
      return target.put(command->dimensions);
    case CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR:
      return target.put(command->offset, sizes);
    case CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR:
      return target.put(command->global, sizes);
    case CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR:
      return target.put(command->local, sizes);
    default:
      return CL_INVALID_VALUE;
  }
}

}  // namespace icd
