// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <string>

#include "argument.h"
#include "info.h"
#include "objects.h"

namespace icd {

namespace {

template <typename Request>
cl_kernel create(cl_program program, const Request& request, cl_kernel kernel, cl_int* errcode_ret) {
  kernel->program = Use(program);
  const Answer<Request> answer = kernel->connection->ask(request);
  for (uint8_t kind : answer.reply.parameters) kernel->parameters.push_back(static_cast<ParameterKind>(kind));
  kernel->given.resize(kernel->parameters.size());
  return finish(kernel, answer.status, errcode_ret);
}

cl_kernel create_by_name(cl_program program, std::string_view name, cl_int* errcode_ret) {
  cl_kernel kernel = make<_cl_kernel>(program->connection);
  return create(program, CreateKernel{kernel->id, program->id, name}, kernel, errcode_ret);
}

/** The queried device; the context's only one if the program names none. Null if it is not in the context. */
cl_device_id device_for(cl_kernel kernel, cl_device_id of) {
  cl_context context = kernel->program->context.get();
  if (of == nullptr) return context->devices.size() == 1 ? context->devices[0].get() : nullptr;
  return is(of) && context->has(of) ? of : nullptr;
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
  kernel = create(source_kernel->program.get(), CloneKernel{kernel->id, source_kernel->id}, kernel, errcode_ret);
  if (kernel != nullptr) kernel->given = source_kernel->given;
  return kernel;
}

cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) { return retain(kernel, CL_INVALID_KERNEL); }
cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) { return release(kernel, CL_INVALID_KERNEL); }

cl_int set_argument(cl_kernel kernel, cl_uint index, const Argument& argument) {
  const SetArgument request{kernel->id, index, static_cast<uint32_t>(argument.kind), argument.object, argument.size, argument.value};
  const cl_int status = kernel->connection->ask(request).status;
  if (status == CL_SUCCESS) kernel->given[index] = true;
  return status;
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size, const void* arg_value) {
  if (!is(kernel)) return CL_INVALID_KERNEL;
  if (arg_index >= kernel->parameters.size()) return CL_INVALID_ARG_INDEX;
  Argument argument;
  const cl_int wrong = argument.read(kernel->parameters[arg_index], arg_size, arg_value);
  return wrong != CL_SUCCESS ? wrong : set_argument(kernel, arg_index, argument);
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
  of = device_for(kernel, of);
  if (of == nullptr) return CL_INVALID_DEVICE;
  const Target target{param_value_size, param_value, param_value_size_ret};
  return target.ask(*kernel->connection, Subject::kKernelWorkGroup, kernel->id, param_name, of->id);
}

cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id of, cl_kernel_sub_group_info param_name,
                                           size_t input_value_size, const void* input_value, size_t param_value_size,
                                           void* param_value, size_t* param_value_size_ret) {
  if (!is(kernel)) return CL_INVALID_KERNEL;
  of = device_for(kernel, of);
  if (of == nullptr) return CL_INVALID_DEVICE;
  std::vector<uint64_t> input;
  const auto* sizes = static_cast<const size_t*>(input_value);
  if (sizes != nullptr) input.assign(sizes, sizes + input_value_size / sizeof(size_t));
  const Target target{param_value_size, param_value, param_value_size_ret};
  const Answer<Info> answer =
      kernel->connection->ask(Info{static_cast<uint32_t>(Subject::kKernelSubGroup), kernel->id, param_name, of->id, input});
  if (answer.status != CL_SUCCESS) return answer.status;
  size_t bytes = answer.reply.value.size;
  // The size of the answer says how many dimensions the program requests.
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
