// SPDX-License-Identifier: MIT
#include <cstring>
#include <string>
#include <thread>

#include "info.h"
#include "objects.h"

namespace icd {

namespace {

using Notify = void(CL_CALLBACK*)(cl_program, void*);

cl_int check_devices(cl_context context, cl_uint num_devices, const cl_device_id* devices) {
  if ((num_devices == 0) != (devices == nullptr)) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_devices; i++)
    if (!is(devices[i]) || !context->has(devices[i])) return CL_INVALID_DEVICE;
  return CL_SUCCESS;
}

/** A new program of a context; the server does not know it yet. */
cl_program make_program(cl_context context) {
  cl_program program = make<_cl_program>(context->connection);
  program->context = Use(context);
  return program;
}

/** Waits for a build: here, or on another thread if there is a callback. */
cl_int finish_build(cl_program program, const std::function<cl_int()>& result, Notify notify, void* user_data) {
  if (notify == nullptr) return result();
  std::thread([=, keep = Use(program)] {
    result();
    keep->connection->call_back([=] { notify(keep.get(), user_data); });
  }).detach();
  return CL_SUCCESS;
}

std::string_view text_of(const char* options) { return options == nullptr ? "" : options; }

}  // namespace

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                                 const size_t* lengths, cl_int* errcode_ret) {
  if (!is(context)) return fail(CL_INVALID_CONTEXT, errcode_ret);
  if (count == 0 || strings == nullptr) return fail(CL_INVALID_VALUE, errcode_ret);
  std::string source;
  for (cl_uint i = 0; i < count; i++) {
    if (strings[i] == nullptr) return fail(CL_INVALID_VALUE, errcode_ret);
    if (lengths != nullptr && lengths[i] != 0) source.append(strings[i], lengths[i]);
    else source.append(strings[i]);
  }
  cl_program program = make_program(context);
  const Slice<uint8_t> bytes(reinterpret_cast<const uint8_t*>(source.data()), source.size());
  return finish(program, program->connection->ask(ProgramWithSource{program->id, context->id, bytes}).status, errcode_ret);
}

cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void* il, size_t length, cl_int* errcode_ret) {
  if (!is(context)) return fail(CL_INVALID_CONTEXT, errcode_ret);
  if (il == nullptr || length == 0) return fail(CL_INVALID_VALUE, errcode_ret);
  cl_program program = make_program(context);
  const Slice<uint8_t> bytes(static_cast<const uint8_t*>(il), length);
  return finish(program, program->connection->ask(ProgramWithIL{program->id, context->id, bytes}).status, errcode_ret);
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                 const cl_device_id* device_list, const size_t* lengths,
                                                 const unsigned char** binaries, cl_int* binary_status,
                                                 cl_int* errcode_ret) {
  if (!is(context)) return fail(CL_INVALID_CONTEXT, errcode_ret);
  if (num_devices == 0 || device_list == nullptr || lengths == nullptr || binaries == nullptr)
    return fail(CL_INVALID_VALUE, errcode_ret);
  const cl_int wrong = check_devices(context, num_devices, device_list);
  if (wrong != CL_SUCCESS) return fail(wrong, errcode_ret);
  for (cl_uint i = 0; i < num_devices; i++) {
    if (lengths[i] != 0 && binaries[i] != nullptr) continue;
    if (binary_status != nullptr) binary_status[i] = CL_INVALID_VALUE;
    return fail(CL_INVALID_VALUE, errcode_ret);
  }
  cl_program program = make_program(context);
  const Slice<uint8_t> bytes(binaries[0], lengths[0]);
  const cl_int status = program->connection->ask(ProgramWithBinary{program->id, context->id, bytes}).status;
  for (cl_uint i = 0; binary_status != nullptr && i < num_devices; i++) binary_status[i] = status;
  return finish(program, status, errcode_ret);
}

cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                         const cl_device_id* device_list, const char* kernel_names,
                                                         cl_int* errcode_ret) {
  if (!is(context)) return fail(CL_INVALID_CONTEXT, errcode_ret);
  if (num_devices == 0 || device_list == nullptr || kernel_names == nullptr) return fail(CL_INVALID_VALUE, errcode_ret);
  const cl_int wrong = check_devices(context, num_devices, device_list);
  // The device has no built-in kernels.
  return fail(wrong != CL_SUCCESS ? wrong : CL_INVALID_VALUE, errcode_ret);
}

cl_int CL_API_CALL clRetainProgram(cl_program program) { return retain(program, CL_INVALID_PROGRAM); }
cl_int CL_API_CALL clReleaseProgram(cl_program program) { return release(program, CL_INVALID_PROGRAM); }

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id* device_list,
                                  const char* options, Notify pfn_notify, void* user_data) {
  if (!is(program)) return CL_INVALID_PROGRAM;
  const cl_int wrong = check_devices(program->context.get(), num_devices, device_list);
  if (wrong != CL_SUCCESS) return wrong;
  if (pfn_notify == nullptr && user_data != nullptr) return CL_INVALID_VALUE;
  auto result = program->connection->ask_later(BuildProgram{program->id, text_of(options)});
  return finish_build(program, result, pfn_notify, user_data);
}

cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id* device_list,
                                    const char* options, cl_uint num_input_headers, const cl_program* input_headers,
                                    const char** header_include_names, Notify pfn_notify, void* user_data) {
  if (!is(program)) return CL_INVALID_PROGRAM;
  const cl_int wrong = check_devices(program->context.get(), num_devices, device_list);
  if (wrong != CL_SUCCESS) return wrong;
  if ((num_input_headers == 0) != (input_headers == nullptr) || (num_input_headers == 0) != (header_include_names == nullptr))
    return CL_INVALID_VALUE;
  if (pfn_notify == nullptr && user_data != nullptr) return CL_INVALID_VALUE;
  std::vector<uint32_t> headers;
  std::vector<std::string_view> names;
  for (cl_uint i = 0; i < num_input_headers; i++) {
    if (!is(input_headers[i])) return CL_INVALID_PROGRAM;
    if (header_include_names[i] == nullptr) return CL_INVALID_VALUE;
    headers.push_back(input_headers[i]->id);
    names.emplace_back(header_include_names[i]);
  }
  auto result = program->connection->ask_later(CompileProgram{program->id, text_of(options), headers, names});
  return finish_build(program, result, pfn_notify, user_data);
}

cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id* device_list,
                                     const char* options, cl_uint num_input_programs, const cl_program* input_programs,
                                     Notify pfn_notify, void* user_data, cl_int* errcode_ret) {
  if (!is(context)) return fail(CL_INVALID_CONTEXT, errcode_ret);
  const cl_int wrong = check_devices(context, num_devices, device_list);
  if (wrong != CL_SUCCESS) return fail(wrong, errcode_ret);
  if (num_input_programs == 0 || input_programs == nullptr || (pfn_notify == nullptr && user_data != nullptr))
    return fail(CL_INVALID_VALUE, errcode_ret);
  std::vector<uint32_t> inputs;
  for (cl_uint i = 0; i < num_input_programs; i++) {
    if (!is(input_programs[i])) return fail(CL_INVALID_PROGRAM, errcode_ret);
    inputs.push_back(input_programs[i]->id);
  }
  cl_program program = make_program(context);
  Connection* connection = context->connection;
  // Linking is short, so the call waits for it even if there is a callback.
  const Answer<LinkProgram> answer = connection->ask(LinkProgram{program->id, context->id, text_of(options), inputs});
  if (answer.status != CL_SUCCESS) return finish(program, answer.status, errcode_ret);
  if (pfn_notify == nullptr) {
    if (errcode_ret != nullptr) *errcode_ret = answer.reply.result;
    return program;
  }
  connection->call_back([=, keep = Use(program)] { pfn_notify(keep.get(), user_data); });
  if (errcode_ret != nullptr) *errcode_ret = CL_SUCCESS;
  return program;
}

namespace {

/** All devices of the context have the same binary. */
cl_int put_binaries(cl_program program, const Target& target) {
  auto** pointers = static_cast<unsigned char**>(target.value);
  const size_t count = program->context->devices.size();
  const size_t bytes = count * sizeof(unsigned char*);
  if (pointers != nullptr) {
    if (target.size < bytes) return CL_INVALID_VALUE;
    const Answer<ProgramBinary> answer = program->connection->ask(ProgramBinary{program->id});
    if (answer.status != CL_SUCCESS) return answer.status;
    const Slice<uint8_t>& binary = answer.reply.binary;
    for (size_t i = 0; i < count; i++)
      if (pointers[i] != nullptr && binary.size > 0) std::memcpy(pointers[i], binary.data, binary.size);
  }
  if (target.size_ret != nullptr) *target.size_ret = bytes;
  return CL_SUCCESS;
}

/** The server's answer for one device, repeated for each of the context's devices. */
cl_int put_for_each_device(cl_program program, cl_program_info param, const Target& target) {
  const Answer<Info> answer = program->connection->ask(Info{static_cast<uint32_t>(Subject::kProgram), program->id, param});
  if (answer.status != CL_SUCCESS) return answer.status;
  size_t size = 0;
  if (answer.reply.value.size >= sizeof size) std::memcpy(&size, answer.reply.value.data, sizeof size);
  return target.put(std::vector<size_t>(program->context->devices.size(), size));
}

}  // namespace

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size,
                                    void* param_value, size_t* param_value_size_ret) {
  if (!is(program)) return CL_INVALID_PROGRAM;
  const Target target{param_value_size, param_value, param_value_size_ret};
  switch (param_name) {
    case CL_PROGRAM_REFERENCE_COUNT:
      return target.put(cl_uint{program->references});
    case CL_PROGRAM_CONTEXT:
      return target.put(program->context.get());
    case CL_PROGRAM_DEVICES:
      return target.put(program->context->handles());
    case CL_PROGRAM_NUM_DEVICES:
      return target.put(static_cast<cl_uint>(program->context->devices.size()));
    case CL_PROGRAM_BINARY_SIZES:
      return put_for_each_device(program, param_name, target);
    case CL_PROGRAM_BINARIES:
      return put_binaries(program, target);
    default:
      return target.ask(*program->connection, Subject::kProgram, program->id, param_name);
  }
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id of, cl_program_build_info param_name,
                                         size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  if (!is(program)) return CL_INVALID_PROGRAM;
  if (!is(of) || !program->context->has(of)) return CL_INVALID_DEVICE;
  const Target target{param_value_size, param_value, param_value_size_ret};
  return target.ask(*program->connection, Subject::kProgramBuild, program->id, param_name, of->id);
}

cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program, void(CL_CALLBACK* pfn_notify)(cl_program, void*),
                                               void*) {
  if (!is(program)) return CL_INVALID_PROGRAM;
  // Only OpenCL 2.2 has destructors of global variables.
  return pfn_notify == nullptr ? CL_INVALID_VALUE : CL_INVALID_OPERATION;
}

cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size,
                                                      const void* spec_value) {
  if (!is(program)) return CL_INVALID_PROGRAM;
  if (spec_value == nullptr) return CL_INVALID_VALUE;
  const Slice<uint8_t> value(static_cast<const uint8_t*>(spec_value), spec_size);
  return program->connection->ask(SpecializationConstant{program->id, spec_id, value}).status;
}

}  // namespace icd
