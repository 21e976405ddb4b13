// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <string>

#include "info.h"
#include "objects.h"

namespace icd {

namespace {

template <typename Request>
cl_kernel create(cl_program program, const Request& request, cl_kernel kernel, cl_int* errcode_ret) {
  kernel->program = Use(program);
  const Answer<Request> answer = kernel->connection->ask(request);
  for (uint8_t kind : answer.reply.parameters) kernel->parameters.push_back(static_cast<ParameterKind>(kind));
  return finish(kernel, answer.status, errcode_ret);
}

cl_kernel create_by_name(cl_program program, std::string_view name, cl_int* errcode_ret) {
  cl_kernel kernel = make<_cl_kernel>(program->connection);
  return create(program, CreateKernel{kernel->id, program->id, name}, kernel, errcode_ret);
}

}  // namespace

cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char* kernel_name, cl_int* errcode_ret) {
  if (!is(program)) return fail(CL_INVALID_PROGRAM, errcode_ret);
  if (kernel_name == nullptr) return fail(CL_INVALID_VALUE, errcode_ret);
  return create_by_name(program, kernel_name, errcode_ret);
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel* kernels,
                                            cl_uint* num_kernels_ret) {
  if (!is(program)) return CL_INVALID_PROGRAM;
  const Answer<Info> answer =
      program->connection->ask(Info{static_cast<uint32_t>(Subject::kProgram), program->id, CL_PROGRAM_KERNEL_NAMES});
  if (answer.status != CL_SUCCESS) return answer.status;
  const std::string all(reinterpret_cast<const char*>(answer.reply.value.data));
  std::vector<std::string> names;
  for (size_t at = 0; at < all.size();) {
    const size_t end = all.find(';', at);
    names.push_back(all.substr(at, end - at));
    if (end == std::string::npos) break;
    at = end + 1;
  }
  if (kernels != nullptr) {
    if (num_kernels < names.size()) return CL_INVALID_VALUE;
    for (size_t i = 0; i < names.size(); i++) {
      cl_int status;
      kernels[i] = create_by_name(program, names[i], &status);
      if (status == CL_SUCCESS) continue;
      while (i-- > 0) release(kernels[i], CL_INVALID_KERNEL);
      return status;
    }
  }
  if (num_kernels_ret != nullptr) *num_kernels_ret = static_cast<cl_uint>(names.size());
  return CL_SUCCESS;
}

cl_kernel CL_API_CALL clCloneKernel(cl_kernel source_kernel, cl_int* errcode_ret) {
  if (!is(source_kernel)) return fail(CL_INVALID_KERNEL, errcode_ret);
  cl_kernel kernel = make<_cl_kernel>(source_kernel->connection);
  return create(source_kernel->program.get(), CloneKernel{kernel->id, source_kernel->id}, kernel, errcode_ret);
}

cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) { return retain(kernel, CL_INVALID_KERNEL); }
cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) { return release(kernel, CL_INVALID_KERNEL); }

namespace {

/** The request for an argument that is a handle, or what is wrong with it. */
template <typename T>
cl_int by_handle(SetArgument& request, size_t arg_size, const void* arg_value, bool may_be_null, cl_int invalid) {
  if (arg_size != sizeof(T*)) return CL_INVALID_ARG_SIZE;
  T* handle = nullptr;
  if (arg_value != nullptr) std::memcpy(&handle, arg_value, sizeof handle);
  if (handle == nullptr) {
    if (!may_be_null) return arg_value == nullptr && invalid == CL_INVALID_MEM_OBJECT ? CL_INVALID_ARG_VALUE : invalid;
    request.kind = static_cast<uint32_t>(ArgumentKind::kNull);
    return CL_SUCCESS;
  }
  if (!is(handle)) return invalid;
  request.kind = static_cast<uint32_t>(ArgumentKind::kObject);
  request.object = handle->id;
  return CL_SUCCESS;
}

cl_int describe(SetArgument& request, ParameterKind parameter, size_t arg_size, const void* arg_value) {
  switch (parameter) {
    case ParameterKind::kBuffer:
      return by_handle<_cl_mem>(request, arg_size, arg_value, true, CL_INVALID_MEM_OBJECT);
    case ParameterKind::kImage:
    case ParameterKind::kPipe:
      return by_handle<_cl_mem>(request, arg_size, arg_value, false, CL_INVALID_MEM_OBJECT);
    case ParameterKind::kSampler:
      return by_handle<_cl_sampler>(request, arg_size, arg_value, false, CL_INVALID_SAMPLER);
    case ParameterKind::kQueue:
      {
      const cl_int wrong = by_handle<_cl_command_queue>(request, arg_size, arg_value, false, CL_INVALID_DEVICE_QUEUE);
      if (wrong != CL_SUCCESS) return wrong;
      return (*static_cast<const cl_command_queue*>(arg_value))->is_on_device() ? CL_SUCCESS : CL_INVALID_DEVICE_QUEUE;
    }
    case ParameterKind::kLocal:
      if (arg_value != nullptr) return CL_INVALID_ARG_VALUE;
      request.kind = static_cast<uint32_t>(ArgumentKind::kLocal);
      request.size = arg_size;
      return CL_SUCCESS;
    case ParameterKind::kValue:
      if (arg_value == nullptr) return CL_INVALID_ARG_VALUE;
      // No parameter is larger than the device's MAX_PARAMETER_SIZE.
      if (arg_size > 1 << 16) return CL_INVALID_ARG_SIZE;
      request.kind = static_cast<uint32_t>(ArgumentKind::kValue);
      request.value = Slice<uint8_t>(static_cast<const uint8_t*>(arg_value), arg_size);
      return CL_SUCCESS;
  }
  return CL_INVALID_ARG_VALUE;
}

}  // namespace

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size, const void* arg_value) {
  if (!is(kernel)) return CL_INVALID_KERNEL;
  if (arg_index >= kernel->parameters.size()) return CL_INVALID_ARG_INDEX;
  SetArgument request;
  request.kernel = kernel->id;
  request.index = arg_index;
  const cl_int wrong = describe(request, kernel->parameters[arg_index], arg_size, arg_value);
  return wrong != CL_SUCCESS ? wrong : kernel->connection->ask(request).status;
}

cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
                                   void* param_value, size_t* param_value_size_ret) {
  if (!is(kernel)) return CL_INVALID_KERNEL;
  const Target target{param_value_size, param_value, param_value_size_ret};
  switch (param_name) {
    case CL_KERNEL_REFERENCE_COUNT:
      return target.put(cl_uint{kernel->references});
    case CL_KERNEL_CONTEXT:
      return target.put(kernel->program->context.get());
    case CL_KERNEL_PROGRAM:
      return target.put(kernel->program.get());
    default:
      return target.ask(*kernel->connection, Subject::kKernel, kernel->id, param_name);
  }
}

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_indx, cl_kernel_arg_info param_name,
                                      size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  if (!is(kernel)) return CL_INVALID_KERNEL;
  if (arg_indx >= kernel->parameters.size()) return CL_INVALID_ARG_INDEX;
  const Target target{param_value_size, param_value, param_value_size_ret};
  return target.ask(*kernel->connection, Subject::kKernelArgument, kernel->id, param_name, arg_indx);
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id of, cl_kernel_work_group_info param_name,
                                            size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  if (!is(kernel)) return CL_INVALID_KERNEL;
  if (of != nullptr && !is(of)) return CL_INVALID_DEVICE;
  const Target target{param_value_size, param_value, param_value_size_ret};
  return target.ask(*kernel->connection, Subject::kKernelWorkGroup, kernel->id, param_name);
}

cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id of, cl_kernel_sub_group_info param_name,
                                           size_t input_value_size, const void* input_value, size_t param_value_size,
                                           void* param_value, size_t* param_value_size_ret) {
  if (!is(kernel)) return CL_INVALID_KERNEL;
  if (of != nullptr && !is(of)) return CL_INVALID_DEVICE;
  std::vector<uint64_t> input(input_value == nullptr ? 0 : input_value_size / sizeof(size_t));
  for (size_t i = 0; i < input.size(); i++) input[i] = static_cast<const size_t*>(input_value)[i];
  const Target target{param_value_size, param_value, param_value_size_ret};
  const Answer<Info> answer =
      kernel->connection->ask(Info{static_cast<uint32_t>(Subject::kKernelSubGroup), kernel->id, param_name, 0, input});
  if (answer.status != CL_SUCCESS) return answer.status;
  size_t bytes = answer.reply.value.size;
  // A local size has as many dimensions as there is room for.
  if (param_name == CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT && param_value != nullptr)
    bytes = std::min(bytes, std::max<size_t>(param_value_size / sizeof(size_t), 1) * sizeof(size_t));
  return target.put(answer.reply.value.data, bytes);
}

cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id of, cl_kernel_sub_group_info param_name,
                                              size_t input_value_size, const void* input_value,
                                              size_t param_value_size, void* param_value,
                                              size_t* param_value_size_ret) {
  return clGetKernelSubGroupInfo(kernel, of, param_name, input_value_size, input_value, param_value_size, param_value,
                                 param_value_size_ret);
}

cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                                                        const size_t* global_work_offset,
                                                        const size_t* global_work_size,
                                                        size_t* suggested_local_work_size) {
  if (!is(queue)) return CL_INVALID_COMMAND_QUEUE;
  if (!is(kernel)) return CL_INVALID_KERNEL;
  if (queue->context.get() != kernel->program->context.get()) return CL_INVALID_CONTEXT;
  if (work_dim < 1 || work_dim > 3) return CL_INVALID_WORK_DIMENSION;
  if (global_work_size == nullptr) return CL_INVALID_GLOBAL_WORK_SIZE;
  if (suggested_local_work_size == nullptr) return CL_INVALID_VALUE;
  const std::vector<uint64_t> global(global_work_size, global_work_size + work_dim);
  std::vector<uint64_t> offset;
  if (global_work_offset != nullptr) offset.assign(global_work_offset, global_work_offset + work_dim);
  const Answer<SuggestedLocalSize> answer =
      kernel->connection->ask(SuggestedLocalSize{queue->id, kernel->id, offset, global});
  if (answer.status != CL_SUCCESS) return answer.status;
  for (cl_uint i = 0; i < work_dim; i++)
    suggested_local_work_size[i] = i < answer.reply.local.size ? answer.reply.local.data[i] : 1;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                                                     const size_t* global_work_offset, const size_t* global_work_size,
                                                     size_t* suggested_local_work_size) {
  return clGetKernelSuggestedLocalWorkSizeKHR(queue, kernel, work_dim, global_work_offset, global_work_size,
                                              suggested_local_work_size);
}

}  // namespace icd
